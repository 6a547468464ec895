"""The notebook of docs/: it runs from top to bottom, by numpy alone and so small that nothing is learnt."""

import contextlib
import io
import json
import sys
from pathlib import Path

import pytest

from support import ROOT

NOTEBOOK = ROOT / "docs" / "train-a-net.ipynb"


def cells() -> list[dict]:
    return [
        cell
        for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]


@pytest.mark.slow
def test_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RENJU_TINY", "1")
    monkeypatch.setattr(sys, "path", [*sys.path])
    names: dict[str, object] = {"__name__": "__main__"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for number, cell in enumerate(cells()):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    monkeypatch.delitem(sys.modules, "net_player")
    assert "positions to learn from" in said.getvalue()
    # A program that was refused, or made an illegal move, would have another ending.
    assert "net against beginner: 2 games" in said.getvalue()
    assert "crash" not in said.getvalue()
    assert (tmp_path / "net-work" / "net.npz").exists()


def test_it_shows_what_it_prints() -> None:
    """Outputs are kept, so that a reader of the site sees a whole run."""
    shown = ["".join(output["text"]) for cell in cells() for output in cell["outputs"]]
    assert any("test positions" in text for text in shown)
    assert any("net against beginner: 20 games" in text for text in shown)
