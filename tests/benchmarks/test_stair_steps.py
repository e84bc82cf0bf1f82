"""Steps on stairs: treads, places on them, skipped treads and cadence."""

import numpy as np
import pytest

from footfall.benchmarks.measures.stair_steps import StairSteps, stair_steps
from footfall.core.labelling import label_clip
from footfall.core.motion.contacts import FootContacts
from footfall.tests.support.walker import Walker


def steps(treads: list[int], offsets: list[float], margins: list[float] | None = None) -> StairSteps:
    times = 0.6 * np.arange(len(treads))
    return StairSteps(np.array(treads), np.array(offsets), np.array(margins or [0.1] * len(treads)), times, 5)


def test_skipped_and_repeated_treads_are_uneven() -> None:
    assert steps([1, 2, 3, 4, 5], [0.0] * 5).uneven_count == 0
    assert steps([1, 3, 3, 4], [0.0] * 4).uneven_count == 2


def test_a_walker_steps_where_treads_of_its_own_step_length_are() -> None:
    walker = Walker(seconds=10.0)
    clip = walker.clip()
    contacts = FootContacts(label_clip(clip).contacts.astype(float))
    roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
    travel = roots[-1] - roots[0]
    direction, length = travel / np.linalg.norm(travel), walker.speed * walker.cycle / 2
    start = float(roots[120] @ direction)
    found = stair_steps(clip, contacts, start + length * np.arange(6), direction)
    assert found.uneven_count == 0 and len(found.treads) >= 5
    assert np.ptp(found.offsets) < 0.03
    assert found.cadence == pytest.approx(120 / walker.cycle, rel=0.03)
    skipping = stair_steps(clip, contacts, start + length / 2 * np.arange(12), direction)
    assert skipping.uneven_count == len(skipping.treads) - 1
