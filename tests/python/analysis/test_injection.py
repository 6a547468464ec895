"""Files are damaged, and the system fails: a part of what corruption.py and faults.py do at length."""

from __future__ import annotations

from collections import Counter

import pytest

from harness import corruption, faults
from harness.injection import workplace


@pytest.mark.slow
def test_damage_is_found_or_does_no_harm() -> None:
    with workplace():
        cases = corruption.Cases(stride=9)
        outcomes = Counter(cases.run(16, case)[2] for case in range(150))
    assert {*outcomes} == {"harmless", "redone", "refused"}


@pytest.mark.slow
def test_faults_of_the_system_are_told_and_cost_nothing() -> None:
    with workplace():
        cases = faults.Cases(stride=29)
        outcomes = Counter(cases.run(16, case)[2] for case in range(100))
    assert {*outcomes} == {"told, resumed", "went on"}
