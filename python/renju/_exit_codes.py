"""The exit codes of the programs."""

__all__ = ["BAD_INPUT", "DONE", "INTERRUPTED", "REFUTED", "UNKNOWN"]

DONE = 0
"""The command did what it was asked for, or the win is proved."""
REFUTED = 1
"""The answer is no: there is no such win, or some part of the input has faults."""
BAD_INPUT = 2
"""The command line or a file is wrong; the message says where."""
UNKNOWN = 3
"""A limit came before an answer."""
INTERRUPTED = 130
"""Ctrl-C ended the command: what a shell tells of a command that SIGINT killed."""
