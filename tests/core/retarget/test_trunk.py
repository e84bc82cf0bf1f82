"""Spines and necks of any number of joints: the shares of the bend."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import IDENTITY, Array, from_axis_angle, log
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.retarget import retarget
from footfall.core.retarget.trunk import chain_shares, spine_joints
from footfall.tests.support.walker import JOINTS

lengths = st.lists(st.floats(0.02, 0.4), min_size=1, max_size=5)


def column(bones: Sequence[float], necks: int = 1) -> Skeleton:
    """Hips, legs, a spine of bones of these lengths, so many neck joints and a head."""
    names, parents, offsets = (list(column) for column in zip(*JOINTS[:9], strict=True))
    spine, neck = len(names), len(names) + len(bones)
    for above, length in enumerate([0.1, *bones, *[0.1] * necks]):
        names.append(f"bone {above}")
        parents.append(len(names) - 2 if above else 0)
        offsets.append((0.0, 0.0, length))
    roles = Skeleton(tuple(names), tuple(parents), np.array(offsets), np.zeros((len(names), 3))).roles
    roles = {**roles, "spine": spine, "neck": neck, "head": len(names) - 1}
    if len(bones) > 1:
        roles["chest"] = neck - 1
    return Skeleton(tuple(names), tuple(parents), np.array(offsets), np.zeros((len(names), 3)), roles)


def between(source: Skeleton, target: Skeleton) -> list[dict[int, float]]:
    """Whom each joint of the target's spine follows, counted from the source's lowest spine joint."""
    theirs, mine = spine_joints(source), spine_joints(target)
    return [{joint - theirs[0]: share for joint, share in row} for row in chain_shares(source, theirs, target, mine)]


def even(count: int) -> Skeleton:
    """A spine of so many bones, all of one length."""
    return column([0.4 / count] * count)


@given(lengths, lengths)
@example([0.1] * 5, [0.1])
@example([0.1], [0.1] * 5)
def test_shares_sum_to_one_and_chests_follow_chests(theirs: list[float], mine: list[float]) -> None:
    rows = between(column(theirs), column(mine))
    assert len(rows) == len(mine)
    for row in rows:
        assert sum(row.values()) == pytest.approx(1.0)
        assert min(row.values()) > 0
    assert rows[-1] == {len(theirs) - 1: 1.0}
    # Upward along the chain, no joint follows a lower one than the joint below does.
    heights = [sum(joint * share for joint, share in row.items()) for row in rows]
    assert heights == sorted(heights)


@pytest.mark.parametrize(
    "theirs, mine, expected",
    [
        (1, 3, [{0: 1}, {0: 1}, {0: 1}]),
        (2, 4, [{0: 1}, {0: 1}, {1: 1}, {1: 1}]),
        (2, 3, [{0: 1}, {0: 0.5, 1: 0.5}, {1: 1}]),
        (4, 2, [{0: 0.5, 1: 0.5}, {3: 1}]),
        (3, 2, [{0: 2 / 3, 1: 1 / 3}, {2: 1}]),
        (5, 1, [{4: 1}]),
    ],
)
def test_a_joint_follows_those_that_lie_where_it_lies(theirs: int, mine: int, expected: list[dict[int, float]]) -> None:
    found = between(even(theirs), even(mine))
    assert [row.keys() for row in found] == [row.keys() for row in expected]
    for row, other in zip(found, expected, strict=True):
        assert row == pytest.approx(other)


def bowed(skeleton: Skeleton, angles: Array) -> Clip:
    """A bow by angles (F), with equal shares of all spine joints."""
    rotations = np.tile(IDENTITY, (len(angles), len(skeleton), 1))
    spine = spine_joints(skeleton)
    rotations[:, spine] = from_axis_angle([1.0, 0.0, 0.0], angles / len(spine))[:, None]
    return Clip(skeleton, 60.0, np.zeros((len(angles), 3)), rotations)


@pytest.mark.parametrize("theirs", range(1, 6))
@pytest.mark.parametrize("mine", range(1, 6))
def test_a_bow_stays_as_deep_on_any_spine(theirs: int, mine: int) -> None:
    source, target = even(theirs), even(mine)
    angles = np.linspace(-0.5, 1.2, 8)
    bow = retarget(bowed(source, angles), calibrate(source, target))
    spine = spine_joints(target)
    depth = log(bow.world[1][:, spine])[..., 0]
    np.testing.assert_allclose(depth[:, -1], angles, atol=1e-9)
    np.testing.assert_allclose(log(bow.world[1][:, spine])[..., 1:], 0.0, atol=1e-9)
    # No joint bends back on the way.
    assert (np.diff(np.abs(depth), axis=1) > -1e-9).all()
    for role in ("neck", "head"):
        np.testing.assert_allclose(log(bow.world[1][:, target.roles[role]])[:, 0], angles, atol=1e-9)
