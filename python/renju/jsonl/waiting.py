"""The queries that wait: a queue with priorities that holds its reader back when it is full."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from threading import Condition, Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from renju.jsonl.task import Task

__all__ = ["MOST_WAITING", "Waiting"]

MOST_WAITING = 10_000
# Of their lines, however many these are.
_MOST_BYTES = 64 * 2**20


class Waiting:
    """Tasks, the highest priority first and the oldest first among equals."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        lock = Lock()
        self._has_room, self._has_tasks = Condition(lock), Condition(lock)
        # Priority, the highest as the lowest number; number of arrival; task.
        self._heap: list[tuple[int, int, Task]] = []
        self._arrived = 0
        self._bytes = 0
        self._is_closed = False

    def put(self, task: Task) -> bool:
        """Adds a task, once there is room; False if the queue is closed."""
        with self._has_room:
            self._has_room.wait_for(lambda: self._is_closed or not self._is_full())
            if self._is_closed:
                return False
            self._arrived += 1
            self._bytes += task.query.size
            heapq.heappush(self._heap, (-task.query.priority, self._arrived, task))
            self._has_tasks.notify()
            return True

    def take(self) -> Task | None:
        """The next task, once there is one; None if the queue is closed."""
        with self._has_tasks:
            self._has_tasks.wait_for(lambda: self._is_closed or self._heap)
            if self._is_closed:
                return None
            _, _, task = heapq.heappop(self._heap)
            self._bytes -= task.query.size
            self._has_room.notify_all()
            return task

    def remove(self, is_unwanted: Callable[[Task], bool]) -> list[Task]:
        """Takes all tasks out of which this holds, the oldest first."""
        with self._has_room:
            unwanted = [entry for entry in self._heap if is_unwanted(entry[2])]
            if unwanted:
                gone = {number for _, number, _ in unwanted}
                self._heap = [entry for entry in self._heap if entry[1] not in gone]
                heapq.heapify(self._heap)
            removed = [task for _, _, task in sorted(unwanted, key=lambda entry: entry[1])]
            self._bytes -= sum(task.query.size for task in removed)
            self._has_room.notify_all()
            return removed

    def close(self) -> None:
        """Forgets all tasks and takes no more; whoever waits goes on."""
        with self._has_room:
            self._is_closed = True
            self._heap.clear()
            self._has_room.notify_all()
            self._has_tasks.notify_all()

    def __len__(self) -> int:
        return len(self._heap)

    def _is_full(self) -> bool:
        return len(self._heap) >= self._most or self._bytes >= _MOST_BYTES
