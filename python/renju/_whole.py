"""Whether the files of this package are all its own; importing this module raises `ImportError` if not.

Another distribution, `renju`, installs into the same folder. Installed after this one it replaces
`__init__.py` and `board.py`; uninstalled, it takes them away. What is left is a package that fails somewhere,
or a namespace without names. Nearly every module imports `renju._types`, and that imports this one.
"""

import renju

__all__: list[str] = []

if getattr(renju, "_DISTRIBUTION", None) != "renju-engine":
    raise ImportError(
        "the package folder of renju-engine was changed by another distribution, `renju`, which uses the "
        "same name: its files took the place of some of ours, or took them away. Mend it by `pip uninstall "
        "renju renju-engine` and a new installation of renju-engine alone"
    )
