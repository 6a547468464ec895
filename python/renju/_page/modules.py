"""Modules of the page as one script, for a file that is opened from a disk.

A browser loads no module from a disk, and a policy that allows modules of data: addresses allows every
script. So the modules are joined: each becomes a function that gives what it exports, called after those that
it imports. One script is left, and the policy of the page names its digest. The modules stay as they are and
the page needs no build; what they may use of the syntax is little and is checked.

>>> from renju._page.modules import joined
>>> first = 'import { b } from "./b.js";\\nb();\\n'
>>> print(joined({"a.js": first, "b.js": "export const b = () => 1;\\n"}, "a.js"))
"use strict";
(() => {
const modules = {};
modules["b.js"] = (() => {
const b = () => 1;
return { b };
})();
modules["a.js"] = (() => {
const { b } = modules["b.js"];
b();
return {  };
})();
})();
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["joined"]

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "\./([\w.-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^\s*(?:import|export)\b.*|\bimport\s*\(.*|\bimport\.meta\b.*", re.MULTILINE)


def joined(modules: Mapping[str, str], start: str) -> str:
    """One script that does what the module `start` does. Key of `modules`: the name of the file; value: its
    text.

    `ValueError` for what is no import or export of the plain kinds, a module that is missing, and a circle.
    """
    done: dict[str, str] = {}
    _add(modules, start, done, ())
    return '"use strict";\n(() => {\nconst modules = {};\n' + "".join(done.values()) + "})();\n"


def _add(modules: Mapping[str, str], name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Adds a module after all that it needs; `above` are those that wait for it."""
    if name in above:
        raise ValueError(f"modules import each other: {' → '.join([*above, name])}")
    if name in done:
        return
    if name not in modules:
        raise ValueError(f"{above[-1] if above else 'the page'} imports {name}, which is missing")
    text = modules[name]
    exports = _EXPORT.findall(text)
    plain = _EXPORT.sub("", _IMPORT.sub("", text))
    if other := _OTHER.search(plain):
        raise ValueError(f"{name}: this is neither a plain import nor a plain export: {other[0].strip()}")
    for _, _, needed in _IMPORT.findall(text):
        _add(modules, needed, done, (*above, name))
    body = _EXPORT.sub("", _IMPORT.sub(_constant, text))
    done[name] = f'modules["{name}"] = (() => {{\n{body}return {{ {", ".join(exports)} }};\n}})();\n'


def _constant(found: re.Match[str]) -> str:
    """The import as a constant; ``a as b`` is ``a: b``."""
    names, whole, needed = found.groups()
    taken = (
        whole
        or "{ "
        + ", ".join(re.sub(r"\s+as\s+", ": ", name.strip()) for name in names.split(",") if name.strip())
        + " }"
    )
    return f'const {taken} = modules["{needed}"];'
