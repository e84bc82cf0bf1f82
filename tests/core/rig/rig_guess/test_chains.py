"""Readings of limbs: which bone of a chain is which part, by the limbs' proportions."""

from math import comb

import numpy as np
import pytest

from footfall.core.rig.rig_guess.chains import (
    BIPED_LEG_PROPORTIONS,
    FRONT_LEG_PROPORTIONS,
    HIND_LEG_PROPORTIONS,
    MAX_INLINE_OFFSET_RATIO,
    MISSING_END_COST,
    Chain,
    LegProportions,
    read_arm,
    read_front_leg,
    read_leg,
)

KINDS = pytest.mark.parametrize("kind", [BIPED_LEG_PROPORTIONS, HIND_LEG_PROPORTIONS], ids=["person", "animal"])


def straight(
    *lengths: float, has_tip: bool = True, finger_bone: int | None = None, thumb_bone: int | None = None
) -> Chain:
    """Return a straight chain of bones of some lengths."""
    points = np.zeros((len(lengths) + 1, 3))
    points[1:, 0] = np.cumsum(lengths)
    return Chain(points, has_tip, finger_bone, thumb_bone)


COLLAR, PALM = 0.55, 0.5
"""Lengths of an arm's ends, relative to upper arm and forearm."""


def test_an_arm_of_the_usual_proportions_costs_nothing() -> None:
    best = read_arm([straight(COLLAR, 1.0, 1.0, PALM)])[0]
    assert best.parts == {"shoulder": 0, "upper_arm": 1, "forearm": 2, "hand": 3}
    assert best.cost == pytest.approx(0.0, abs=1e-12)


def test_the_unit_of_length_does_not_matter() -> None:
    near, far = (
        [reading.cost for reading in read_arm([straight(*np.multiply(scale, (0.4, 1.0, 0.8, 0.3)))])]
        for scale in (1, 100)
    )
    np.testing.assert_allclose(near, far)


def test_the_unit_does_not_matter_either_if_a_bone_lies_off_the_line() -> None:
    chain = straight(COLLAR, 0.5, 0.5, 1.0, PALM)
    chain.points[2, 1] = MAX_INLINE_OFFSET_RATIO
    near, far = read_arm([chain]), read_arm([Chain(100 * chain.points, has_tip=True)])
    np.testing.assert_allclose([one.cost for one in near], [one.cost for one in far])


def test_a_twist_bone_costs_the_same_in_a_thigh_and_in_a_shin() -> None:
    sole = 2 * BIPED_LEG_PROPORTIONS.sole_ratio
    in_thigh = read_leg([straight(0.5, 0.5, 1.0, sole, 0.1)], BIPED_LEG_PROPORTIONS)[0]
    in_shin = read_leg([straight(1.0, 0.5, 0.5, sole, 0.1)], BIPED_LEG_PROPORTIONS)[0]
    assert in_thigh.parts == {"thigh": 0, "shin": 2, "foot": 3, "toe": 4}
    assert in_shin.parts == {"thigh": 0, "shin": 1, "foot": 3, "toe": 4}
    assert 0.0 < in_thigh.cost == pytest.approx(in_shin.cost)


def test_an_arm_without_a_hand_costs_what_a_missing_end_does() -> None:
    best = read_arm([straight(COLLAR, 1.0, 1.0)])[0]
    assert best.parts == {"shoulder": 0, "upper_arm": 1, "forearm": 2}
    assert best.cost == pytest.approx(MISSING_END_COST)


def test_an_arm_of_two_bones_has_one_reading() -> None:
    (reading,) = read_arm([straight(1.0, 1.0)])
    assert reading.parts == {"upper_arm": 0, "forearm": 1}


def test_a_chain_of_one_bone_is_no_limb() -> None:
    assert read_arm([straight(1.0)]) == []
    assert read_leg([straight(1.0)], BIPED_LEG_PROPORTIONS) == []


def test_every_choice_of_bones_is_a_reading_and_the_cheapest_comes_first() -> None:
    lengths = (0.5, 1.0, 0.9, 0.4, 0.2)
    arms, legs = read_arm([straight(*lengths)]), read_leg([straight(*lengths)], BIPED_LEG_PROPORTIONS)
    assert len(arms) == comb(5, 3) + comb(5, 2)
    assert len(legs) == comb(5, 4) + comb(5, 3) + comb(5, 2)
    for readings in (arms, legs):
        costs = [reading.cost for reading in readings]
        assert costs == sorted(costs)
        assert len({tuple(reading.parts.items()) for reading in readings}) == len(readings)


