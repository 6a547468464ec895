"""Runs the examples of a Markdown file. Standard library only, so that an empty environment can use it.

    python doc_examples.py README.md ...

Fenced blocks run in order, and the Python blocks of a file share one namespace:

- ``python`` blocks with ``>>>`` prompts are doctests (NORMALIZE_WHITESPACE, ELLIPSIS); others are executed.
- ``console`` blocks: each ``$ renju ...`` or ``$ python -m renju ...`` line runs without a shell, and the
  lines up to the next ``$`` are its standard output, where ``...`` matches anything. Other commands, such as
  ``$ make test``, are not run.

Examples run in the current directory.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCTEST_FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
# For a command that hangs, on a machine that may be busy.
COMMAND_TIMEOUT_S = 300
PYTHON_LANGUAGES = {"python", "py", "pycon"}

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})\s*(?P<language>[\w+-]*)(?P<rest>.*)$")
# Exit codes of a command that did its work: done, refuted, unknown.
_ANSWER_CODES = {0, 1, 3}


class ExampleError(AssertionError):
    """An example that failed; the message says where and how."""


@dataclass(frozen=True)
class Block:
    """A fenced block; `line` is the 1-based line of its first line of text."""

    language: str
    source: str
    line: int


@dataclass(frozen=True)
class Command:
    """A command of a console block and the standard output shown for it."""

    text: str
    expected: str
    line: int


def find_blocks(markdown: str) -> list[Block]:
    """All fenced blocks of a Markdown text, in order."""
    blocks = []
    lines = markdown.splitlines()
    index = 0
    while index < len(lines):
        opening = _FENCE.match(lines[index])
        index += 1
        # An inline code span may open a line with ``` too; its info string has backticks.
        if opening is None or (opening["fence"][0] == "`" and "`" in opening["rest"]):
            continue
        closing = re.compile(rf"^ *{opening['fence'][0]}{{{len(opening['fence'])},}} *$")
        start = index
        while index < len(lines) and not closing.match(lines[index]):
            index += 1
        if index == len(lines):
            raise ExampleError(f"line {start}: this fence is never closed")
        indent = re.compile(rf"^ {{0,{len(opening['indent'])}}}")
        body = "".join(indent.sub("", line) + "\n" for line in lines[start:index])
        blocks.append(Block(opening["language"].lower(), body, start + 1))
        index += 1
    return blocks


def find_commands(block: Block) -> Iterator[Command]:
    """The renju commands of a console block."""
    lines = block.source.splitlines()
    index = 0
    while index < len(lines):
        start = index
        text = lines[index]
        index += 1
        while text.startswith("$ ") and text.endswith("\\") and index < len(lines):
            text = text[:-1] + lines[index].removeprefix("> ")
            index += 1
        output = index
        while index < len(lines) and not lines[index].startswith("$ "):
            index += 1
        if re.match(r"\$ (python3? -m )?renju( |$)", text):
            yield Command(text.removeprefix("$ "), "\n".join(lines[output:index]), block.line + start)


def run_text(markdown: str, name: str) -> int:
    """Runs the examples of a Markdown text; returns how many there were, raises ExampleError at a failure."""
    # Classes defined in an example need a module that exists.
    namespace: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for block in find_blocks(markdown):
        if block.language in PYTHON_LANGUAGES:
            run = _run_session if re.search(r"^\s*>>> ", block.source, re.MULTILINE) else _run_script
            count += run(block, name, namespace)
        elif block.language == "console":
            for command in find_commands(block):
                _run_command(command, name)
                count += 1
    return count


def run_file(path: Path) -> int:
    """Runs the examples of a Markdown file, like `run_text`."""
    return run_text(path.read_text(encoding="utf-8"), str(path))


def _run_script(block: Block, name: str, namespace: dict[str, Any]) -> int:
    # Empty lines in front give a traceback the line numbers of the file.
    source = "\n" * (block.line - 1) + block.source
    try:
        exec(compile(source, name, "exec"), namespace)
    except Exception as error:
        raise ExampleError(f"{name}:{block.line}: {type(error).__name__}: {error}") from error
    return 1


def _run_session(block: Block, name: str, namespace: dict[str, Any]) -> int:
    test = doctest.DocTestParser().get_doctest(block.source, namespace, name, name, block.line - 1)
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=DOCTEST_FLAGS)
    failed, attempted = runner.run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    if failed:
        raise ExampleError("".join(report))
    return attempted


def _run_command(command: Command, name: str) -> None:
    where = f"{name}:{command.line}: $ {command.text}"
    lexer = shlex.shlex(command.text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    words = list(lexer)
    if any(set(word) <= set(lexer.punctuation_chars) for word in words if word):
        raise ExampleError(f"{where}\nuses the shell; only plain commands are run")
    arguments = words[words.index("renju") + 1 :]
    # What the reader's terminal would decide is fixed here.
    environment = os.environ | {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "renju", *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=COMMAND_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ExampleError(f"{where}\nran for more than {COMMAND_TIMEOUT_S} s") from None
    if done.returncode not in _ANSWER_CODES or "Traceback (most recent call last)" in done.stderr:
        raise ExampleError(f"{where}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    expected, actual = _trim(command.expected), _trim(done.stdout)
    if not doctest.OutputChecker().check_output(expected, actual, doctest.ELLIPSIS):
        raise ExampleError(f"{where}\nExpected:\n{expected}Got:\n{actual}{done.stderr}")


def _trim(text: str) -> str:
    """Without white space at the ends of lines and empty lines at the end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n") + "\n"


def main(paths: list[str]) -> int:
    """Runs the examples of each file and says how many passed."""
    for path in paths:
        try:
            print(f"{path}: {run_file(Path(path))} examples passed")
        except ExampleError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
