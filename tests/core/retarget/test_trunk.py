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
from footfall.core.retarget.trunk import chain_from_hips, chain_shares, neck_joints, spine_joints
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


@given(st.lists(st.tuples(*[st.floats(0.02, 0.4)] * 2), min_size=1, max_size=5))
def test_as_many_joints_follow_one_another(bones: list[tuple[float, float]]) -> None:
    theirs, mine = zip(*bones, strict=True)
    assert between(column(theirs), column(mine)) == [{joint: 1.0} for joint in range(len(bones))]


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


def test_long_bones_count_for_more_than_short_ones() -> None:
    assert between(column([0.3, 0.1]), even(4)) == [{0: 1.0}, {0: 1.0}, pytest.approx({0: 1.0}), {1: 1.0}]


def test_a_chain_without_lengths_is_followed_all_the_same() -> None:
    """A single spine joint under nothing, and a neck without a head: their bones end where they begin."""
    whole = even(3)
    for source, chain in (
        (Skeleton(("hips", "spine"), (-1, 0), np.zeros((2, 3)), np.zeros((2, 3))), (1,)),
        (whole, (9,)),
    ):
        flat = Skeleton(source.names, source.parents, source.offsets * 0, source.tips * 0, source.roles)
        assert chain_shares(flat, chain, whole, spine_joints(whole)) == [((chain[0], 1.0),)] * 3
    nothing = Skeleton(whole.names, whole.parents, whole.offsets * 0, whole.tips, whole.roles)
    for row in (*between(nothing, even(2)), *between(even(2), nothing)):
        assert sum(row.values()) == pytest.approx(1.0)


def test_nobody_follows_nothing() -> None:
    spine = spine_joints(even(3))
    assert chain_shares(even(3), (), even(3), spine) == [(), (), ()]
    assert chain_shares(even(3), spine, even(3), ()) == []


def test_a_spine_goes_from_the_hips_to_below_the_neck() -> None:
    whole = even(3)
    assert spine_joints(whole) == chain_from_hips(whole, 11) == (9, 10, 11)
    for gone, expected in [
        (("neck",), (9, 10, 11, 12)),  # all that is below the head
        (("neck", "head"), (9, 10, 11)),  # up to the chest, and with it
        (("neck", "head", "chest"), (9,)),
        (("neck", "head", "chest", "spine"), ()),
    ]:
        roles = {role: joint for role, joint in whole.roles.items() if role not in gone}
        assert spine_joints(Skeleton(whole.names, whole.parents, whole.offsets, whole.tips, roles)) == expected, gone


def test_a_neck_goes_from_its_first_joint_to_below_the_head() -> None:
    whole = column([0.2, 0.2], necks=3)
    assert neck_joints(whole) == (11, 12, 13)
    for gone, expected in [(("head",), (11,)), (("neck",), ()), (("neck", "head"), ())]:
        roles = {role: joint for role, joint in whole.roles.items() if role not in gone}
        assert neck_joints(Skeleton(whole.names, whole.parents, whole.offsets, whole.tips, roles)) == expected, gone
    roles = whole.roles | {"head": 4}
    assert neck_joints(Skeleton(whole.names, whole.parents, whole.offsets, whole.tips, roles)) == (11,), (
        "a head elsewhere"
    )


def test_what_does_not_hang_on_the_hips_has_no_path_from_them() -> None:
    roles = {"hips": 1}
    skeleton = Skeleton(("root", "hips", "spine", "prop"), (-1, 0, 1, 0), np.zeros((4, 3)), np.zeros((4, 3)), roles)
    assert chain_from_hips(skeleton, 2) == (2,)
    assert chain_from_hips(skeleton, 3) == chain_from_hips(skeleton, 0) == ()


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