def test_the_shoulder_is_the_bone_before_the_upper_arm() -> None:
    for reading in read_arm([straight(0.1, 0.2, COLLAR, 1.0, 1.0, PALM)]):
        upper = reading.parts["upper_arm"]
        assert reading.parts.get("shoulder", -1) == upper - 1


def test_parts_come_in_the_order_of_the_limb() -> None:
    for reading in read_leg([straight(1.0, 1.0, 0.3, 0.2, 0.1)], BIPED_LEG_PROPORTIONS):
        places = [reading.parts[part] for part in ("thigh", "shin", "foot", "toe") if part in reading.parts]
        assert places == sorted(set(places))
        assert "foot" in reading.parts or "toe" not in reading.parts


def test_both_arms_are_read_by_the_shorter_chain() -> None:
    one, other = straight(COLLAR, 1.0, 1.0, PALM), straight(COLLAR, 1.0, 1.0, PALM / 2, PALM / 2)
    assert max(max(reading.parts.values()) for reading in read_arm([other, other])) == 4
    assert max(max(reading.parts.values()) for reading in read_arm([one, other])) == 3


def test_the_cost_of_both_arms_is_the_mean() -> None:
    one, other = straight(COLLAR, 1.0, 1.0, PALM), straight(COLLAR, 1.0, 1.5, PALM)
    places = {"shoulder": 0, "upper_arm": 1, "forearm": 2, "hand": 3}
    costs = [
        next(reading.cost for reading in read_arm(chains) if reading.parts == places)
        for chains in ([one], [other], [one, other])
    ]
    assert costs[2] == pytest.approx((costs[0] + costs[1]) / 2)
    assert costs[0] < costs[1]


def test_a_bone_of_no_length_is_no_upper_arm_and_no_thigh() -> None:
    chains = [straight(0.0, 1.0, 1.0)]
    for readings, parts in (
        (read_arm(chains), ("upper_arm", "forearm")),
        (read_leg(chains, BIPED_LEG_PROPORTIONS), ("thigh", "shin")),
    ):
        for reading in readings:
            assert np.isinf(reading.cost) == ([reading.parts[part] for part in parts] == [0, 1])


def test_a_twist_bone_on_the_line_is_passed_over() -> None:
    best = read_arm([straight(COLLAR, 0.5, 0.5, 0.5, 0.5, PALM)])[0]
    assert best.parts == {"shoulder": 0, "upper_arm": 1, "forearm": 3, "hand": 5}


@pytest.mark.parametrize(("off", "passed_over"), [(0.0, True), (0.5, True), (6.0, False)])
def test_a_bone_beside_the_line_is_a_joint(off: float, passed_over: bool) -> None:
    # Halfway from shoulder to elbow, which are 1 m apart; the offset is in shares of what a twist bone may have.
    chain = straight(COLLAR, 0.5, 0.5, 1.0, PALM)
    chain.points[2, 1] = off * MAX_INLINE_OFFSET_RATIO
    whole = {"shoulder": 0, "upper_arm": 1, "forearm": 3, "hand": 4}
    assert (read_arm([chain])[0].parts == whole) == passed_over


def test_the_bone_with_the_fingers_is_the_hand_however_long() -> None:
    chain = straight(COLLAR, 1.0, 1.0, 0.2, 0.2, finger_bone=4)
    best = read_arm([chain])[0]
    assert best.parts["hand"] == 4
    usual = straight(COLLAR, 1.0, 1.0, 7.0, finger_bone=3)
    assert read_arm([usual])[0].cost == pytest.approx(0.0, abs=1e-12)


def test_a_hand_that_is_not_where_the_thumb_begins_costs_more() -> None:
    places = {"shoulder": 0, "upper_arm": 1, "forearm": 2, "hand": 3}
    without, at_hand, beyond = (
        next(
            one.cost
            for one in read_arm([straight(COLLAR, 1.0, 1.0, PALM, 0.1, thumb_bone=thumb)])
            if one.parts == places
        )
        for thumb in (None, 3, 4)
    )
    assert without == at_hand < beyond


