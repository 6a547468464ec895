"""Docstrings for the site: examples in fences, and a table with every parameter of every function.

Docstrings here are prose that names parameters in backticks. The table takes the sentences that name a
parameter, and for one that needs no words of its own, such as a board, the words in parameters.toml. A
parameter with neither is marked, and check.py refuses the site.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import griffe

WORDS: dict[str, str] = tomllib.loads((Path(__file__).parent / "parameters.toml").read_text(encoding="utf-8"))
_UNNAMED = {"self", "cls"}


class Docstrings(griffe.Extension):
    """What mkdocstrings calls for every object that it has read."""

    def on_function_instance(self, *, func: griffe.Function, **_: Any) -> None:
        if not _is_public(func):
            return
        owner = func.parent
        prose = func.docstring.value if func.docstring else ""
        more = owner.docstring.value if owner is not None and owner.is_class and owner.docstring else ""
        names = [parameter.name for parameter in func.parameters if parameter.name not in _UNNAMED]
        path = func.path.removesuffix(".__init__")
        rows = [(name, _description(name, prose, more, path)) for name in names]
        text = _fenced(prose) or ("" if not rows else " ")
        if rows:
            text += "\n\nArgs:\n" + "".join(f"    {name}: {words}\n" for name, words in rows)
        if text:
            # A new docstring has no parser, and its table would be a paragraph.
            line = func.lineno or 1
            func.docstring = griffe.Docstring(text, parent=func, lineno=line, parser=griffe.Parser.google)

    def on_class_instance(self, *, cls: griffe.Class, **_: Any) -> None:
        if cls.docstring:
            cls.docstring.value = _fenced(cls.docstring.value)

    def on_module_instance(self, *, mod: griffe.Module, **_: Any) -> None:
        if mod.docstring:
            mod.docstring.value = _fenced(mod.docstring.value)


def _is_public(func: griffe.Function) -> bool:
    parts = func.path.split(".")
    return not any(part.startswith("_") and part != "__init__" for part in parts)


def _description(name: str, prose: str, more: str, path: str) -> str:
    for text in (prose, more):
        if sentences := _sentences_with(name, text):
            return sentences
    parts = path.split(".")
    keys = [".".join([*parts[-2:], name]), f"{parts[-1]}.{name}", name]
    return next((WORDS[key] for key in keys if key in WORDS), WORDS[""])


def _sentences_with(name: str, text: str) -> str:
    """The sentences that name the parameter in backticks."""
    # Without examples, in which a name means nothing.
    plain = re.sub(r"(?m)^\s*(>>>|\.\.\.)[^\n]*(\n[^\n]+)*", "", text)
    plain = re.sub(r"::\n\n(?:    [^\n]*\n|\n)+", ".\n\n", plain + "\n")
    sentences = re.split(r"(?<=[.:])\s+(?=[A-Z`*])|\n\n", plain)
    found = [" ".join(one.split()) for one in sentences if re.search(rf"`\*{{0,2}}{name}(=[^`]*)?`", one)]
    return " ".join(found)


def _fenced(text: str) -> str:
    """Examples as blocks of Markdown."""
    lines, made = text.splitlines(), []
    index = 0
    while index < len(lines):
        line = lines[index]
        if line.lstrip().startswith(">>>"):
            indent = len(line) - len(line.lstrip())
            made += ["", "```pycon"]
            while index < len(lines) and lines[index].strip():
                made.append(lines[index][indent:])
                index += 1
            made += ["```", ""]
            continue
        if line.endswith("::"):
            made.append(line[:-1])
            index += 1
            while index < len(lines) and not lines[index].strip():
                index += 1
            made += ["", "```python"]
            while index < len(lines) and (lines[index].startswith("    ") or not lines[index].strip()):
                made.append(lines[index][4:])
                index += 1
            while not made[-1]:
                made.pop()
            made += ["```", ""]
            continue
        made.append(line)
        index += 1
    return "\n".join(made).strip()
