"""The site and what is published: links lead somewhere, and nothing is loaded from elsewhere."""

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from support import ROOT

LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PAGES = [
    *(
        ROOT / name
        for name in ("README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md", "benches/README.md")
    ),
    *sorted((ROOT / "docs").glob("*.md")),
]
ADDRESS = "https://example.org/owner/renju"

pytestmark = pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="a source distribution has no .ci")


def script(path: str) -> ModuleType:
    """A program of .ci as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / ".ci" / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def anchors(path: Path) -> set[str]:
    """The anchors of the headings of a page."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_between_files_lead_somewhere(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for target, anchor in LINK.findall(text):
        found = (path.parent / target).resolve() if target else path
        assert found.exists(), target
        if anchor and found.suffix == ".md":
            assert anchor in anchors(found), f"{target}#{anchor}"


def test_every_page_is_in_the_index() -> None:
    """And in the menu of the site, which its build checks."""
    linked = {target for target, _ in LINK.findall((ROOT / "docs/index.md").read_text(encoding="utf-8"))}
    pages = {path.name for path in (ROOT / "docs").iterdir()} - {"index.md"}
    assert pages <= linked


def test_published_links_are_absolute() -> None:
    publish = script("release_links.py")
    for name in publish.READMES:
        before = (ROOT / name).read_text(encoding="utf-8")
        after = publish.absolute(before, ADDRESS, "v1")
        assert len(LINK.findall(before)) > 3
        assert not LINK.findall(after)
        assert f"]({ADDRESS}/blob/v1/docs/index.md)" in after
    project = tomllib.loads(
        publish.with_urls((ROOT / "pyproject.toml").read_text(encoding="utf-8"), ADDRESS, "v1")
    )
    assert project["project"]["urls"]["Source"] == ADDRESS
    crate = tomllib.loads(publish.with_repository((ROOT / "Cargo.toml").read_text(encoding="utf-8"), ADDRESS))
    assert crate["package"]["repository"] == ADDRESS
    with pytest.raises(ValueError, match="already"):
        publish.with_urls("[project.urls]\n[project.scripts]\n", ADDRESS, "v1")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<a href="b.html#there">', None),
        ('<a href="https://example.org/x">', None),
        ('<a href="c.html">', "c.html leads nowhere"),
        ('<a href="b.html#gone">', "b.html#gone leads nowhere"),
        ('<a href="#gone">', "#gone leads nowhere"),
        ('<script src="https://cdn.example.org/x.js"></script>', "loads https://cdn.example.org/x.js"),
        ('<link rel="stylesheet" href="//fonts.example.org/x.css">', "loads //fonts.example.org/x.css"),
        ("<td>(nothing tells what this is)</td>", "1 parameters"),
    ],
)
def test_faults_of_a_site_are_found(text: str, fault: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<html>{text}</html>")
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1>')
    found = script("site/check.py").faults(tmp_path, least=2)
    assert [fault in one for one in found] == ([] if fault is None else [True])
    assert script("site/check.py").faults(tmp_path) == [f"{tmp_path}: only 2 pages"]


def test_a_style_that_loads_fonts_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>")
    (tmp_path / "a.css").write_text("@import url(https://fonts.example.org/x.css);")
    assert script("site/check.py").faults(tmp_path, least=1) == ["a.css: loads from https:"]