@KINDS
def test_a_leg_of_the_usual_proportions_costs_nothing(kind: LegProportions) -> None:
    best = read_leg([straight(1.0, 1.0, 2 * kind.sole_ratio, 0.1)], kind)[0]
    assert best.parts == {"thigh": 0, "shin": 1, "foot": 2, "toe": 3}
    assert best.cost == pytest.approx(0.0, abs=1e-12)


@KINDS
def test_without_a_toe_bone_the_foot_reaches_to_the_tip_of_the_toes(kind: LegProportions) -> None:
    best = read_leg([straight(1.0, 1.0, 2 * kind.foot_ratio)], kind)[0]
    assert best.parts == {"thigh": 0, "shin": 1, "foot": 2}
    assert best.cost == pytest.approx(0.0, abs=1e-12)


def test_a_leg_without_a_foot_costs_what_a_missing_end_does() -> None:
    (reading,) = read_leg([straight(1.0, 1.0)], BIPED_LEG_PROPORTIONS)
    assert reading.parts == {"thigh": 0, "shin": 1}
    assert reading.cost == pytest.approx(MISSING_END_COST)


def test_ends_without_meaning_are_not_measured() -> None:
    arms = [read_arm([straight(COLLAR, 1.0, 1.0, palm, has_tip=False)])[0] for palm in (PALM, 3.0)]
    legs = [read_leg([straight(1.0, 1.0, foot, has_tip=False)], BIPED_LEG_PROPORTIONS)[0] for foot in (0.5, 9.0)]
    assert arms[0].parts == {"shoulder": 0, "upper_arm": 1, "forearm": 2, "hand": 3}
    assert legs[0].parts == {"thigh": 0, "shin": 1, "foot": 2}
    assert arms[0].cost == arms[1].cost
    assert legs[0].cost == legs[1].cost


def test_short_bones_before_the_thigh_lead_to_the_hip_joint() -> None:
    kind = BIPED_LEG_PROPORTIONS
    best = read_leg([straight(0.2, 1.0, 1.0, 2 * kind.sole_ratio, 0.1)], kind)[0]
    assert best.parts == {"thigh": 1, "shin": 2, "foot": 3, "toe": 4}


def test_a_front_leg_begins_with_its_shoulder_blade() -> None:
    sole = 2 * HIND_LEG_PROPORTIONS.sole_ratio
    best = read_front_leg([straight(0.8, 1.0, 1.0, sole, 0.1)])[0]
    assert best.parts == {"front_shoulder": 0, "front_thigh": 1, "front_shin": 2, "front_foot": 3, "front_toe": 4}
    assert best.cost == pytest.approx(0.0, abs=1e-12)


def test_a_front_leg_without_a_shoulder_blade_has_no_role_for_it() -> None:
    sole = 2 * HIND_LEG_PROPORTIONS.sole_ratio
    best = read_front_leg([straight(1.0, 1.0, sole, 0.1)])[0]
    assert best.parts == {"front_thigh": 0, "front_shin": 1, "front_foot": 2, "front_toe": 3}
    assert best.cost > 0.0


def cost_of(chain: Chain, parts: dict[str, int], kind: LegProportions = BIPED_LEG_PROPORTIONS) -> float:
    """Return the cost of a reading of a leg, or of an arm if it names one."""
    readings = read_arm([chain]) if "upper_arm" in parts else read_leg([chain], kind)
    return next(reading.cost for reading in readings if reading.parts == parts)


ARM = {"shoulder": 0, "upper_arm": 1, "forearm": 2, "hand": 3}
LEG = {"thigh": 0, "shin": 1, "foot": 2, "toe": 3}
SOLE, FOOT = 2 * BIPED_LEG_PROPORTIONS.sole_ratio, 2 * BIPED_LEG_PROPORTIONS.foot_ratio


