"""The floors of the Python package: a module imports from its own floor and those below, and nothing in a
circle. docs/architecture.md tells what stands where."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import renju

PACKAGE = Path(renju.__file__).parent

# The lowest floor first. A name stands for a module or a package; a module of a package may stand elsewhere
# than the package.
FLOORS = {
    "core": "_ask _attack _checksum _child _exit_codes _facts _files _given _lines _machine _native _network"
    " _progress _request _setting_fields _settings _types _whole board config defence engine errors explain"
    " game limits openings proof proving refutation refuting result solving",
    "formats": "_display _journal _page book io plot proofs protocol.aio protocol.client protocol.dialogue"
    " protocol.inbox protocol.remarks protocol.wire samples svg values",
    "analysis": "batch book.building book.gathering book.growth explorer ismcts pipeline proofs.checking"
    " proofs.running proofs.work puzzles reviewing speed",
    "lab": "data lab rl",
    "apps": "__main__ _start cli demo jsonl protocol web",
}
ORDER = {name: floor for floor, names in enumerate(FLOORS.values()) for name in names.split()}

# What a class offers with the help of a higher floor, imported when it is asked for.
DOORS = {
    ("board", "batch"): "a board is made of an array",
    ("board", "openings"): "a board knows the name of its opening",
    ("board", "svg"): "a notebook shows a board as a picture",
    ("engine", "book"): "an engine plays by a book",
    ("engine", "proofs"): "an engine plays by proofs",
    ("engine", "values"): "an engine reads a table of values",
    ("game", "_display"): "a notebook shows a game as a page",
    ("result", "_display"): "a notebook shows a result as a page",
    ("reviewing", "web"): "a review shows itself as the page of the board",
}


def modules() -> dict[str, Path]:
    """Every module of the package by its name inside it; the package itself is left out."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name:
            found[name] = path
    return found


MODULES = modules()


def imports(tree: ast.AST, is_eager: bool = True) -> Iterator[tuple[str, bool]]:
    """Modules of the package that are imported, and whether at once; what only type checkers see is left
    out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if inside(name) in {*MODULES, "_native"} else str(node.module) for name in inner]
        else:
            names = []
        yield from ((inside(name), is_eager) for name in names if name.startswith("renju."))
        yield from imports(node, is_eager and not isinstance(node, ast.FunctionDef | ast.Lambda))


def inside(name: str) -> str:
    return name.removeprefix("renju.")


def package(name: str) -> str:
    return name.partition(".")[0]


def floor(name: str) -> int:
    return ORDER[name] if name in ORDER else ORDER[package(name)]


IMPORTS = {name: sorted(set(imports(ast.parse(path.read_text())))) for name, path in MODULES.items()}


def is_door(name: str, other: str) -> bool:
    return (package(name), package(other)) in DOORS


def test_every_module_has_a_floor() -> None:
    assert {package(name) for name in MODULES} <= {*map(package, ORDER)}
    assert {*ORDER} <= {*MODULES, "_native"}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_nothing_is_imported_from_above(name: str) -> None:
    above = [
        other
        for other, is_eager in IMPORTS[name]
        if floor(other) > floor(name) and (is_eager or not is_door(name, other))
    ]
    # A package tells what its modules offer, also those that stand on a higher floor.
    own = {other for other in above if package(other) == name}
    assert {*above} == {other for other in own if not dict(IMPORTS[name])[other]}


def test_every_door_is_used() -> None:
    used = {(package(name), package(other)) for name in IMPORTS for other, _ in IMPORTS[name]}
    assert DOORS.keys() <= used


def test_no_module_waits_for_itself() -> None:
    """Modules that import each other at once, in a circle of any length."""
    check_order({name: {other for other, is_eager in found if is_eager} for name, found in IMPORTS.items()})


def test_no_package_needs_one_that_needs_it() -> None:
    """Imports inside functions count, too, except for the doors."""
    graph: dict[str, set[str]] = {}
    for name, found in IMPORTS.items():
        others = {package(other) for other, _ in found if not is_door(name, other)}
        graph.setdefault(package(name), set()).update(others - {package(name)})
    # Those with modules on several floors.
    split = {package(name) for name in ORDER if "." in name}
    check_order({name: found - split for name, found in graph.items() if name not in split})


def check_order(graph: dict[str, set[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle: {' <- '.join(error.args[1])}")
