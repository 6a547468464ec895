"""What the tests share, and where the files are that they read."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"
# Game files as other programs write them.
FILES = DATA / "files"