@pytest.mark.parametrize(
    ("lengths", "extra"),
    [
        ((COLLAR, 1.0, 1.0, PALM), 0.0),
        ((COLLAR, np.e**0.25, np.e**0.0, PALM), 1.0 + 1.0 / 5.76),
        ((COLLAR * np.e**0.6, 1.0, 1.0, PALM), 1.0),
        ((COLLAR, 1.0, 1.0, PALM * np.e**0.6), 1.0),
        ((COLLAR, 1.0, 1.0, PALM * np.e**-0.6), 1.0),
        ((COLLAR, 1.0, 1.0, PALM * np.e**2), 1.5),
        ((COLLAR, 1.0, 1.0, 0.01), 0.5),
        ((COLLAR, 1.0, 1.0, PALM / 2, PALM / 2), 0.3),
    ],
    ids=["usual", "upper arm", "collar", "palm", "short palm", "huge palm", "no palm", "bone in the hand"],
)
def test_lengths_of_an_arm_cost_the_square_of_their_deviations(lengths: tuple[float, ...], extra: float) -> None:
    assert cost_of(straight(*lengths), ARM) == pytest.approx(extra)


def test_an_arm_without_a_shoulder_or_with_bones_before_it_costs_more() -> None:
    bare = {"upper_arm": 0, "forearm": 1, "hand": 2}
    assert cost_of(straight(1.0, 1.0, PALM), bare) == pytest.approx(1.0)
    later = {"shoulder": 1, "upper_arm": 2, "forearm": 3, "hand": 4}
    assert cost_of(straight(0.3, COLLAR, 1.0, 1.0, PALM), later) == pytest.approx(2.0)
    assert cost_of(straight(COLLAR, 1.0, 1.0, PALM, has_tip=False), ARM) == pytest.approx(0.5)
    wrong = straight(COLLAR, 1.0, 1.0, PALM / 2, PALM / 2, finger_bone=4)
    assert cost_of(wrong, ARM) == pytest.approx(6.0)


@pytest.mark.parametrize(
    ("lengths", "extra"),
    [
        ((np.e**0.3, 1.0, (np.e**0.3 + 1) * SOLE / 2, 0.1), 1.0),
        ((1.0, 1.0, SOLE * np.e**0.5, 0.1), 1.0),
        ((1.0, 1.0, SOLE, 0.1, 0.1), 0.4),
        ((1.0, 1.0, SOLE, 0.1, 0.1, 0.1), 0.8),
    ],
    ids=["thigh", "sole", "bone beyond the toe", "two bones beyond"],
)
def test_lengths_of_a_leg_cost_the_square_of_their_deviations(lengths: tuple[float, ...], extra: float) -> None:
    assert cost_of(straight(*lengths), LEG) == pytest.approx(extra)


def test_a_foot_without_a_toe_is_measured_to_its_end_and_each_bone_in_it_costs() -> None:
    bare = {"thigh": 0, "shin": 1, "foot": 2}
    assert cost_of(straight(1.0, 1.0, FOOT * np.e**0.5), bare) == pytest.approx(1.0)
    assert cost_of(straight(1.0, 1.0, FOOT / 2, FOOT / 2), bare) == pytest.approx(1.2)
    assert cost_of(straight(1.0, 1.0, 9.0, has_tip=False), bare) == pytest.approx(1.0)


def test_bones_before_the_thigh_cost_by_their_number_and_if_they_are_long() -> None:
    later = {"thigh": 1, "shin": 2, "foot": 3, "toe": 4}
    for reach, extra in ((0.2, 0.8), (0.3, 0.8), (0.3 * np.e**0.5, 1.8), (0.3 * np.e, 4.8)):
        assert cost_of(straight(reach, 1.0, 1.0, SOLE, 0.1), later) == pytest.approx(extra)
    front = {"thigh": 1, "shin": 2, "foot": 3, "toe": 4}
    paw = 2 * FRONT_LEG_PROPORTIONS.sole_ratio
    for reach, extra in ((0.8, 0.0), (0.8 * np.e**0.6, 1.0), (0.8 * np.e**-0.6, 1.0)):
        chain = straight(reach, 1.0, 1.0, paw, 0.1)
        assert cost_of(chain, front, FRONT_LEG_PROPORTIONS) == pytest.approx(extra, abs=1e-9)
    assert cost_of(straight(1.0, 1.0, paw, 0.1), LEG, FRONT_LEG_PROPORTIONS) == pytest.approx(2.5)
    two = {"thigh": 2, "shin": 3, "foot": 4, "toe": 5}
    chain = straight(0.4, 0.4, 1.0, 1.0, paw, 0.1)
    assert cost_of(chain, two, FRONT_LEG_PROPORTIONS) == pytest.approx(2.0)
