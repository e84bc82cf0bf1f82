"""Objects brought under bodies: under walkers whose hands and hips are where they are put, and under real people."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.benchmarks.fitted_props import fit_proxy_object
from footfall.core.errors import FootfallError
from footfall.core.labelling import label_clip
from footfall.core.labelling.presets import find_preset
from footfall.core.labelling.semantics.actions import ACTION_NAMES
from footfall.core.motion import Clip
from footfall.core.motion.floor import estimate_floor_height
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import Array, rotate
from footfall.core.rig.clip_file import read_clip
from footfall.core.scene.affordances import Grips, Handle, Seat
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.object_fitting import (
    PALM_FLESH_M,
    ObjectFit,
    find_static_frame,
    fit_object,
    floor_gap,
    hips_yaw,
    leading_hand,
    opening_hand,
    palm_positions,
    place_collider,
    seat_position,
)
from footfall.tests.support.object_clips import carrying_clip, opening_clip
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker
from footfall.training.interactions.props.doors import Door
from footfall.training.interactions.props.seats import Chair

CHAIR = Collider.from_mesh(*Chair().mesh())
CRATE = Collider(np.array([[-0.25, -0.2, 0.0]]), np.array([[0.25, 0.2, 0.3]]))
CUBE = Collider(np.full((1, 3), -1.2), np.full((1, 3), 1.2))
"""Nobody holds it: it is too wide. Nobody sits on it: it is too high."""


def way(fit: ObjectFit) -> Array:
    """The affordance's direction (2) in the world."""
    return rotate(fit.posed_collider.rotation, np.append(fit.affordance.direction, 0.0))[:2]


def all_frames(clip: Clip) -> Array:
    return np.ones(len(clip))


# Where bodies are.


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.integers(0, 100))
@settings(max_examples=examples(20))
def test_what_is_put_has_its_point_there_faces_so_and_is_upright(yaw: float, own: float, seed: int) -> None:
    point, place = np.random.default_rng(seed).uniform(-2.0, 2.0, (2, 3))
    placed = place_collider(CRATE, point, facing_direction(np.array(own)), place, yaw)
    np.testing.assert_allclose(placed.to_world(point), place, atol=1e-9)
    turned = rotate(placed.rotation, np.append(facing_direction(np.array(own)), 0.0))
    np.testing.assert_allclose(turned, np.append(facing_direction(np.array(yaw)), 0.0), atol=1e-9)
    np.testing.assert_allclose(rotate(placed.rotation, np.array([0.0, 0.0, 1.0])), [0.0, 0.0, 1.0], atol=1e-12)


# When they rest.


# What is put under them.


@given(st.floats(-3.0, 3.0), st.floats(0.6, 1.4))
@settings(max_examples=examples(15))
def test_a_chair_has_its_seat_under_the_hips_and_faces_as_they_do(heading: float, scale: float) -> None:
    clip = Walker(seconds=0.5, heading=heading, scale=scale).clip()
    fit = fit_object(clip, CHAIR, "sit", 12)
    assert isinstance(fit.affordance, Seat) and fit.frame == 12 and fit.posed_collider.collider is CHAIR
    np.testing.assert_allclose(fit.posed_collider.to_world(fit.affordance.position), seat_position(clip, 12), atol=1e-9)
    np.testing.assert_allclose(way(fit), facing_direction(np.array(hips_yaw(clip, 12))), atol=1e-9)
    # It keeps its size and is off the floor by what is missing.
    missing = seat_position(clip, 12)[2] - fit.affordance.position[2] + CHAIR.lower[:, 2].min()
    assert floor_gap(fit, 0.0) == pytest.approx(missing) and floor_gap(fit, 0.2) == pytest.approx(missing - 0.2)
    np.testing.assert_array_equal(
        fit.animated_collider(clip).positions, np.tile(fit.posed_collider.position, (len(clip), 1))
    )


def test_a_crate_is_between_the_hands_and_faced_by_who_holds_it() -> None:
    clip = carrying_clip()
    fit = fit_object(clip, CRATE, "carry", 90)
    assert isinstance(fit.affordance, Grips)
    held = fit.posed_collider.to_world(fit.affordance.hands)
    left, right = (palm[90] for palm in palm_positions(clip))
    np.testing.assert_allclose(held.mean(axis=0), (left + right) / 2, atol=1e-9)
    np.testing.assert_allclose(way(fit), facing_direction(np.array(hips_yaw(clip, 90))), atol=1e-6)
    assert np.linalg.norm(held[0] - left) < np.linalg.norm(held[0] - right)


@pytest.mark.parametrize("side", "LR")
def test_a_door_has_its_handle_at_the_hand_that_is_held_out(side: str) -> None:
    clip = opening_clip(side)
    assert opening_hand(clip, all_frames(clip)) == side
    door = Door()
    leaf = Collider.from_mesh(*door.leaf_mesh(), 0.02)
    known = fit_object(clip, leaf, "open", 20, door.affordance())
    made = fit_proxy_object(clip, "open", 20, floor_height=0.0)
    for fit in (known, made):
        assert isinstance(fit.affordance, Handle)
        np.testing.assert_allclose(
            fit.posed_collider.to_world(fit.affordance.position), palm_positions(clip)["LR".index(side)][20]
        )
        np.testing.assert_allclose(way(fit), facing_direction(np.array(0.5)), atol=1e-6)
    assert abs(floor_gap(made, 0.0)) < 0.02, "it is made as high as the hand is"


