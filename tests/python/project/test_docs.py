"""Every example in the README, the docs and the docstrings runs and says what it shows."""

import doctest
import importlib
import pkgutil
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import renju
from renju import Limit, pipeline, samples
from support import ROOT, doc_examples

pytestmark = pytest.mark.usefixtures("inside")

README = ROOT / "README.md"
DOCUMENTS = [README, ROOT / "README.ja.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Importing __main__ would run the command line.
SUBMODULES = {info.name for info in pkgutil.walk_packages(renju.__path__, "renju.")} - {"renju.__main__"}
MODULES = ["renju", *sorted(SUBMODULES)]

SHARED = """
```python
x = 2
```
- in a list
  ```python
  >>> x + 1
  3
  >>> y = x
  ```
```py
assert y == 2
```
"""

NOT_RUN = """
```text
>>> 1 / 0
```
````markdown
```python
1 / 0
```
````
```console
$ make nothing
done
```
"""


# A cluster starts and stops in its own time; what it warns of is not about us.
CLUSTER_MARKS = [
    pytest.mark.cluster,
    pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed"),
    pytest.mark.filterwarnings("ignore"),
]


LEARNING_MARKS = [
    pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed")
    for name in ("gymnasium", "pettingzoo")
]
EXPLORER_MARKS = [pytest.mark.skipif(find_spec("duckdb") is None, reason="DuckDB is not installed")]
MARKS = {
    "cluster.md": CLUSTER_MARKS,
    "explorer.md": EXPLORER_MARKS,
    "learning.md": LEARNING_MARKS,
    "renju.explorer.asking": EXPLORER_MARKS,
    "renju.explorer.building": EXPLORER_MARKS,
    "renju.explorer.joining": EXPLORER_MARKS,
    "renju.rl.aec": LEARNING_MARKS,
    "renju.rl.gym": LEARNING_MARKS,
}


def as_parameter(path: Path) -> Any:
    marks = MARKS.get(path.name, [])
    return pytest.param(path, id=path.relative_to(ROOT).as_posix(), marks=marks)


def as_module(name: str) -> Any:
    return pytest.param(name, id=name, marks=MARKS.get(name, []))


@pytest.mark.slow
@pytest.mark.parametrize("path", [as_parameter(path) for path in DOCUMENTS])
def test_document(path):
    count = doc_examples.run_file(path)
    assert count > 0 or path != README, "the README shows no example"


@pytest.mark.slow
@pytest.mark.parametrize("name", [as_module(name) for name in MODULES])
def test_docstrings(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doc_examples.DOCTEST_FLAGS).failed == 0


def test_python_blocks_share_a_namespace():
    assert doc_examples.run_text(SHARED, "x.md") == 4


def test_other_blocks_and_commands_are_not_run():
    assert doc_examples.run_text(NOT_RUN, "x.md") == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```python\n>>> 1 + 1\n3\n```\n", id="wrong-value"),
        pytest.param("```python\n1 / 0\n```\n", id="exception"),
        pytest.param("```python\nx = 1\n", id="open-fence"),
        pytest.param("```console\n$ renju --help\nno such output\n```\n", id="wrong-output"),
        pytest.param("```console\n$ renju --no-such-option\n```\n", id="bad-usage"),
        pytest.param("```console\n$ renju --help | head -1\nusage: renju\n```\n", id="shell"),
    ],
)
def test_a_wrong_example_fails(text):
    with pytest.raises(doc_examples.ExampleError):
        doc_examples.run_text(text, "x.md")


def test_console_output_may_be_elided():
    assert doc_examples.run_text("```console\n$ renju --help\nusage: ...\n```\n", "x.md") == 1


def documented_columns(document: str) -> dict[str, str]:
    """The type of every column in the tables of docs/batch.md."""
    section = document.split("\n## Columns\n")[1].split("\n## ")[0]
    types = {}
    for line in section.splitlines():
        cells = line.strip("|").split(" | ")
        if line.startswith("| `"):
            names = re.findall(r"`(\w+)`", cells[0])
            assert not {*names} & {*types}, f"described twice: {line}"
            types |= dict.fromkeys(names, cells[1].strip(" `"))
    return types


def test_every_column_of_a_batch_is_documented():
    document = (ROOT / "docs/batch.md").read_text(encoding="utf-8")
    Path("games.txt").write_text(samples.games()[0])
    few = Limit(nodes=300)
    pipeline.run("games.txt", "all.parquet", pipeline.JOBS, multipv=2, policy=2, limit=few, solve_limit=few)
    schema = pq.read_schema("all.parquet")
    # Readers call the values of a list "item" or "element".
    written = {field.name: re.sub(r"\b(item|element): ", "", str(field.type)) for field in schema}
    assert documented_columns(document) == written
    assert f"\nVersion {pipeline.SCHEMA_VERSION}. " in document
