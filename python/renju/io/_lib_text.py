"""The texts of RenLib libraries: written in the code page of their author, which the file does not name."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

__all__ = ["decode_all", "guess_encoding", "old_text", "text_encoding"]

# The code pages of the countries where renju is played, and what tells them apart.
_CODE_PAGES = ("cp932", "cp936", "cp1251", "cp1252")

# Looks the same in all encodings of bytes that are meant for people.
_PROBE = "A0+\\u0041\n"

# Enough text to know a language by.
_SAMPLE_BYTES = 1 << 16

# Comments from before the year of code pages are in seven bits, with Swedish letters for these signs.
_SWEDISH = str.maketrans("[\\]{|}", "ÄÖÅäöå")


def text_encoding(name: str) -> str:
    """The encoding's proper name; `ValueError` if there is none such, or none for text in bytes."""
    raw = _PROBE.encode()
    try:
        found = codecs.lookup(name).name
        alike = _PROBE.encode(found) == raw and raw.decode(found) == _PROBE
        b"\xe9A".decode(found, errors="replace")  # not with encodings for host names
    except (LookupError, ValueError):
        found, alike = "", False
    if not alike:
        raise ValueError(f"{name!r} is no encoding that a RenLib library can have")
    return found


def old_text(raw: bytes) -> str:
    """A comment of the oldest libraries."""
    return bytes(byte & 0x7F for byte in raw).decode("ascii").translate(_SWEDISH)


def decode_all(texts: list[bytes], encoding: str | None) -> tuple[list[str], list[int]]:
    """All texts of a file, and the places of those where characters had to be replaced.

    UTF-8 if all of the file is; then the encoding that was named, then the most plausible code page. A text
    that does not fit, in a file that others wrote to, may still be UTF-8.
    """
    odd = [text for text in texts if not text.isascii()]
    if all(_decodes(text, "utf-8") for text in odd):
        return [text.decode() for text in texts], []
    chosen = encoding or guess_encoding(odd)
    found, replaced = [], []
    for place, text in enumerate(texts):
        fitting = next((name for name in (chosen, "utf-8") if _decodes(text, name)), None)
        if fitting is None:
            replaced.append(place)
        found.append(text.decode(fitting or chosen, errors="replace"))
    return found, replaced


def _decodes(text: bytes, encoding: str) -> bool:
    try:
        text.decode(encoding)
    except UnicodeError:
        return False
    return True


def guess_encoding(texts: Iterable[bytes]) -> str:
    """The code page that makes the most sense of some bytes that are not UTF-8.

    >>> from renju.io._lib_text import guess_encoding
    >>> guess_encoding(["花月は必勝です".encode("cp932")]), guess_encoding(["花月必胜".encode("gbk")])
    ('cp932', 'cp936')
    >>> guess_encoding(["Чёрные победили".encode("cp1251")]), guess_encoding(["Müller går".encode("latin-1")])
    ('cp1251', 'cp1252')
    """
    sample: list[bytes] = []
    size = 0
    for text in texts:
        sample.append(text[: _SAMPLE_BYTES - size])
        size += len(sample[-1])
        if size >= _SAMPLE_BYTES:
            break
    scores = {page: sum(_plausibility(text, page) for text in sample) for page in _CODE_PAGES}
    return max(scores, key=lambda page: scores[page])


def _plausibility(text: bytes, page: str) -> float:
    """How much of a text's bytes above ASCII look like writing in this code page."""
    decoded = text.decode(page, errors="replace")
    if page == "cp1251":
        return _letters(decoded, _CYRILLIC, _CYRILLIC_WORD)
    if page == "cp1252":
        return _letters(decoded, _ACCENTED, _ACCENTED_WORD)
    score = 0.0
    for char in decoded:
        if not char.isascii():
            score += _double_byte(char, page)
    return score


# Letters of the alphabet, and whole words in it: with a capital at the start or throughout.
_CYRILLIC = re.compile("[А-Яа-яЁё]")
_CYRILLIC_WORD = re.compile(r"(?<!\w)(?:[А-ЯЁ]?[а-яё]+|[А-ЯЁ]+)(?!\w)")
_ACCENTED = re.compile("[À-ÖØ-öø-ÿŠšŽžŒœŸ]")
_ACCENTED_WORD = re.compile(
    r"(?<!\w)(?=\w*[A-Za-z])(?:[A-ZÀ-ÖØ-ÞŠŽŒŸ]?[a-zß-öø-ÿšžœ]+|[A-ZÀ-ÖØ-ÞŠŽŒŸ]+)(?!\w)"
)


def _letters(text: str, letter: re.Pattern[str], word: re.Pattern[str]) -> float:
    """Letters in words count, others little; what is no character counts against the code page."""
    good = sum(len(letter.findall(found[0])) for found in word.finditer(text))
    other = sum(not char.isascii() for char in text) - good
    return good - 0.1 * other - text.count("\ufffd")


def _double_byte(char: str, page: str) -> float:
    """What a character of two bytes says for a Japanese or Chinese code page."""
    if char == "\ufffd":
        return -2.0
    raw = char.encode(page, errors="replace")
    if len(raw) == 1:
        return -0.3  # half-width katakana: what Chinese looks like in the Japanese code page
    if page == "cp932":
        if "\u3041" <= char <= "\u30ff":
            return 2.2
        return 1.6 if 0x88 <= raw[0] <= 0x97 else 0.2
    if raw[0] >= 0xA1 and raw[1] >= 0xA1:  # GB2312 proper: first the common characters, by their sound
        return 1.8 if 0xB0 <= raw[0] <= 0xD7 else 0.5
    return 0.0
