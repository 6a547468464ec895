"""An explorer of games: what was played in a position, how often, with which result, by whom.

It is a DuckDB file, made by `build`, joined by `merge`, written for others by `export`, and asked by
`Explorer`; `annotate` adds scores and proved wins. All of it needs the extra ``explore``: ``pip install
'renju-engine[explore]'``. docs/explorer.md tells more.
"""

from renju.explorer.asking import Explorer, Played, Position
from renju.explorer.building import Report, build
from renju.explorer.exporting import export
from renju.explorer.joining import Known, annotate, merge

__all__ = ["Explorer", "Known", "Played", "Position", "Report", "annotate", "build", "export", "merge"]
