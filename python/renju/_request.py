"""The fields of a JSON object that asks for something: read strictly, so that nothing is misunderstood."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from typing import Any

__all__ = ["Fields", "Object", "RequestError", "parse_object", "quoted"]

# An error tells no more of what it quotes, and no more at all.
_MOST_QUOTED, _MOST_TEXT = 60, 500
# Longer numbers are slow to read; none here needs more.
_MOST_DIGITS = 20


class RequestError(ValueError):
    """A request that cannot be read. `field` is the path to what is wrong, such as "limit.nodes", and
    `column` the place in the text."""

    def __init__(self, text: str, field: str | None = None, column: int | None = None) -> None:
        super().__init__(text)
        self.field = field
        self.column = column

    def facts(self, line: int) -> dict[str, object]:
        """What is wrong, and where."""
        text = str(self)
        facts = {
            "error": text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}...",
            "field": self.field,
            "line": line,
            "column": self.column,
        }
        return {name: fact for name, fact in facts.items() if fact is not None}


class Object(dict[str, Any]):
    """A JSON object that remembers whether it was a proper one."""

    doubles: tuple[str, ...] = ()
    """Names that were given twice."""


def parse_object(text: str) -> Object:
    """The JSON object of a text; `RequestError` if the text holds something else."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise RequestError(f"this is no JSON: {error.msg}", column=error.colno) from None
    except RecursionError:
        raise RequestError("this is nested too deeply") from None
    if not isinstance(value, Object):
        raise RequestError(f"a request is an object in braces, not {quoted(value)}")
    return value


def _object(pairs: list[tuple[str, Any]]) -> Object:
    values = Object(pairs)
    if len(values) < len(pairs):
        values.doubles = tuple(
            name for name, count in Counter(name for name, _ in pairs).items() if count > 1
        )
    return values


def _integer(text: str) -> float:
    """A number; one with too many digits to be meant as it stands is no whole one, as in JavaScript."""
    return int(text) if len(text) <= _MOST_DIGITS else float(text)


def quoted(value: Any) -> str:
    """A value in an error: short, and whatever it holds."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, str) and len(value) > _MOST_QUOTED:
        value = f"{value[:_MOST_QUOTED]}..."
    return json.dumps(value, ensure_ascii=False)


class Fields:
    """The fields of an object, each taken with its type. One that is null counts as not given."""

    def __init__(self, values: Object, known: Collection[str] | None = None, path: str = "") -> None:
        """`RequestError` if there is a field that is not `known`, or given twice; without `known` any name
        will do."""
        self._values = values
        self._path = path
        for name in values.doubles:
            raise RequestError(f"{quoted(name)} is given twice", self.path(name))
        for name in values:
            if known is not None and name not in known:
                near = get_close_matches(name, known, n=1)
                hint = f"; did you mean {quoted(near[0])}?" if near else ""
                raise RequestError(f"there is no field {quoted(name)}{hint}", self.path(name))

    def path(self, name: str) -> str:
        """The name of a field from the top."""
        return f"{self._path}{name}"[:_MOST_QUOTED]

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._values if name in self)

    def any(self, name: str) -> Any:
        return self._values.get(name)

    def one_of(self, name: str, known: Iterable[str]) -> str | None:
        """The value of a field that must be one of some texts; None if it is not given."""
        known = tuple(known)
        value = self.any(name)
        if value is None or (isinstance(value, str) and value in known):
            return value
        raise RequestError(
            f"{name} is {', '.join(map(quoted, known[:-1]))} or {quoted(known[-1])}, not {quoted(value)}",
            self.path(name),
        )

    def switch(self, name: str, default: bool = False) -> bool:
        value = self._typed(name, "true or false", bool)
        return default if value is None else value

    def integer(self, name: str, least: int | None = None, most: int | None = None) -> int | None:
        """A whole number in a range."""
        value: int | None = self._typed(name, "a whole number", int)
        if value is None or ((least is None or value >= least) and (most is None or value <= most)):
            return value
        raise RequestError(f"{name} is a number from {least} to {most}, not {value}", self.path(name))

    def number(self, name: str) -> float | None:
        value: float | None = self._typed(name, "a number", int, float)
        return value

    def text(self, name: str, most: int) -> str:
        """A text of at most `most` characters, empty if it is not given."""
        value: str = self._typed(name, "a text", str) or ""
        if len(value) > most:
            raise RequestError(f"{name} is longer than {most:,} characters", self.path(name))
        return value

    def texts(self, name: str, most: int) -> list[str]:
        """A list of at most `most` texts, empty if it is not given."""
        values: list[Any] = self._typed(name, "a list of texts", list) or []
        if len(values) > most:
            raise RequestError(f"{name} has more than {most:,} items", self.path(name))
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise RequestError(
                    f"{name} is a list of texts, not of {quoted(value)}", f"{self.path(name)}[{index}]"
                )
        return values

    def object(self, name: str, known: Collection[str] | None = None) -> Fields:
        """The fields of an object within this one; none if it is not given."""
        values = self._typed(name, "an object", Object) or Object()
        return Fields(values, known, f"{self.path(name)}.")

    def _typed(self, name: str, what: str, *kinds: type) -> Any:
        value = self.any(name)
        # Not `isinstance`: true is no number.
        if value is None or type(value) in kinds:
            return value
        raise RequestError(f"{name} is {what}, not {quoted(value)}", self.path(name))
