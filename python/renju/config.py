"""What the engine may do and how far: every limit, switch and score, one field each."""

from __future__ import annotations

import warnings
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from renju import _native
from renju._files import write_text
from renju._setting_fields import Settings
from renju._settings import SETTINGS
from renju.errors import FormatError

__all__ = ["LEVELS", "EngineConfig", "toml_values"]

LEVELS: tuple[str, ...] = _native.LEVELS
"""Names of the levels, weakest first."""


class EngineConfig(Settings):
    """Every setting of the engine. docs/settings.md lists them with their units and ranges, and
    docs/how-it-thinks.md tells what they do.

    >>> import renju
    >>> config = renju.EngineConfig.from_level("medium")
    >>> config.depth, config.vct, config.null_move, config.open_three
    (3, True, False, 1000)
    >>> config.replace(depth=5, open_three=900).depth
    5
    """

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            is_switch = SETTINGS[field.name].is_switch
            if type(value) is not (bool if is_switch else int):
                what = "True or False" if is_switch else "a whole number"
                raise TypeError(f"{field.name} is {what}, not {value!r}")
        _native.check_config(asdict(self))

    @classmethod
    def from_level(cls, level: str) -> EngineConfig:
        """The settings of a level, one of `LEVELS`."""
        if level not in LEVELS:
            raise ValueError(f"level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {level!r}")
        return cls(**_native.level_config(level))  # type: ignore[arg-type]  # switches are bool

    @classmethod
    def from_toml(cls, path: str | Path) -> EngineConfig:
        """Settings from the file at `path`: ``level = "hard"`` if wanted, then any fields in place of its
        own."""
        try:
            values = toml_values(Path(path).read_text(encoding="utf-8"))
            return cls.from_level(values.pop("level", "hard")).replace(**values)
        except (TypeError, ValueError) as error:
            raise FormatError(f"{path}: {error}") from None

    def to_toml(self, path: str | Path | None = None) -> str:
        """All settings as TOML text, each after its meaning as a comment; also written to `path` if given."""
        lines = []
        for name, value in asdict(self).items():
            known = SETTINGS[name]
            facts = f" ({known.facts})" if known.facts else ""
            lines += [f"# {known.doc}{facts}", f"{name} = {str(value).lower()}"]
        text = "\n".join(lines) + "\n"
        if path is not None:
            write_text(Path(path), text)
        return text

    def replace(self, **changes: Any) -> EngineConfig:
        """The same settings with other values, by name; `ValueError` for a setting that does not exist. A
        `UserWarning` tells of a value that has no effect because of another setting."""
        unknown = sorted(changes.keys() - SETTINGS.keys())
        if unknown:
            raise ValueError(f"there is no setting {unknown[0]!r}")
        changed = replace(self, **changes)
        inert = changed.inert()
        for name in changes:
            if name in inert and getattr(changed, name) != getattr(self, name):
                warnings.warn(f"{name} has no effect here: it needs {inert[name]}", stacklevel=2)
        return changed

    def inert(self) -> dict[str, str]:
        """The settings that have no effect on moves and scores under the others, each with the condition that
        is not met.

        >>> import renju
        >>> renju.EngineConfig.from_level("hard").replace(aspiration=False).inert()["aspiration_window"]
        'aspiration'
        """
        return dict(_native.inert_settings(asdict(self)))


def toml_values(text: str) -> dict[str, Any]:
    """The values of a TOML text; `ValueError` if the text is no TOML."""
    import tomllib  # for files alone; an engine needs none

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("the TOML is nested too deeply") from None
