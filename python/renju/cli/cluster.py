"""A Dask cluster that does the work of a command."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from renju.limits import check_seconds

__all__ = ["add_cluster", "cluster"]

# So long a cluster is given to say good-bye.
_CLOSE_S = 2.0


def add_cluster(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--scheduler", metavar="ADDRESS", help="run on this Dask cluster, such as tcp://host:8786"
    )
    group.add_argument(
        "--cluster-timeout",
        type=float,
        metavar="S",
        help="most seconds without an answer of the scheduler, or without a worker (default: a minute)",
    )


@contextmanager
def cluster(options: argparse.Namespace) -> Iterator[tuple[Any, float]]:
    """The client of the cluster that the arguments of `add_cluster` name, None if they name none, and the
    seconds for which it may be without workers."""
    from renju.pipeline.hands import CLUSTER_TIMEOUT_S

    timeout = CLUSTER_TIMEOUT_S if options.cluster_timeout is None else options.cluster_timeout
    if not options.scheduler:
        yield None, timeout
        return
    check_seconds("cluster-timeout", timeout)
    client = _client(options.scheduler, timeout)
    try:
        yield client, timeout
    finally:
        client.close(_CLOSE_S)


def _client(address: str, timeout: float) -> Any:
    try:
        import distributed
    except ImportError:
        raise ValueError("--scheduler needs Dask: pip install 'renju-engine[dask]'") from None
    # What matters to the run comes as an error; the rest would be lines of a log between ours.
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    make: Any = distributed.Client
    try:
        return make(address, timeout=timeout)
    except (OSError, ValueError, TypeError) as error:
        raise OSError(f"--scheduler {address}: {str(error) or type(error).__name__}") from None
