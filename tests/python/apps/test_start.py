"""How the programs begin, and what importing the package costs."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import renju
from support.processes import RENJU
from support.waiting import PATIENCE_S

BIN = Path(sys.executable).parent
# Programs that wait for a line once they have begun.
PROGRAMS = {
    "renju": [str(BIN / "renju"), "jsonl"],
    "python -m renju": ["-m", "renju", "jsonl"],
    "pbrain-renju": [str(BIN / "pbrain-renju")],
}
_IMPORTED = re.compile(r"import time: +\d+ \| +\d+ \| +(\S+)\n")

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")


class Program:
    """A program that tells each module once it is imported.

    Its pipe is small: as long as nobody reads, it is held back, and still imports when it gets a signal.
    """

    def __init__(self, name: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-X", "importtime", *PROGRAMS[name]],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            pipesize=4096,
        )

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def import_of(self, wanted: str) -> None:
        """Reads until this module is imported."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            imported = _IMPORTED.fullmatch(line)
            if imported is not None and imported[1] == wanted:
                return
        pytest.fail(f"{wanted} was not imported")

    def interrupt(self) -> tuple[int, str]:
        """The exit code after Ctrl-C, and what it said besides its imports."""
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, re.sub(r"import time:.*\n?", "", errors)


def imports(name: str) -> list[str]:
    """The modules that a program imports after it hears Ctrl-C, in order."""
    command = [sys.executable, "-X", "importtime", *PROGRAMS[name]]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    found = _IMPORTED.findall(done.stderr)
    return found[found.index("renju._start") + 1 :]


@pytest.mark.slow
@posix_only
@pytest.mark.parametrize("name", PROGRAMS)
def test_ctrl_c_is_heard_while_modules_are_imported(name: str) -> None:
    modules = imports(name)
    assert len(modules) > 40
    moments = 6
    for number in range(moments):
        moment = modules[number * (len(modules) - 1) // (moments - 1)]
        with Program(name) as program:
            program.import_of(moment)
            code, errors = program.interrupt()
        assert code == 130, (moment, errors)
        # One that has begun to serve a manager leaves without a word.
        assert errors == "renju: interrupted\n" or (name == "pbrain-renju" and errors == ""), moment


@posix_only
def test_ctrl_c_stays_ignored_where_it_was() -> None:
    """As for what a shell puts into the background."""
    command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *RENJU, "gomocup"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write("ABOUT\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith("name=")
            process.send_signal(signal.SIGINT)
        process.stdin.write("END\n")
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


@posix_only
def test_a_program_that_heard_ctrl_c_ends_with_its_code(tmp_path: Path) -> None:
    """Also if it was heard while a class was being made, which is done by an `exec` of text."""
    code = """
from renju._start import _run

def main():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        return 130

_run(lambda: main)
"""
    (tmp_path / "program.py").write_text(code)
    command = [sys.executable, "-m", "program"]
    assert subprocess.run(command, cwd=tmp_path, timeout=PATIENCE_S).returncode == 130


@posix_only
def test_ctrl_c_is_not_lost_in_a_callback_of_an_import(tmp_path: Path) -> None:
    """A command imports what it needs while it runs, and weak references lose what their callbacks raise."""
    code = """
import os, signal, time, weakref
from renju._start import _run

class Module:
    pass

def main():
    names = {"os": os, "signal": signal}
    callback = "def cb(_): os.kill(os.getpid(), signal.SIGINT); [0 for _ in range(100)]"
    exec(compile(callback, "<frozen importlib._bootstrap>", "exec"), names)
    module = Module()
    kept = weakref.ref(module, names["cb"])
    del module
    time.sleep(1000)

_run(lambda: main)
"""
    (tmp_path / "program.py").write_text(code)
    command = [sys.executable, "-m", "program"]
    done = subprocess.run(command, cwd=tmp_path, timeout=PATIENCE_S, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "renju: interrupted\n")


def output_of(code: str) -> str:
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_package_imports_what_is_used() -> None:
    code = """
import sys
import renju
print(*(name for name in sys.modules if name.startswith("renju.")), "typing" in sys.modules)
renju.errors
print(*(name for name in sys.modules if name.startswith("renju.")))
"""
    assert output_of(code) == "False\nrenju.errors\n"


def test_the_handler_of_whoever_imports_the_programs_is_kept() -> None:
    code = """
import signal
import renju.cli, renju.protocol, renju._start
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    assert output_of(code) == "True\n"


def test_every_name_has_a_home() -> None:
    assert {*renju.__all__} <= {*renju._HOME, *renju._MODULES}
    assert {*renju._HOME} <= {*renju.__all__}
    for name in renju.__all__:
        value = getattr(renju, name)
        home = import_module(renju._HOME.get(name, f"renju.{name}"))
        assert value is (getattr(home, name) if name in renju._HOME else home)
    assert {*renju.__all__, *renju._MODULES} <= {*dir(renju)}
    with pytest.raises(AttributeError, match="module 'renju' has no attribute 'bord'"):
        renju.bord  # noqa: B018


@pytest.mark.slow
@pytest.mark.parametrize("first", sorted(renju._MODULES | {"cli"}))
def test_any_module_may_be_imported_first(first: str) -> None:
    """No module counts on one that another has imported before."""
    output_of(f"import renju.{first}")
