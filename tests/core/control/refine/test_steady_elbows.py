"""Elbows that change sides at once are led over while hands stay where they are."""

from dataclasses import replace

import numpy as np

from footfall.core.control.refine.steady_elbows import steady_elbows
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.rotations import from_axis_angle, multiply, normalize
from footfall.tests.support.walker import Walker, person

FLIP = 60
ARM = [person().joint(f"{part}.L") for part in ("upper_arm", "forearm", "hand")]


def bent_walk() -> Clip:
    """A walk whose left elbow is bent by a right angle."""
    clip = Walker(seconds=2.0).clip()
    rotations = clip.rotations.copy()
    rotations[:, ARM[1]] = multiply(rotations[:, ARM[1]], from_axis_angle([0.0, 0.0, 1.0], np.pi / 2))
    return replace(clip, rotations=rotations)


def flipped() -> Clip:
    """The same, with the elbow on the other side of the line from shoulder to wrist from a frame on."""
    clip = bent_walk()
    rotations = clip.world[1].copy()
    axis = normalize(clip.positions[:, ARM[2]] - clip.positions[:, ARM[0]])
    turn = from_axis_angle(axis, np.where(np.arange(len(clip)) < FLIP, 0.0, 2.8))
    for joint in ARM[:2]:
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    return with_world_rotations(clip, clip.root_positions, rotations)


def elbow_speed(clip: Clip) -> float:
    return float(np.linalg.norm(np.diff(clip.positions[:, ARM[1]], axis=0), axis=-1).max()) * clip.rate


def test_elbows_that_stay_on_their_side_are_left_alone() -> None:
    clip = bent_walk()
    assert steady_elbows(clip) is clip


def test_an_elbow_that_flips_swings_over_and_the_wrist_stays() -> None:
    clip = flipped()
    steady = steady_elbows(clip)
    assert elbow_speed(clip) > 15.0 and elbow_speed(steady) < 5.0
    np.testing.assert_allclose(steady.positions[:, ARM[2]], clip.positions[:, ARM[2]], atol=1e-9)
    kept = np.abs(np.arange(len(clip)) - FLIP) > 45
    np.testing.assert_allclose(steady.positions[kept], clip.positions[kept], atol=1e-3)


def test_a_straight_arm_stays_although_its_swivel_turns_over_within_a_frame() -> None:
    clip = Walker(seconds=2.0).clip()
    turns = clip.rotations.copy()
    bend = np.deg2rad(np.where(np.arange(len(clip)) < FLIP, 1.0, -1.0))
    turns[:, ARM[1]] = multiply(turns[:, ARM[1]], from_axis_angle([0.0, 0.0, 1.0], bend))
    straight = replace(clip, rotations=turns)
    assert steady_elbows(straight) is straight


def swinging(speed: float, bent: bool = True) -> Clip:
    """The walk, whose left elbow goes about the line from shoulder to wrist at a speed, m/s, for some frames."""
    clip = bent_walk()
    axis = normalize(clip.positions[:, ARM[2]] - clip.positions[:, ARM[0]])
    across = clip.positions[:, ARM[1]] - clip.positions[:, ARM[0]]
    across -= np.sum(across * axis, axis=-1, keepdims=True) * axis
    radius = np.linalg.norm(across, axis=-1)[0]
    angles = np.clip(np.arange(len(clip)) - FLIP, 0, 12) * speed / radius / clip.rate
    rotations = clip.world[1].copy()
    for joint in ARM[:2]:
        rotations[:, joint] = multiply(from_axis_angle(axis, angles), rotations[:, joint])
    return with_world_rotations(clip, clip.root_positions, rotations)


def test_elbows_about_their_arms_by_up_to_a_meter_a_second_are_left_alone() -> None:
    for speed, steady in ((0.8, True), (1.2, False)):
        clip = swinging(speed)
        assert (steady_elbows(clip) is clip) == steady


def test_a_flip_is_led_over_by_a_gaussian_of_a_tenth_of_a_second() -> None:
    """A turn by 2.8 rad has its largest speed, 2.8 / (sqrt(2 pi) 0.1 s), in its middle."""
    clip = flipped()
    steady = steady_elbows(clip)
    axis = normalize(clip.positions[:, ARM[2]] - clip.positions[:, ARM[0]])
    across = steady.positions[:, ARM[1]] - steady.positions[:, ARM[0]]
    across -= np.sum(across * axis, axis=-1, keepdims=True) * axis
    radius = np.linalg.norm(across, axis=-1)
    swivels = np.linalg.norm(np.diff(across / radius[:, None], axis=0), axis=-1) * clip.rate
    assert np.isclose(swivels.max(), 2.8 / (np.sqrt(2 * np.pi) * 0.1), rtol=0.05)
    assert abs(int(swivels.argmax()) - (FLIP - 1)) <= 1


def test_a_clip_of_a_frame_stays() -> None:
    clip = flipped().cut(0, 1)
    assert steady_elbows(clip) is clip
