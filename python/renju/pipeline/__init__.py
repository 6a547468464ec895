"""Files in, a table out: every position of many games, analysed once, resumable, here or on a cluster.

>>> from pathlib import Path
>>> from renju import pipeline, samples
>>> _ = Path("games.txt").write_text("\\n".join(samples.games()[:3]))
>>> report = pipeline.run("games.txt", "wins.csv", ["vcf"], overwrite=True)
>>> report.games, report.positions, report.bad
(3, 86, 0)
>>> Path("wins.csv").read_text().splitlines()[20].split(",")[:4]
['games.txt', '1', 'games.txt:1', '19']

The columns are described in docs/batch.md; `SCHEMA_VERSION` counts their changes.
"""

from renju.pipeline.check import Check, check
from renju.pipeline.outputs import FORMS
from renju.pipeline.readers import FORMATS
from renju.pipeline.report import Report
from renju.pipeline.runner import run
from renju.pipeline.spec import JOBS, SCHEMA_VERSION, Spec

__all__ = ["FORMATS", "FORMS", "JOBS", "SCHEMA_VERSION", "Check", "Report", "Spec", "check", "run"]
