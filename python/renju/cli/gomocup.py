"""`renju gomocup`: a program for Gomocup and Piskvork managers."""

from __future__ import annotations

import argparse

__all__ = ["add_gomocup"]


def add_gomocup(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    gomocup = commands.add_parser("gomocup", help="play for a Gomocup or Piskvork manager")
    gomocup.set_defaults(run=_gomocup)


def _gomocup(_: argparse.Namespace) -> int:
    from renju.protocol import main as serve_manager

    return serve_manager()
