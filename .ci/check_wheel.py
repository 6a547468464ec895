"""Proves that the wheel and the sdist of a directory are fit to publish.

    python check_wheel.py target/wheels
    python check_wheel.py dist --wheel-only

The wheel is small and complete, installs where there is no Rust, answers what a forbidden point is, and runs
the README there; the sdist builds. With --wheel-only there is no sdist, and the README is not run.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_WHEEL_BYTES = 3_000_000
RUN_TIMEOUT_S = 600
# Of the package, and no Python: what is missing would only be missed in use.
FILES = ["py.typed", "_native.pyi", "_setting_fields.pyi"] + [
    path.relative_to(ROOT / "python/renju").as_posix()
    for pattern in ("_page/*.[jc]s*", "reviewing/*.[jc]s*", "web/static/**/*", "data/*")
    for path in sorted((ROOT / "python/renju").glob(pattern))
    if path.is_file()
]

PROBE = """
import importlib.metadata, pathlib, shutil, sys
assert shutil.which("cargo") is None and shutil.which("rustc") is None
import renju
installed = pathlib.Path(renju.__file__).resolve()
assert installed.is_relative_to(pathlib.Path(sys.prefix).resolve()), installed
board = renju.Board.from_stones("e8 f8 g8 h9 h10 h11", "", turn=renju.BLACK)
assert board.forbidden_points() == {renju.Point("h8"): renju.Forbidden.DOUBLE_FOUR}, board.forbidden_points()
codes = renju.batch.forbidden(board.to_array())
assert codes[7, 7] == renju.Forbidden.DOUBLE_FOUR and codes.sum() == codes[7, 7], codes
print("renju-engine", importlib.metadata.version("renju-engine"), "imported, knows a double-four")
"""


def check(condition: bool, message: str) -> None:
    if not condition:
        sys.exit(f"check_wheel: {message}")


def only(directory: Path, pattern: str) -> Path:
    found = sorted(directory.glob(pattern))
    check(len(found) == 1, f"expected one {pattern} in {directory}, found {[path.name for path in found]}")
    return found[0]


def check_wheel_contents(wheel: Path) -> None:
    size = wheel.stat().st_size
    check(size < MAX_WHEEL_BYTES, f"{wheel.name} has {size} bytes, the limit is {MAX_WHEEL_BYTES}")
    check("-cp311-abi3-" in wheel.name, f"{wheel.name} is not a cp311-abi3 wheel")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for name in FILES:
        check(f"renju/{name}" in names, f"{wheel.name} lacks renju/{name}")
    native = [name for name in names if name.endswith((".so", ".pyd"))]
    check(native in (["renju/_native.abi3.so"], ["renju/_native.pyd"]), f"{wheel.name} has modules {native}")
    check(not any("__pycache__" in name for name in names), f"{wheel.name} has byte code")
    print(f"{wheel.name}: {size} bytes, complete")


def check_wheel_runs(wheel: Path, scratch: Path, with_readme: bool) -> None:
    home = scratch / "venv"
    venv.create(home, with_pip=True)
    bin_directory = home / ("Scripts" if os.name == "nt" else "bin")
    python = bin_directory / "python"
    # Only the new environment is on the path, so no compiler of any kind is.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CARGO", "RUST"))
    }
    environment |= {"PATH": str(bin_directory), "VIRTUAL_ENV": str(home)}
    check(shutil.which("cargo", path=environment["PATH"]) is None, "cargo is in the empty environment")

    def run(*arguments: str | Path) -> None:
        command = [python, "-I", "-X", "utf8", *arguments]
        done = subprocess.run(command, cwd=work, env=environment, check=False, timeout=RUN_TIMEOUT_S)
        check(done.returncode == 0, f"failed without Rust: {' '.join(map(str, arguments))}")

    work = scratch / "work"
    work.mkdir()
    run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", wheel)
    run("-c", PROBE)
    for command in ("renju", "pbrain-renju"):
        found = shutil.which(command, path=environment["PATH"])
        check(found is not None, f"the command `{command}` is not installed")
    if not with_readme:
        return
    # Copies, so that nothing can be read from the repository by its place.
    shutil.copy(ROOT / "tests/python/support/doc_examples.py", scratch)
    shutil.copy(ROOT / "README.md", scratch)
    run(scratch / "doc_examples.py", scratch / "README.md")


def check_sdist_builds(sdist: Path, scratch: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    for name in ("Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md", "LICENSE", "rust/src/lib.rs"):
        check(name in names, f"{sdist.name} lacks {name}")
    built = [name for name in names if name.endswith((".so", ".pyd", ".pyc"))]
    check(not built, f"{sdist.name} has built files {built}")

    # A build from nothing, as on a user's machine; it would also leave its wheel in a shared target.
    environment = os.environ | {"CARGO_TARGET_DIR": str(scratch / "target")}
    out = scratch / "from-sdist"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, sdist]
    done = subprocess.run(command, cwd=scratch, env=environment, check=False)
    check(done.returncode == 0, f"{sdist.name} does not build")
    with zipfile.ZipFile(only(out, "*.whl")) as archive:
        check("renju/py.typed" in archive.namelist(), "the wheel built from the sdist lacks renju/py.typed")
    print(f"{sdist.name}: builds")


def main() -> None:
    parser = argparse.ArgumentParser(description="Proves that a wheel and an sdist are fit to publish.")
    parser.add_argument("directory", type=Path, help="what they are in")
    parser.add_argument("--wheel-only", action="store_true", help="there is no sdist; leave out the README")
    options = parser.parse_args()
    directory = options.directory.resolve()
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]
    wheel = only(directory, f"renju_engine-{version}-*.whl")
    sdist = None if options.wheel_only else only(directory, f"renju_engine-{version}.tar.gz")
    check_wheel_contents(wheel)
    with tempfile.TemporaryDirectory(prefix="renju-wheel-") as scratch:
        check_wheel_runs(wheel, Path(scratch).resolve(), with_readme=sdist is not None)
        if sdist is not None:
            check_sdist_builds(sdist, Path(scratch).resolve())


if __name__ == "__main__":
    main()