@pytest.mark.parametrize(("action", "thing"), [("sit", CUBE), ("carry", CUBE), ("open", CRATE)])
def test_what_has_nothing_to_touch_is_an_error_that_says_what_to_do(action: str, thing: Collider) -> None:
    with pytest.raises(FootfallError, match=f"no contact points to {action}: add them"):
        fit_object(carrying_clip(), thing, action, 90)


# What goes with the hands.


@pytest.mark.parametrize("side", "LR")
def test_the_hand_held_out_leads_and_is_asked_for_in_the_middle_of_the_action(side: str) -> None:
    clip = opening_clip(side)
    assert leading_hand(clip, 20) == side
    other = opening_clip("R" if side == "L" else "L")
    half = len(clip) // 2
    both = replace(clip, rotations=np.concatenate([other.rotations[:half], clip.rotations[half:]]))
    shares = np.zeros(len(clip))
    shares[half - 3 : half + 20] = 0.51
    assert opening_hand(both, shares) == side
    shares[:] = 0.0
    shares[half - 20 : half + 3] = 0.51
    assert opening_hand(both, shares) != side
    assert opening_hand(both, np.full(len(clip), 0.5)) == "R", "without frames of the action"


def test_what_is_held_goes_and_turns_with_the_hands_and_else_stays() -> None:
    clip = carrying_clip()
    fit = fit_proxy_object(clip, "carry", 90)
    moving, (start, stop) = fit.animated_collider(clip), fit.grasp_frames
    inside = moving.to_local(np.stack(palm_positions(clip), axis=1))
    np.testing.assert_allclose(inside[start:stop], np.broadcast_to(inside[90], (stop - start, 2, 3)), atol=1e-9)
    np.testing.assert_allclose(moving.at_frame(90).position, fit.posed_collider.position, atol=1e-12)
    np.testing.assert_allclose(moving.positions[:start], np.tile(moving.positions[start], (start, 1)))
    np.testing.assert_allclose(moving.rotations[stop:] - moving.rotations[stop - 1], 0.0)
    travelled = np.linalg.norm(moving.positions[stop - 1] - moving.positions[start])
    assert travelled == pytest.approx(1.1 * (stop - 1 - start) / 60, rel=0.1), "as far as the walker goes"
    steps = np.linalg.norm(np.diff(moving.positions, axis=0), axis=-1)
    assert steps.max() < 0.05, "it does not jump where it is taken or left"


# Real people.


def recorded(shared_data: Path, file: str, action: str) -> tuple[Clip, Array, int]:
    """A clip, the action's shares and the frame where who does it rests."""
    clip = read_clip(shared_data / "mocap" / file).resampled(60.0)
    shares = label_clip(clip, find_preset("interaction")).actions[:, ACTION_NAMES.index(action)]
    return clip, shares, find_static_frame(clip, shares, action)


def test_a_stool_is_under_somebody_who_sat_down(shared_data: Path) -> None:
    clip, shares, frame = recorded(shared_data, "cmu_asfamc/sit/14_31.bvh", "sit")
    assert shares[frame] > 0.9
    fit = fit_proxy_object(clip, "sit", frame)
    lower, upper = fit.posed_collider.collider.bounds
    assert 0.3 < (upper - lower)[2] < 0.5 and abs(floor_gap(fit, estimate_floor_height(clip))) < 0.02
    body = BodyCapsules.from_skeleton(clip.skeleton)
    deep = body.bone_penetrations(clip, fit.animated_collider(clip))
    thighs = [body.roles.index(role) for role in ("thigh.L", "thigh.R")]
    assert (deep[frame, thighs] > 0).any(), "they sit on it"
    assert deep.max() < 0.03, "and are never in it, not even on their way"


def test_a_chair_of_another_height_is_off_the_floor(shared_data: Path) -> None:
    clip, _, frame = recorded(shared_data, "cmu_asfamc/sit/14_31.bvh", "sit")
    high, low = (
        fit_object(clip, Collider.from_mesh(*Chair(seat_height=seat).mesh()), "sit", frame) for seat in (0.6, 0.25)
    )
    assert floor_gap(high, estimate_floor_height(clip)) < -0.15 and floor_gap(low, estimate_floor_height(clip)) > 0.02


def test_a_box_is_taken_up_by_somebody_who_did(shared_data: Path) -> None:
    clip, shares, frame = recorded(shared_data, "accad_male1/carry/Male1_A5_PickUpBox.bvh", "carry")
    assert shares[frame] > 0.5
    fit = fit_proxy_object(clip, "carry", frame)
    (start, stop), moving = fit.grasp_frames, fit.animated_collider(clip)
    assert 60 < start < frame < stop == len(clip)
    heights = moving.positions[:, 2] - estimate_floor_height(clip)
    assert heights[:start].max() == heights[:start].min() < 0.4 and heights[-1] > 0.8
    for palm in palm_positions(clip):
        near = moving.collider.distances(moving.to_local(palm))
        assert near[frame] == pytest.approx(PALM_FLESH_M, abs=0.01) and near[start:].max() < 0.1 and near[0] > 0.3
    body = BodyCapsules.from_skeleton(clip.skeleton)
    trunk = [body.roles.index(role) for role in ("spine", "chest", "head")]
    assert body.bone_penetrations(clip, moving)[:, trunk].max() == 0.0
