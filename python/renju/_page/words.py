"""What pages and sheets say, in two languages. The texts have one home, the table of `renju board`'s page.

>>> from renju._page.words import Words
>>> Words("en")("wins", count=7), Words("ja")("wins", count=7)
('wins in 7', '7手で勝ち')
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Final, Literal, TypeAlias, get_args

__all__ = ["LANGUAGES", "Language", "Words", "page_texts"]

Language: TypeAlias = Literal["en", "ja"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""The languages of pages, reports and sheets."""


@cache
def page_texts() -> dict[str, dict[Language, str]]:
    """Key: as the page has it; value: the text in every language."""
    found: dict[str, dict[Language, str]] = json.loads(
        resources.files("renju").joinpath("web", "static", "texts.json").read_text("utf-8")
    )
    return found


class Words:
    """The texts in one language."""

    def __init__(self, language: Language = "en") -> None:
        """`ValueError` if `language` is neither "en" nor "ja"."""
        if language not in LANGUAGES:
            raise ValueError(f"the language is one of {', '.join(LANGUAGES)}, not {language!r}")
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        """The text of `key`, with `values` in the place of what stands in braces."""
        return page_texts()[key][self.language].format(**values)

    def word(self, key: str, instead: str) -> str:
        """The text of a key that may be missing: `instead` is shown as it is."""
        return self(key) if key in page_texts() else instead
