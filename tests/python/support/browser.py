"""A real browser for the tests of pages: Chromium driven by playwright; tests skip where one is missing.

A test module takes the fixture with ``from browser import chromium as chromium``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

__all__ = ["chromium", "find_chromium"]

# No sandbox, because tests also run as root in containers; no traffic of the browser's own.
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    """The path in RENJU_CHROMIUM, else the Chromium of the system."""
    return os.environ.get("RENJU_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A running browser (playwright's Browser, synchronous), one per test module."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium found; name one in RENJU_CHROMIUM")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
