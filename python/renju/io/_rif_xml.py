"""Tags and text of an XML file, however dirty, one after the other.

Real files have bytes of other encodings, names of HTML such as ``&copy;``, and broken tags; a strict parser
stops at the first of them. This one knows no entities but those of HTML, which stand for a character or two,
and never opens another file. So a file cannot grow while it is read; one that declares entities is refused.
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO

from renju.errors import FormatError

__all__ = ["MOST_TAG_CHARS", "Tag", "scan", "unescape"]

MOST_TAG_CHARS = 1 << 16
"""Longer tags are no tags."""

_CHUNK_BYTES = 1 << 16

# Quotes may hold ">" but never "<". All loops are possessive, and names are looked for only where they begin:
# no way back, no quadratic time.
_TAG = re.compile(r"""<(/?)([A-Za-z_][\w.:-]*+)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>""")
_BROKEN_TAG = re.compile(r"<(/?)([A-Za-z_][\w.:-]*+)([^<>]*+)>")
_ATTRIBUTE = re.compile(
    r"""(?<![\w.:-])([A-Za-z_][\w.:-]*+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'/>]++))"""
)
_MARKUP = re.compile(r"<(?=[A-Za-z_/!?])")
_DECLARED_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
# The number of a character, with more digits than Python makes a number of.
_NO_CHARACTER = re.compile(r"&#[0-9]{1000,}+;?")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

# What a database may say of itself; anything else is read as UTF-8.
_ENCODINGS = re.compile(
    r"utf-?8|us-ascii|ascii|latin-?1|iso-?8859-?\d+|(windows-|cp)\d+|koi8-[ru]|shift_jis|euc-(jp|kr)|gb\w+|big5",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Tag:
    """A start or an end of an element, with its line."""

    name: str
    """The name of the element in lower case."""
    line: int
    """The number of the line in the file, from 1."""
    is_end: bool = False
    """Whether the tag ends the element."""
    is_empty: bool = False
    """Whether the element has no content, as in `<br/>`."""
    attributes: dict[str, str] = field(default_factory=dict)
    """Key: the name of an attribute in lower case; value: its text."""


def unescape(text: str) -> str:
    """With the characters that entities stand for; control characters become spaces."""
    return _CONTROL.sub(" ", html.unescape(_NO_CHARACTER.sub("\ufffd", text.replace("]]>", ""))))


def scan(file: IO[bytes], problem: Callable[[int, str], None]) -> Iterator[Tag | str]:
    """The tags and the pieces of text between them. Names and attributes are in lower case.

    `problem` is told the line and the reason of what had to be passed over.
    """
    yield from _Scanner(file, problem).tokens()


class _Scanner:
    def __init__(self, file: IO[bytes], problem: Callable[[int, str], None]) -> None:
        first = file.read(_CHUNK_BYTES)
        if not isinstance(first, bytes):
            raise TypeError("a RIF database is read from a file opened in binary mode")
        self._file = file
        self._problem = problem
        self._decode = self._decoder(first)
        self._buffer = self._decode(first)
        self._at = 0
        self._line = 1
        self._ended = not first

    def _decoder(self, start: bytes) -> Callable[[bytes], str]:
        name = "utf-8"
        for mark, marked in (
            (codecs.BOM_UTF8, "utf-8-sig"),
            (codecs.BOM_UTF16_LE, "utf-16"),
            (codecs.BOM_UTF16_BE, "utf-16"),
        ):
            if start.startswith(mark):
                name = marked
        declared = _DECLARED_ENCODING.match(start)
        if declared:
            told = declared[1].decode("ascii")
            try:
                if not _ENCODINGS.fullmatch(told):
                    raise LookupError
                name = codecs.lookup(told).name
            except LookupError:
                self._problem(1, f"the encoding {told!r} is not known; read as UTF-8")
        decoder = codecs.getincrementaldecoder(name)(errors="replace")
        return lambda data: decoder.decode(data, final=not data)

    def _more(self) -> bool:
        """Reads on; what was used is forgotten. False at the end of the file."""
        if self._ended:
            return False
        data = self._file.read(_CHUNK_BYTES)
        self._ended = not data
        self._buffer = self._buffer[self._at :] + self._decode(data)
        self._at = 0
        return True

    def _take(self, end: int) -> str:
        taken = self._buffer[self._at : end]
        self._at = end
        self._line += taken.count("\n")
        return taken

    def tokens(self) -> Iterator[Tag | str]:
        while True:
            found = _MARKUP.search(self._buffer, self._at)
            # The last character may be a "<" whose tag is still to come.
            end = found.start() if found else len(self._buffer) - self._buffer.endswith("<")
            if end > self._at:
                yield self._take(end)
            if found:
                yield from self._markup()
            elif not self._more():
                return

    def _markup(self) -> Iterator[Tag]:
        """What begins with the "<" we are at."""
        while len(self._buffer) - self._at < 9 and self._more():
            pass
        rest = self._buffer[self._at : self._at + 9]
        if rest.startswith("<!--"):
            self._skip_past("-->")
        elif rest.startswith("<?"):
            self._skip_past("?>")
        elif rest.upper() == "<![CDATA[":
            self._take(self._at + 9)  # its text is text
        elif rest.startswith("<!"):
            self._declaration()
        else:
            yield from self._tag()

    def _skip_past(self, end: str) -> None:
        line = self._line
        while (found := self._buffer.find(end, self._at)) < 0:
            self._take(max(self._at, len(self._buffer) - len(end) + 1))
            if not self._more():
                self._problem(line, f"the file ends before a {end!r}")
                self._take(len(self._buffer))
                return
        self._take(found + len(end))

    def _declaration(self) -> None:
        """A document type, which says nothing to us. Entities could make a small file an endless one."""
        line = self._line
        while (end := self._buffer.find(">", self._at)) < 0:
            if len(self._buffer) - self._at > MOST_TAG_CHARS or not self._more():
                end = len(self._buffer) - 1
                break
        if re.search(r"<!\s*ENTITY", self._take(end + 1), re.IGNORECASE):
            raise FormatError(f"line {line}: the file declares entities, which is refused")

    def _tag(self) -> Iterator[Tag]:
        while True:
            found = _TAG.match(self._buffer, self._at)
            if found:
                break
            is_last = self._buffer.find("<", self._at + 1) < 0
            if is_last and len(self._buffer) - self._at <= MOST_TAG_CHARS and self._more():
                continue  # the rest of it was still to come
            found = _BROKEN_TAG.match(self._buffer, self._at)
            self._problem(self._line, "a broken tag")
            if found is None:
                self._take(self._at + 1)  # what follows is text
                return
            break
        line = self._line
        self._take(found.end())
        slash, name, attributes = found.groups()
        values: dict[str, str] = {}
        for attribute, double, single, bare in _ATTRIBUTE.findall(attributes):
            values.setdefault(attribute.lower(), unescape(double or single or bare))
        yield Tag(name.lower(), line, bool(slash), attributes.endswith("/"), values)
