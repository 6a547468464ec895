"""Pages of the site that are made: the reference from docstrings, a notebook, and files outside of docs/."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]

# Key: a file of the repository; value: its page.
PROJECT = {
    "README.md": "readme.md",
    "README.ja.md": "ja.md",
    "benches/README.md": "project/figures.md",
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
}
NOTEBOOK, NOTEBOOK_PAGE = "train-a-net.ipynb", "train-a-net.md"

# The names of `renju` itself. Key: a page; value: what it is called, and its names.
PAGES = {
    "board": (
        "Boards, points and games",
        "Board Point Color Forbidden Outcome Threat Threats Defence Explanation Game GameNode Problem"
        " BLACK WHITE PASS BOARD_SIZE",
    ),
    "engine": ("The engine", "Engine EngineConfig Limit SearchResult Candidate Source"),
    "solving": (
        "Forced wins",
        "solve solve_vcf solve_mise_vcf solve_vct winning_moves is_winning_start refutations breakers shorten"
        " verify prove Proof ProveResult WinningMoves Breakers Refutation Verification",
    ),
    "review": ("Review", "review Review ReviewedMove Grades"),
    "errors": (
        "Errors",
        "RenjuError NotationError IllegalMoveError PositionError FormatError EngineError Interrupted",
    ),
}
# `renju.web` has one function, which `renju board` calls.
LEFT_OUT = {"web"}


def on_config(config: Any) -> Any:
    """Lists the pages of the reference below API."""
    pages = [{title: f"api/{name}.md"} for name, (title, _) in PAGES.items()]
    pages += [{f"renju.{name}": f"api/{name}.md"} for name in _modules()]
    for entry in config.nav:
        for item in entry.get("Reference", []):
            if "API" in item:
                item["API"] = ["api/index.md", *pages]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that are made."""
    made = {target: (ROOT / source).read_text(encoding="utf-8") for source, target in PROJECT.items()}
    made["api/index.md"] = _api_index()
    for name, (title, names) in PAGES.items():
        made[f"api/{name}.md"] = _page(title, [f"renju.{one}" for one in names.split()])
    for name in _modules():
        made[f"api/{name}.md"] = _module_page(name)
    if (ROOT / "docs" / NOTEBOOK).exists():
        made[NOTEBOOK_PAGE] = _notebook_page((ROOT / "docs" / NOTEBOOK).read_text(encoding="utf-8"))
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links between files of the repository become links between pages."""
    path = page.file.src_uri
    source = next((source for source, target in PROJECT.items() if target == path), f"docs/{path}")
    up = "../" * path.count("/")

    def to_page(link: re.Match[str]) -> str:
        target, anchor = link[1], link[2] or ""
        if re.match(r"[a-z]+:|#", target) or path.startswith("api/"):
            return link[0]
        found = (ROOT / source).parent.joinpath(target).resolve()
        if not found.is_relative_to(ROOT):
            return link[0]
        name = found.relative_to(ROOT).as_posix()
        if name in PROJECT:
            return f"]({up}{PROJECT[name]}{anchor})"
        if name == f"docs/{NOTEBOOK}" and path != NOTEBOOK_PAGE:
            return f"]({up}{NOTEBOOK_PAGE})"
        if name.startswith("docs/"):
            return f"]({up}{name.removeprefix('docs/')}{anchor})"
        return link[0]

    return re.sub(r"\]\(([^)#\s]+)(#[^)\s]*)?\)", to_page, markdown)


def _exports(path: Path) -> list[str]:
    """What `__all__` of a module names."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return list(ast.literal_eval(node.value))
    raise PluginError(f"{path} names nothing in __all__")


def _modules() -> list[str]:
    """Public modules; `PluginError` unless every public name of `renju` has its page."""
    package = ROOT / "python" / "renju"
    names = set(_exports(package / "__init__.py")) - {"__version__"}
    modules = {name for name in names if (package / name).is_dir() or (package / f"{name}.py").exists()}
    # A function may have the name of a module.
    described = [name for _, text in PAGES.values() for name in text.split()]
    modules -= set(described)
    if missing := names - modules - set(described):
        raise PluginError(f"no page of the reference has {sorted(missing)}: see PAGES in .ci/site/hooks.py")
    return sorted(modules - LEFT_OUT)


def _page(title: str, names: list[str]) -> str:
    return f"# {title}\n\n" + "".join(f"::: {name}\n\n" for name in names)


def _module_page(name: str) -> str:
    options = ["members: false", "show_root_heading: false", "show_root_toc_entry: false"]
    head = f"# renju.{name}\n\n::: renju.{name}\n    options:\n"
    head += "".join(f"      {option}\n" for option in options)
    names = sorted(_exports(_file(name)), key=str.casefold)
    return head + "".join(f"\n::: renju.{name}.{one}\n" for one in names)


def _file(name: str) -> Path:
    package = ROOT / "python" / "renju" / name
    return package / "__init__.py" if package.is_dir() else package.with_suffix(".py")


def _api_index() -> str:
    rows = []
    for name, (title, names) in PAGES.items():
        rows.append(f"| [{title}]({name}.md) | {', '.join(f'`{one}`' for one in names.split())} |")
    rows += [f"| [`renju.{name}`]({name}.md) | {_summary(name)} |" for name in _modules()]
    head = "# API\n\nEverything that is public, with every parameter; made from the docstrings.\n\n"
    return head + "\n".join(["| | |", "|---|---|", *rows, ""])


def _summary(name: str) -> str:
    doc = ast.get_docstring(ast.parse(_file(name).read_text(encoding="utf-8"))) or ""
    return doc.split("\n\n")[0].replace("\n", " ")


def _notebook_page(text: str) -> str:
    """A notebook as Markdown: its text, its code, and what it printed."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            shown = output.get("text") or output.get("data", {}).get("text/plain") or []
            if shown:
                parts.append(f"```text\n{''.join(shown).rstrip()}\n```")
    link = f"[The notebook]({NOTEBOOK}) is in `docs/`; run it with `jupyter lab docs/{NOTEBOOK}`."
    first, *rest = parts
    return "\n\n".join([first, link, *rest]) + "\n"
