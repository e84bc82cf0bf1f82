"""Answers of a struck body: a push that decays over feet that stay, and a dodge that is out of the way."""

import numpy as np
import pytest

from footfall.core.control.combat.answers import DODGE_CLEARANCE_M, dodge, limb_distance, push, rise_and_fall
from footfall.core.control.combat.beats import Beat
from footfall.core.control.combat.body_contact import effector_gap, way_to_contact
from footfall.core.control.combat.hand_answers import PARRY_ROUNDS, choose_parry, open_guard, parried
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, inverse, log, multiply, rotation_about_up
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.tests.support.poses import UPRIGHT, hips_at, posed, puncher

STRIKER = puncher(0.18)
(BLOW,) = LimbMotion.of(STRIKER, 0.0).blows
FRAME = BLOW.apex
BEHIND = np.array([0.0, -1.0, 0.0])
"""Direction of the punch: the puncher faces -Y."""


def struck(gap: float, part: str) -> Clip:
    """A body that stands before the puncher and faces it, its part a distance from the fist at the apex."""
    guard = np.tile([0.6, 0.6], (len(STRIKER), 1))
    body = posed(hips_at(np.full(len(STRIKER), UPRIGHT)), guard, np.tile([2.3, 2.3], (len(STRIKER), 1)))
    body = body.transformed(rotation_about_up(np.pi), np.zeros(3))
    hand = STRIKER.positions[FRAME, STRIKER.skeleton.joint(BLOW.effector)]
    body = body.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.array([hand[0], hand[1] - 0.6, 0.0]))
    way = way_to_contact(STRIKER, FRAME, BLOW.effector, body, part, BEHIND)
    return body.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, -way[1], 0.0]) + gap * BEHIND)


@pytest.mark.parametrize("part", ["head", "chest"])
def test_a_push_begins_with_the_hit_and_decays_over_feet_that_stay(part: str) -> None:
    body = struck(0.0, part)
    pushed = push(body, Beat(FRAME, "A", "B", part, BLOW.effector), BEHIND)
    moved = np.linalg.norm(pushed.positions - body.positions, axis=-1)
    assert moved[: FRAME + 1].max() == pytest.approx(0.0, abs=1e-9)
    assert moved[FRAME + 1].max() < 0.02, "no velocity at the hit itself"
    trunk = body.skeleton.joint("chest")
    assert 0.03 < moved[FRAME : FRAME + 30, trunk].max() < 0.3
    assert moved[FRAME + 90 :].max() < 1e-6
    feet = [body.skeleton.joint(f"foot.{side}") for side in "LR"]
    assert moved[:, feet].max() < 3e-3


def test_a_dodge_is_out_of_the_way_and_comes_back() -> None:
    body, beat = struck(0.0, "chest"), Beat(FRAME, "A", "B", "chest", BLOW.effector, answer="dodge")
    assert limb_distance(body, beat, STRIKER) < 0.01
    away = dodge(body, beat, STRIKER, BEHIND)
    assert limb_distance(away, beat, STRIKER) >= DODGE_CLEARANCE_M
    np.testing.assert_allclose(away.positions[0], body.positions[0], atol=1e-9)
    np.testing.assert_allclose(away.positions[-1], body.positions[-1], atol=1e-9)


def test_a_strike_that_misses_anyhow_is_hardly_dodged() -> None:
    body, beat = struck(0.8, "chest"), Beat(FRAME, "A", "B", "chest", BLOW.effector, answer="dodge")
    moved = np.linalg.norm(dodge(body, beat, STRIKER, BEHIND).root_positions - body.root_positions, axis=-1)
    assert moved.max() <= 0.12 + 1e-9, "the least that there is"


def test_a_parrying_hand_meets_the_strike_on_its_frame() -> None:
    body, beat = struck(0.12, "chest"), Beat(FRAME, "A", "B", "chest", BLOW.effector, answer="parry")
    hand = choose_parry(body, beat, STRIKER, BEHIND)
    made = parried(body, beat, STRIKER, hand, PARRY_ROUNDS)
    gaps = [effector_gap(STRIKER, FRAME, BLOW.effector, made, f"hand.{side}") for side in "LR"]
    assert min(map(abs, gaps)) < 0.005
    np.testing.assert_allclose(made.positions[-1], body.positions[-1], atol=1e-9)


def test_hands_give_way_to_a_strike_that_hits() -> None:
    body, beat = struck(0.0, "chest"), Beat(FRAME, "A", "B", "chest", BLOW.effector)
    opened = open_guard(body, beat, STRIKER, BEHIND)
    for side in "LR":
        assert effector_gap(STRIKER, FRAME, BLOW.effector, opened, f"hand.{side}") > -0.005
    chest = body.skeleton.joint("hips")
    np.testing.assert_allclose(opened.positions[-1, chest], body.positions[-1, chest], atol=1e-9)


