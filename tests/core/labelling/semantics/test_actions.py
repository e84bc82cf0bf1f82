"""Actions by what bodies do: posed people with exact answers, and recorded clips."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.labelling.contacts.detection import find_contacts
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.labelling.semantics.actions import (
    ACTION_NAMES,
    INTERACTION_NAMES,
    find_actions,
)
from footfall.core.labelling.semantics.gaits import find_gaits
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.limb_ik import rotate_joint
from footfall.core.motion.rotations import Array, from_axis_angle, multiply, rotation_between
from footfall.tests.support.poses import UPRIGHT, eased, hips_at, posed, puncher
from footfall.tests.support.walker import Walker

IDLE, WALK, RUN, SIT, OPEN, CARRY, CLIMB, STRIKE, LIE, PUSH = range(10)
NO_CONTACTS: tuple[str, ...] = ()


def actions_of(clip: Clip, ground: float = 0.0, wanted: tuple[str, ...] = ACTION_NAMES) -> Array:
    """The actions of a clip on level ground whose feet are always down, unless it walks."""
    frames = len(clip)
    level = np.full((frames, 2), ground)
    gaits = find_gaits(clip, np.ones((frames, 2), dtype=bool), level)
    return find_actions(clip, gaits, np.zeros((frames, 0)), NO_CONTACTS, level, wanted)


TIME = np.arange(480) / 60


def sitter() -> Clip:
    """Sits down backwards between 2 and 3 s, stands up between 5 and 6 s; the seat is 0.47 m high."""
    down = eased(TIME, 2, 3) - eased(TIME, 5, 6)
    return posed(hips_at(UPRIGHT - 0.47 * down, 0.38 * down))


def test_sitting_lasts_from_the_way_down_to_the_way_up() -> None:
    sit = actions_of(sitter())[:, SIT]
    assert sit[(TIME > 3.1) & (TIME < 4.9)].min() > 0.8
    assert sit[(TIME > 2.4) & (TIME < 5.6)].min() > 0.5
    assert sit[(TIME < 1.7) | (TIME > 6.3)].max() < 0.05


def test_a_squat_over_the_feet_is_no_sitting() -> None:
    down = eased(TIME, 2, 3) - eased(TIME, 5, 6)
    assert actions_of(posed(hips_at(UPRIGHT - 0.47 * down, -0.08 * down)))[:, SIT].max() < 0.1


def test_hips_on_something_are_sitting_whatever_the_legs_do() -> None:
    clip = posed(hips_at(np.full(120, UPRIGHT)))
    level = np.zeros((120, 2))
    gaits = find_gaits(clip, np.ones((120, 2), dtype=bool), level)
    actions = find_actions(clip, gaits, np.ones((120, 1)), ("hips",), level)
    assert actions[:, SIT].min() > 0.6


def test_a_hand_on_something_at_chest_height_opens() -> None:
    frames = np.ones((120, 1))
    arms = np.tile([0.0, 1.0], (120, 1)) * frames
    clip = posed(hips_at(np.full(120, UPRIGHT)), arms)
    level = np.zeros((120, 2))
    gaits = find_gaits(clip, np.ones((120, 2), dtype=bool), level)
    assert find_actions(clip, gaits, frames, ("hand.R",), level)[:, OPEN].min() > 0.6


def lier() -> Clip:
    """Lies down backwards between 2 and 3 s and gets up between 5 and 6 s, stiff as a board."""
    down = eased(TIME, 2, 3) - eased(TIME, 5, 6)
    clip = posed(hips_at(0 * TIME + UPRIGHT))
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(from_axis_angle([1.0, 0.0, 0.0], -np.pi / 2 * down), rotations[:, 0])
    return replace(clip, root_positions=hips_at(UPRIGHT - (UPRIGHT - 0.12) * down), rotations=rotations)


def test_lying_lasts_from_the_way_down_to_the_way_up() -> None:
    lie = actions_of(lier())[:, LIE]
    assert lie[(TIME > 3.1) & (TIME < 4.9)].min() > 0.8
    assert lie[(TIME > 2.6) & (TIME < 5.4)].min() > 0.5
    assert lie[(TIME < 1.9) | (TIME > 6.1)].max() < 0.05


def pusher(lean: float) -> Clip:
    """A walker whose trunk leans ahead, rad, with both arms stretched ahead and a little down."""
    clip = Walker().clip()
    ahead = np.tile([0.0, 1.0, -0.3], (len(clip), 1))
    clip = rotate_joint(clip, clip.skeleton.joint("spine"), from_axis_angle([-1.0, 0.0, 0.0], np.full(len(clip), lean)))
    for side in "LR":
        for role, end in (("upper_arm", "forearm"), ("forearm", "hand")):
            joint, tip = (clip.skeleton.joint(f"{name}.{side}") for name in (role, end))
            arm = clip.positions[:, tip] - clip.positions[:, joint]
            clip = rotate_joint(clip, joint, rotation_between(arm, ahead))
    return clip


def test_stretched_arms_before_a_body_that_leans_push() -> None:
    assert actions_of(pusher(0.35))[:, PUSH].min() > 0.6
    assert actions_of(pusher(0.0))[:, PUSH].max() < 0.1, "sleepwalkers do not"
    assert actions_of(Walker().clip())[:, PUSH].max() < 0.1


def carrier(walker: Walker) -> Clip:
    """The walker with both forearms held forward."""
    clip = walker.clip()
    rotations = clip.rotations.copy()
    for side, sign in (("l", 1.0), ("r", -1.0)):
        rotations[:, clip.skeleton.names.index(f"{side}radius")] = from_axis_angle([0.0, 0.0, -sign], 1.4)
    return replace(clip, rotations=rotations)


@pytest.mark.parametrize("walker", [Walker(), Walker(scale=0.6), Walker(rate=30.0), Walker(scale=2.0)])
def test_hands_held_before_a_walking_body_carry(walker: Walker) -> None:
    ground = np.zeros((len(walker.times), 2))
    down = np.stack([walker.contacts[:, :2].any(axis=1), walker.contacts[:, 2:].any(axis=1)], axis=1)
    for clip, expected in ((carrier(walker), CARRY), (walker.clip(), WALK)):
        actions = find_actions(clip, find_gaits(clip, down, ground), np.zeros((len(clip), 0)), NO_CONTACTS, ground)
        assert actions[:, expected].min() > 0.5


@pytest.mark.parametrize("rate", [60.0, 120.0])
def test_a_blow_is_a_strike_from_wind_up_to_recovery(rate: float) -> None:
    strike = actions_of(puncher(0.18, rate), wanted=("strike",))[:, STRIKE]
    time = np.arange(len(strike)) / rate
    assert strike[np.abs(time - 3) < 0.15].min() > 0.5
    assert strike[np.abs(time - 3) > 0.7].max() < 0.05


def on_stairs(slope: float) -> Clip:
    """The walker with everything lifted by ``slope`` times the way."""
    clip = Walker(speed=0.8, cycle=1.2, seconds=10.0).clip()
    lift = slope * (clip.root_positions[:, 1] - clip.root_positions[0, 1])
    return replace(clip, root_positions=clip.root_positions + lift[:, None] * [0.0, 0.0, 1.0])


@pytest.mark.parametrize("slope, climbs", [(0.55, True), (-0.55, True), (0.1, False), (-0.15, False), (0.0, False)])
def test_stairs_are_climbed_and_slopes_are_walked(slope: float, climbs: bool) -> None:
    clip = on_stairs(slope)
    ground = clip.positions[:, [clip.skeleton.joint("toe.L"), clip.skeleton.joint("toe.R")], 2]
    gaits = find_gaits(clip, np.ones((len(clip), 2), dtype=bool), ground)
    climb = find_actions(clip, gaits, np.zeros((len(clip), 0)), NO_CONTACTS, ground)[60:-60, CLIMB]
    assert climb.min() > 0.6 if climbs else climb.max() < 0.1


@pytest.mark.parametrize("clip", [sitter(), puncher(0.18), Walker(pause=2.0, seconds=8.0).clip()])
def test_shares_sum_to_one_and_change_over_smoothly(clip: Clip) -> None:
    actions = actions_of(clip)
    np.testing.assert_allclose(actions.sum(axis=1), 1.0, atol=1e-9)
    assert actions.min() >= 0
    assert np.abs(np.diff(actions, axis=0)).max() < 0.15


def test_actions_do_not_flicker() -> None:
    generator = np.random.default_rng(4)
    noisy = sitter()
    noisy = replace(noisy, root_positions=noisy.root_positions + generator.normal(scale=0.002, size=(len(noisy), 3)))
    dominant = actions_of(noisy).argmax(axis=1)
    assert np.count_nonzero(np.diff(dominant == SIT)) == 2


RECORDED = {
    "stepstool": ("cmu_asfamc/sit/14_31.bvh", "sit", 0.4),
    "high stool": ("cmu_asfamc/sit/14_27.bvh", "sit", 0.4),
    "a walk to a high seat": ("cmu_asfamc/sit/86_09.bvh", "sit", 0.25),
    "three steps": ("cmu_asfamc/stairs/14_22.bvh", "climb", 0.25),
    "ladder": ("cmu_asfamc/climb/14_33.bvh", "climb", 0.3),
    "box picked up and carried": ("accad_male1/carry/Male1_B19_WalkToPickUpBox_Working.bvh", "carry", 0.35),
    "box carried": ("accad_male1/carry/Male1_B20_WalkWithBox.bvh", "carry", 0.8),
    "something put on the floor": ("hdm05_asfamc/carry/HDM_bd_depositFloorR_002_120.bvh", "carry", 0.2),
    "from a crouch to lying": ("accad_male1/crouch/Male1_A8_CrouchToLie.bvh", "lie", 0.9),
    "lying down and getting up": ("hdm05_asfamc/crouch/HDM_tr_lieDownFloor_020_120.bvh", "lie", 0.6),
    "boxing": ("cmu_asfamc/boxing/17_10.bvh", "strike", 0.15),
    "front kick": ("hdm05_asfamc/boxing/HDM_mm_kickLFront1Reps_021_120.bvh", "strike", 0.3),
    "swordplay": ("cmu_asfamc/sword/02_07.bvh", "strike", 0.1),
}


def recorded_actions(file: Path) -> Array:
    clip = read_bvh(file)
    contacts = find_contacts(clip, BIPED_PRESET, {})
    feet = [BIPED_PRESET.foot_columns(foot) for foot in "LR"]
    down = np.stack([contacts.state[:, columns].any(axis=1) for columns in feet], axis=1)
    ground = np.stack([contacts.ground_heights[:, columns[-1]] for columns in feet], axis=1)
    return find_actions(
        clip, find_gaits(clip, down, ground), contacts.consistent_probability, contacts.sensor_names, ground
    )


@pytest.mark.parametrize("file, action, share", RECORDED.values(), ids=RECORDED.keys())
def test_recorded_clips_have_their_action(shared_data: Path, file: str, action: str, share: float) -> None:
    dominant = recorded_actions(shared_data / "mocap" / file).argmax(axis=1)
    assert np.mean(dominant == ACTION_NAMES.index(action)) > share


LOCOMOTION = ["walk/35_01", "walk/07_12", "run/09_01", "turn/16_18", "turn/91_01", "terrain/03_03", "run/127_04"]


@pytest.mark.parametrize("name", LOCOMOTION)
def test_recorded_locomotion_has_no_interaction(shared_data: Path, name: str) -> None:
    actions = recorded_actions(shared_data / "mocap" / "cmu_asfamc" / f"{name}.bvh")
    assert actions[:, [ACTION_NAMES.index(action) for action in INTERACTION_NAMES]].sum(axis=1).max() < 0.5
