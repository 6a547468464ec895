"""The tests themselves: in folders by topic, and in files that can be read."""

from support import ROOT

MOST_LINES = 600
TOPICS = {"core", "formats", "analysis", "lab", "apps", "drawing", "project"}


def test_no_file_of_tests_is_too_long() -> None:
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tests").rglob("*.rs")]
    assert len(files) > 80
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert not {path for path, count in lines.items() if count > MOST_LINES}


def test_every_test_stands_in_the_folder_of_its_topic() -> None:
    folder = ROOT / "tests" / "python"
    assert {path.relative_to(folder).parent.as_posix() for path in folder.rglob("test_*.py")} == TOPICS
