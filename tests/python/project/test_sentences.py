"""Fields of results and settings have sentences of their own, which can be read without their neighbours."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import renju

PACKAGE = Path(renju.__file__).parent
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

FEWEST_WORDS = 5
# What leans on another line: nobody knows how many, how much, how far or what is meant.
LEANING = re.compile(r"\b[Ss]o (many|much)\b|\bSo far\.|[Ss]ee above|\b(it|they) (is|are) none\b")


def text_of(node: ast.stmt | None) -> str | None:
    """The text of a docstring, as a class, a function or a field has it."""
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return None


def is_record(node: ast.ClassDef) -> bool:
    """Is this a public dataclass or named tuple?"""
    kinds = [*map(ast.unparse, node.decorator_list), *map(ast.unparse, node.bases)]
    return not node.name.startswith("_") and any("dataclass" in k or "NamedTuple" in k for k in kinds)


def fields(node: ast.ClassDef) -> Iterator[tuple[str, str | None]]:
    """The public fields of a class with their docstrings."""
    for field, after in zip(node.body, [*node.body[1:], None], strict=True):
        name = ast.unparse(field.target) if isinstance(field, ast.AnnAssign) else "_"
        if not name.startswith("_"):
            yield name, text_of(after)


def flaws(source: str) -> list[str]:
    """Fields without a sentence of their own, and docstrings that lean on others."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and is_record(node):
            named = ast.get_docstring(node) or ""
            for name, doc in fields(node):
                is_sentence = doc is not None and len(doc.split()) >= FEWEST_WORDS and doc.endswith(".")
                if not is_sentence and f"`{name}`" not in named:
                    found.append(f"{node.name}.{name}: {doc!r} is no sentence")
        if isinstance(node, ast.stmt) and (lean := LEANING.search(text_of(node) or "")):
            found.append(f"line {node.lineno}: {lean[0]!r} leans on what is not there")
    return found


@pytest.mark.parametrize("name", FILES)
def test_fields_and_docstrings_stand_alone(name: str) -> None:
    found = flaws((PACKAGE / name).read_text(encoding="utf-8"))
    assert not found


@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        ("nodes: int", "A.nodes: None is no sentence"),
        ('nodes: int\n    """Nodes."""', "A.nodes: 'Nodes.' is no sentence"),
        ('nodes: int\n    """Positions that the search looked at"""', "is no sentence"),
        ('nodes: int\n    """Searches that end after so many nodes."""', "'so many' leans"),
        ('nodes: int\n    """Positions that the search looked at."""', None),
        ('"""Counts `nodes` of a search."""\n    nodes: int', None),
        ("_nodes: int", None),
    ],
)
def test_what_is_a_flaw(body: str, flaw: str | None) -> None:
    found = flaws(f"@dataclass(frozen=True)\nclass A:\n    {body}\n")
    assert len(found) == (flaw is not None)
    assert flaw is None or flaw in found[0]