PEAKS_S = {"head": 0.1, "neck": 0.11, "chest": 0.14, "spine": 0.16, "hips": 0.18}
HEAD, CHEST, LOW = (
    {"head": 0.3, "neck": 0.2, "chest": 0.15, "spine": 0.12},
    {"head": -0.25, "chest": 0.08, "spine": 0.12},
    {"head": -0.2, "chest": 0.05, "spine": -0.18},
)
STANDING = posed(hips_at(np.full(150, 0.93)))
BELOW = {"spine": ("spine",), "chest": ("spine", "chest"), "head": ("spine", "chest", "neck", "head")}


@pytest.mark.parametrize(
    ("part", "effector", "shift", "bends", "strength"),
    [
        ("head", "hand.R", 0.04, HEAD, 1.0),
        ("head", "foot.L", 0.04, HEAD, 1.5),
        ("chest", "hand.L", 0.06, CHEST, 1.0),
        ("chest", "foot.R", 0.06, CHEST, 1.5),
        ("hips", "hand.R", 0.06, LOW, 1.0),
        ("thigh.L", "foot.R", 0.06, LOW, 1.5),
    ],
)
def test_a_push_is_a_pulse_of_each_part_that_fades(
    part: str, effector: str, shift: float, bends: dict[str, float], strength: float
) -> None:
    pushed = push(STANDING, Beat(20, "A", "B", part, effector), np.array([0.6, 0.0, -0.8]))
    seconds = np.maximum(np.arange(150) - 20, 0) / 60.0
    late = np.clip((seconds - 0.7) / 0.7, 0.0, 1.0)

    def pulse(role: str) -> Array:
        share = seconds / PEAKS_S[role]
        return strength * share**2 * np.exp(2.0 - 2.0 * share) * (1.0 - late**2 * (3.0 - 2.0 * late))

    away = pushed.root_positions - STANDING.root_positions
    np.testing.assert_allclose(away, np.outer(shift * pulse("hips"), [1.0, 0.0, 0.0]), atol=1e-12)
    for role, bent in BELOW.items():
        joint = STANDING.skeleton.joint(role)
        turns = log(multiply(pushed.world[1][:, joint], inverse(STANDING.world[1][:, joint])))
        angles = sum(bends.get(one, 0.0) * pulse(one) for one in bent)
        np.testing.assert_allclose(turns, np.outer(angles, [0.0, 1.0, 0.0]), atol=1e-9)


def test_what_dodges_rises_stays_and_falls_by_smooth_steps() -> None:
    weights = rise_and_fall(np.array([-0.31, -0.3, -0.15, 0.0, 0.08, 0.33, 0.58, 1.0]), (0.3, 0.08, 0.5))
    np.testing.assert_allclose(weights, [0.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(rise_and_fall(np.array([-0.2, 0.205]), (0.4, 0.08, 0.5)), [0.5, 1 - 0.15625], atol=1e-12)


def beside(frame: int, gap: float) -> Clip:
    """A body, five meters away but at one frame, in which its right hand has a gap from the other one's chest."""
    roots = STANDING.root_positions + np.array([5.0, 0.0, 0.0])
    hand, chest = (STANDING.positions[0, STANDING.skeleton.joint(role)] for role in ("hand.R", "chest"))
    roots[frame] = STANDING.root_positions[frame] + chest - hand + np.array([0.115 + 0.025 + gap, 0.0, 0.0])
    return Clip(STANDING.skeleton, 60.0, roots, STANDING.rotations)


@pytest.mark.parametrize("frame", [44, 76])
def test_it_is_far_at_other_times(frame: int) -> None:
    assert limb_distance(STANDING, Beat(60, "A", "B", "chest", "hand.R"), beside(frame, 0.0)) > 3.0


def test_the_distance_of_a_limb_is_that_of_both_surfaces() -> None:
    striker = Clip(STANDING.skeleton, 60.0, STANDING.root_positions + np.array([3.0, 0.0, 0.0]), STANDING.rotations)
    beat = Beat(3, "A", "B", "chest", "hand.R")
    bodies = BodyCapsules.from_skeleton(STANDING.skeleton)
    limb, trunk = bodies.sphere_indices(["forearm.R"]), bodies.sphere_indices(["head", "thigh", "chest", "hips"])
    centers = bodies.sphere_centres(STANDING)[0]
    apart = np.linalg.norm(centers[limb][:, None] + np.array([3.0, 0.0, 0.0]) - centers[trunk], axis=-1)
    expected = (apart - bodies.radii[limb][:, None] - bodies.radii[trunk]).min()
    assert limb_distance(STANDING, beat, striker) == pytest.approx(expected)
