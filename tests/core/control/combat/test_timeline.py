"""Timelines: what is made, and when something new may begin, is counted in frames."""

from collections.abc import Generator

import numpy as np
import pytest

from footfall.core.control.combat import timeline
from footfall.core.control.combat.guard import guard_pose, hold_guard
from footfall.core.control.combat.guard_steps import settle_into, step_over
from footfall.core.control.combat.strike_takes import StrikeTake
from footfall.core.control.combat.timeline import Timeline
from footfall.core.control.path.path import Path
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.tests.support.poses import puncher
from footfall.tests.support.steps import run

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
TAKE = StrikeTake.of(PUNCH, BLOW, len(PUNCH))
GUARD = guard_pose([TAKE])
PLACE, YAW = np.array([1.0, 2.0]), 0.5
APEX = TAKE.blow.apex


def line() -> Timeline:
    return Timeline("walks", GUARD, PLACE, YAW)  # type: ignore[arg-type]


def held(frames: int, place: Array = PLACE, yaw: float = YAW) -> Clip:
    return hold_guard(GUARD, place, yaw, frames)


def assert_same(first: Clip, second: Clip) -> None:
    assert len(first) == len(second)
    np.testing.assert_allclose(first.root_positions, second.root_positions, atol=1e-12)
    np.testing.assert_allclose(first.rotations, second.rotations, atol=1e-12)


def test_it_begins_with_nothing_at_its_place() -> None:
    own = line()
    assert len(own.made) == 0 and own.busy == 0 and own.yaw == YAW
    np.testing.assert_array_equal(own.place, PLACE)


def test_it_is_extended_by_its_guard_and_never_cut_by_that() -> None:
    own = line()
    own.extend(50)
    assert_same(own.made, held(50))
    assert own.made.name == "duel" and own.busy == 0
    made = own.made
    for frames in (50, 20):
        own.extend(frames)
        assert own.made is made
    own.extend(51)
    assert_same(own.made, settle_into(made, held(1), 0.6))
    own.extend(100)
    assert len(own.made) == 100


@pytest.mark.parametrize(("frame", "hold"), [(APEX + 4, 4), (APEX + 11, 11), (APEX + 18, 18), (APEX + 50, 18)])
def test_an_attack_is_stepped_to_in_18_frames_or_what_there_is(frame: int, hold: int) -> None:
    own, target, guard = line(), np.array([1.0, 2.6, 1.4]), np.array([1.0, 1.9])
    begin = own.attack(TAKE, target, YAW, frame, guard)
    assert begin == frame - APEX
    placed, before = TAKE.at(target, YAW), begin - hold
    np.testing.assert_allclose(own.made.positions[frame], placed.positions[APEX], atol=1e-9)
    assert len(own.made) == begin + len(placed) + 72
    assert_same(own.made.cut(0, before), held(before))
    gone = hold + TAKE.blow.start
    np.testing.assert_allclose(own.made.rotations[before + gone], placed.rotations[gone - hold], atol=1e-9)
    if before:  # it goes over to the take exactly until the blow begins
        np.testing.assert_allclose(own.made.rotations[before + gone - 1], placed.rotations[gone - hold - 1], atol=1e-9)
        assert not np.allclose(
            own.made.rotations[before + gone - 3], placed.rotations[max(gone - hold - 3, 0)], 0, 1e-9
        )
    assert own.busy == frame + 10 and own.yaw == YAW
    np.testing.assert_array_equal(own.place, guard)
    np.testing.assert_allclose(own.made.positions[-36:], held(72, guard).positions[-36:], atol=1e-9)
    moving = np.linalg.norm(own.made.positions[-37] - held(72, guard).positions[-37], axis=-1).max()
    assert moving < 1e-9, "the step back ends after 36 frames"
    moving = np.linalg.norm(own.made.positions[-40] - held(72, guard).positions[-40], axis=-1).max()
    assert moving > 1e-6, "and not before"


def test_what_is_held_before_an_attack_is_its_first_pose() -> None:
    own = line()
    own.extend(30)
    own.busy = 30
    own.attack(TAKE, np.array([1.0, 2.6]), YAW, 30 + APEX + 9, PLACE)
    placed = TAKE.at(np.array([1.0, 2.6]), YAW)
    first = Clip(placed.skeleton, placed.rate, *(x[:1].repeat(9, 0) for x in (placed.root_positions, placed.rotations)))
    whole = Clip(
        placed.skeleton,
        placed.rate,
        np.concatenate([first.root_positions, placed.root_positions]),
        np.concatenate([first.rotations, placed.rotations]),
    )
    expected = settle_into(held(30), whole, (9 + TAKE.blow.start) / 60.0)
    assert_same(own.made.cut(0, len(expected)), expected)


