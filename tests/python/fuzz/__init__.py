"""Readers of everything, fed with what nobody would write. `make fuzz` runs it; see `run.py`."""
