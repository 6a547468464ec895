"""Writes what is made from the declaration of the settings in the core: the stub of the fields of
`EngineConfig`, and the page docs/settings.md. `python .ci/settings.py --check` only compares.
"""

import sys
from pathlib import Path

from renju._settings import SETTINGS, Setting
from renju.config import LEVELS, EngineConfig

ROOT = Path(__file__).resolve().parent.parent

STUB = """# Made by .ci/settings.py from rust/src/search/params.rs and rust/src/eval/scores.rs.
from dataclasses import dataclass

__all__ = ["Settings"]

@dataclass(frozen=True)
class Settings:
"""

PAGE = """# Settings

Every field of `renju.EngineConfig`, with its value at each level. `make settings` makes this page from the
declaration in `rust/src/search/params.rs` and `rust/src/eval/scores.rs`; [How it thinks](how-it-thinks.md)
tells what the techniques do. A setting has no effect while one of its conditions is not met:
`EngineConfig.inert()` lists those.

| setting | meaning | unit and range | needs | """


def stub() -> str:
    rows = [
        f"    {known.name}: {'bool' if known.is_switch else 'int'} = ...\n" for known in SETTINGS.values()
    ]
    return STUB + "".join(rows)


def page() -> str:
    levels = {level: EngineConfig.from_level(level) for level in LEVELS}

    def row(known: Setting) -> str:
        values = [getattr(config, known.name) for config in levels.values()]
        shown = [{True: "on", False: "off"}[v] if known.is_switch else f"{v:,}" for v in values]
        extent = "switch" if known.is_switch else f"{known.unit}, {known.least:,} to {known.most:,}"
        needs = "; ".join(known.needs)
        return f"| `{known.name}` | {known.doc} | {extent} | {needs} | {' | '.join(shown)} |\n"

    head = f"{PAGE}{' | '.join(levels)} |\n{'|---' * (4 + len(levels))}|\n"
    return head + "".join(map(row, SETTINGS.values()))


def main() -> None:
    made = {ROOT / "python/renju/_setting_fields.pyi": stub(), ROOT / "docs/settings.md": page()}
    for path, text in made.items():
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what the declaration makes: run `make settings`")


if __name__ == "__main__":
    main()