def test_a_mark_brings_it_back_whatever_came_after() -> None:
    own = line()
    own.attack(TAKE, np.array([1.0, 2.6]), YAW, 60, PLACE)
    mark, made = own.mark(), own.made
    assert mark.busy == 70 and len(mark.roots) == len(mark.rotations) == len(made) - 70
    own.step_to(PLACE + 0.3, 1.0, 75)
    again = own.back_at(mark)
    assert_same(again.made, made)
    assert again.busy == 70 and again.yaw == YAW
    np.testing.assert_array_equal(again.place, PLACE)
    assert own.yaw == 1.0 and len(own.made) == 75 + 72, "the other one goes on by itself"


WAY = np.array([0.0, 1.0]) * np.minimum(np.arange(100) / 80.0, 1.0)[:, None]
"""A second of a walk, and a third of standing at its end."""


def walked(*told: object) -> Generator[int, None, tuple[Clip, Array, float]]:
    """A walk of 100 frames, 20 of which it stands at its end, with what it was told in its name."""
    WALKS.append(told)
    yield 50
    yield 100
    clip = GUARD.at(np.zeros(100))
    roots = clip.root_positions + np.column_stack([WAY, np.zeros(100)])
    return Clip(clip.skeleton, clip.rate, roots, clip.rotations), np.array([0.0, 1.0]), 0.25


WALKS: list[tuple[object, ...]] = []


@pytest.fixture
def _walks(monkeypatch: pytest.MonkeyPatch) -> None:
    WALKS.clear()
    monkeypatch.setattr(timeline, "walk_in_steps", walked)


@pytest.mark.usefixtures("_walks")
def test_a_walk_at_the_beginning_goes_straight_off_and_ends_standing() -> None:
    own = line()
    told, there = run(own.walk_to(np.array([1.0, 5.0]), None))
    assert told == [50, 100] and there == own.busy == len(own.made) == 100
    (_, path, pause), *_ = WALKS
    assert pause == 0.0 and isinstance(path, Path)
    np.testing.assert_allclose(path.points[[0, -1]], [PLACE, [1.0, 5.0]], atol=1e-6)
    assert abs(path.yaws[0]) < 0.01, "along the way, not as it faces"
    assert own.yaw == 0.25
    np.testing.assert_array_equal(own.place, [0.0, 1.0])


@pytest.mark.usefixtures("_walks")
def test_a_walk_to_another_character_ends_in_guard_that_faces_it() -> None:
    own = line()
    _, there = run(own.walk_to(np.array([1.0, 5.0]), np.array([-1.0, 1.0])))
    # 3 cm before the end are 2.4 frames: frame 77 is the last that is farther away, and one more is kept.
    assert there == own.busy == 79 + 24
    assert own.yaw == pytest.approx(np.pi / 2)
    assert len(own.made) == 79 + 48
    expected = hold_guard(GUARD, np.array([0.0, 1.0]), np.pi / 2, 48)
    np.testing.assert_allclose(own.made.positions[-1], expected.positions[-1], atol=1e-9)
    assert np.abs(own.made.positions[-4] - expected.positions[-4]).max() > 1e-7, "eight tenths of a second"


@pytest.mark.usefixtures("_walks")
@pytest.mark.parametrize(("busy", "kept"), [(0, 2), (1, 2), (30, 30)])
def test_a_later_walk_stands_first_and_goes_over_from_its_guard(busy: int, kept: int) -> None:
    own = line()
    own.extend(60)
    own.busy = busy
    _, there = run(own.walk_to(np.array([1.0, -3.0]), None))
    (_, path, pause), *_ = WALKS
    assert pause == 0.8 and isinstance(path, Path)
    assert YAW < path.yaws[0] < 2.0, "back, but at first by no more than 75 degrees and what corners are rounded"
    assert there == own.busy == len(own.made) == kept + 100
    clip = run(walked())[1][0]
    assert_same(own.made, step_over(held(60).cut(0, kept), clip))
