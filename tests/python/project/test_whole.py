"""A package folder that another distribution of the same name has changed is told, and how to mend it."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import renju

PACKAGE = Path(renju.__file__).parent
FOLDER, MIXED = "the package folder of renju-engine", "was changed by another distribution, `renju`"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the package by links, of which files can be taken away."""
    copy = tmp_path / "renju"
    copy.mkdir()
    for path in PACKAGE.iterdir():
        if path.name != "__pycache__":
            (copy / path.name).symlink_to(path)
    return copy


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Without site, which would lead to the package as it is installed for the tests.
    paths = [str(folder.parent), sysconfig.get_path("purelib")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-S", *arguments], env=environment, cwd=folder.parent, capture_output=True, text=True
    )


def replace(path: Path, text: str | None) -> None:
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_text(text)


# What the other distribution does to the folder when it comes after ours, and when it goes.
@pytest.mark.slow
@pytest.mark.parametrize("text", ["from .board import *", None], ids=["installed", "uninstalled"])
def test_what_is_left_of_us_says_so(folder: Path, text: str | None) -> None:
    replace(folder / "__init__.py", text)
    replace(folder / "board.py", None if text is None else "")
    for module in ("renju.batch", "renju.engine", "renju.io"):
        done = run(folder, "-c", f"import {module}")
        assert done.stderr.splitlines()[-1].startswith(f"ImportError: {FOLDER} {MIXED}")
    done = run(folder, "-m", "renju", "show", "h8")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("renju: error: ")
    assert MIXED in done.stderr
    assert "pip uninstall renju renju-engine" in done.stderr


@pytest.mark.slow
def test_files_of_the_other_beside_ours_are_a_warning(folder: Path) -> None:
    assert run(folder, "-W", "error", "-c", "import renju; renju.Board('h8')").stderr == ""
    replace(folder / "check_forbid.py", "")
    done = run(folder, "-c", "import renju; print(renju.Board('h8').record())")
    assert done.returncode == 0
    assert "RuntimeWarning: another distribution, `renju`, is installed" in done.stderr
