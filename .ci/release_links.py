"""Makes a checkout fit to publish: absolute links in the README, and addresses in the metadata.

    python .ci/release_links.py https://example.org/owner/renju v0.1.0

The repository does not know where it is hosted; whoever releases it does. Relative links of the README are
dead on the package index, so they become links to the files of this release, and pyproject.toml and
Cargo.toml get the addresses. Nothing else changes. Run it on a checkout that is thrown away.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READMES = ("README.md", "README.ja.md")
_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def absolute(markdown: str, address: str, version: str) -> str:
    """The text with its relative links as addresses of files of this version."""
    return _LINK.sub(lambda link: f"]({address}/blob/{version}/{link[1]})", markdown)


def with_urls(project: str, address: str, version: str) -> str:
    """The text of pyproject.toml with `[project.urls]`."""
    urls = {
        "Source": address,
        "Documentation": f"{address}/blob/{version}/docs/index.md",
        "Changelog": f"{address}/blob/{version}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    table = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    before, mark, after = project.partition("[project.scripts]\n")
    if not mark or "[project.urls]" in project:
        raise ValueError(
            "pyproject.toml has [project.urls] already, or no [project.scripts] to put it before"
        )
    return f"{before}[project.urls]\n{table}\n{mark}{after}"


def with_repository(crate: str, address: str) -> str:
    """The text of Cargo.toml with the repository of the crate."""
    if re.search(r"^repository\b", crate, re.MULTILINE):
        raise ValueError("Cargo.toml has a repository already")
    return crate.replace('readme = "README.md"\n', f'readme = "README.md"\nrepository = "{address}"\n', 1)


def main(address: str, version: str) -> int:
    """Rewrites the files."""
    address = address.rstrip("/")
    for name in READMES:
        path = ROOT / name
        path.write_text(absolute(path.read_text(encoding="utf-8"), address, version), encoding="utf-8")
    project, crate = ROOT / "pyproject.toml", ROOT / "Cargo.toml"
    project.write_text(with_urls(project.read_text(encoding="utf-8"), address, version), encoding="utf-8")
    crate.write_text(with_repository(crate.read_text(encoding="utf-8"), address), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
