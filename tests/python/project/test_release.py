"""The workflow of a release: what it runs is fixed, and what it publishes was asked before."""

from __future__ import annotations

import re

import pytest

from support import ROOT

WORKFLOWS = ROOT / ".github" / "workflows"

pytestmark = pytest.mark.skipif(not WORKFLOWS.is_dir(), reason="a source distribution has no workflows")


def jobs() -> dict[str, list[str]]:
    """The steps of each job, as text."""
    _, text = (WORKFLOWS / "wheels.yml").read_text(encoding="utf-8").split("\njobs:\n")
    parts = re.split(r"^  ([\w-]+):\n", text, flags=re.MULTILINE)[1:]
    return {
        name: re.split(r"^      - ", body, flags=re.MULTILINE)
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def test_actions_are_named_by_their_hash() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS.iterdir())
    uses = re.findall(r"uses:(.*)", text)
    assert len(uses) > 10
    for action in uses:
        assert re.fullmatch(r" [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_one_action_has_one_hash() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS.iterdir())
    pins = {*re.findall(r"uses: (\S+)@(\S+) # (\S+)", text)}
    assert len({name for name, _, _ in pins}) == len(pins)


def test_every_wheel_is_asked_before_it_is_kept() -> None:
    builders = {name: steps for name, steps in jobs().items() if any("Build wheel" in step for step in steps)}
    assert builders.keys() == {"linux", "macos", "windows"}
    for name, steps in builders.items():
        kept = next(n for n, step in enumerate(steps) if "upload-artifact@" in step)
        built = next(n for n, step in enumerate(steps) if "Build wheel" in step)
        asked = [n for n, step in enumerate(steps) if "check_wheel.py dist --wheel-only" in step]
        assert asked, name
        assert built < min(asked), name
        assert max(asked) < kept, name
    # Under Linux either question is asked, by the library that the wheel is for.
    libraries = {*re.findall(r"name: (\w+), policy", "".join(builders["linux"]))}
    conditions = [re.findall(r"if: matrix\.libc\.name == '(\w+)'", step) for step in builders["linux"]]
    assert {name for found in conditions for name in found} == libraries == {"manylinux", "musllinux"}
    for name in ("macos", "windows"):
        assert not any("if:" in step for step in builders[name])


def test_a_release_waits_for_all_jobs() -> None:
    found = jobs()
    (needs,) = re.findall(r"needs: \[(.*)\]", "".join(found["release"]))
    assert {*needs.split(", ")} == found.keys() - {"release"}
    assert {"audit-rust", "audit-python"} <= found.keys()
    for name, steps in found.items():
        assert name == "release" or not any("publish" in step for step in steps)
        assert not any("continue-on-error" in step for step in steps)
