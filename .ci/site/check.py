"""What the strict mode of MkDocs does not see: `python .ci/site/check.py target/site`.

Every link of the built pages leads to a page and an anchor that exist, no page asks another host for
anything, and every parameter in the reference is described.
"""

from __future__ import annotations

import re
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What stands for a parameter that nothing describes.
NOTHING: str = tomllib.loads((Path(__file__).parent / "parameters.toml").read_text(encoding="utf-8"))[""]
LEAST_PAGES = 40
# Elements that load something by themselves, with the attribute that says what.
LOADS = {("link", "href"), ("use", "href")}
LOADS |= {(tag, "src") for tag in ("script", "img", "iframe", "source")}
# Kinds of <link> that load nothing.
PLAIN = {"canonical", "next", "prev", "alternate"}


class Page(HTMLParser):
    """The anchors of a page, where it leads to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        for name, value in found.items():
            if (tag, name) in LOADS and found.get("rel") not in PLAIN:
                self.loads.append(value)
                self.links.append(value)


def faults(site: Path, least: int = LEAST_PAGES) -> list[str]:
    """What is wrong with the pages of a folder, which has at least so many, a line each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if len(pages) < least:
        return [f"{site}: only {len(pages)} pages"]
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        if path.name == "404.html":  # its links are meant for a server
            continue
        found += [f"{name}: loads {load}" for load in page.loads if urlsplit(load).netloc]
        found += [f"{name}: {link} leads nowhere" for link in page.links if not _exists(link, path, pages)]
        if (count := path.read_text(encoding="utf-8").count(NOTHING)) > 0:
            found.append(f"{name}: {count} parameters that nothing tells of: see .ci/site/parameters.toml")
    for path in sorted(site.rglob("*.css")):
        for url in re.findall(r"(?:url\(|@import)\s*[\"']?(https?:|//)", path.read_text(encoding="utf-8")):
            found.append(f"{path.relative_to(site)}: loads from {url}")
    return found


def _exists(link: str, path: Path, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True  # whether another host answers is nothing that a build may depend on
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return False
    anchor = unquote(parts.fragment)
    return not anchor or target not in pages or anchor in pages[target].anchors or anchor == "__top"


def main(folder: str) -> int:
    """The exit code: 1 if something is wrong."""
    site = Path(folder).resolve()
    found = faults(site)
    for fault in found:
        print(f"error: {fault}", file=sys.stderr)
    if not found:
        print(f"{len(list(site.rglob('*.html')))} pages without a fault in {folder}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
