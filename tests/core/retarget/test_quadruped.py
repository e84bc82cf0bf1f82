"""Motion of one animal on another."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.paws import ancestors, leg_chains, paw_tracks
from footfall.core.motion.rotations import (
    IDENTITY,
    from_axis_angle,
    inverse,
    multiply,
    rotate,
    rotation_about_up,
    rotation_between,
)
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.fit import fit_clip
from footfall.core.retarget.quadruped import sole_depth
from footfall.core.retarget.rest_pose import rest_position, with_rest_pose
from footfall.core.retarget.retarget import retarget
from footfall.tests.support.dog import dog, standing, trot
from footfall.tests.support.leg_bends import backward_frames
from footfall.tests.support.walker import Walker


def test_on_the_same_body_nothing_changes() -> None:
    clip, _ = trot(dog(), travels=True)
    made = retarget(clip, calibrate(clip.skeleton, clip.skeleton))
    assert np.allclose(made.positions, clip.positions, atol=1e-4)
    assert np.allclose(fit_clip(clip, clip.skeleton).positions, clip.positions, atol=1e-4)


def test_a_dog_of_twice_the_size_trots_twice_as_far() -> None:
    clip, _ = trot(dog(), travels=True)
    made = retarget(clip, calibrate(clip.skeleton, dog(2.0)))
    assert np.allclose(paw_tracks(made), 2.0 * paw_tracks(clip), atol=2e-3)


def test_a_paw_is_as_high_as_the_lowest_of_its_bones_is_deep() -> None:
    """A claw of 3 cm points down from the joint of the toe."""
    body = dog()
    leg = leg_chains(body)[0]
    paw = leg.paw
    assert paw is not None
    at = rest_position(body, paw)[2]
    below = [rest_position(body, joint)[2] for joint in range(len(body)) if paw in (joint, *ancestors(body, joint))]
    assert sole_depth(body, leg) == pytest.approx(at - min(below))
    body.tips[body.joint("toe.L")] = [0.0, -0.02, -0.03]
    lowest = min(at, rest_position(body, body.joint("toe.L"))[2] - 0.03)
    assert sole_depth(body, leg) == pytest.approx(at - lowest)
    body.tips[body.joint("toe.L")] = [0.0, -0.02, 0.03]
    assert sole_depth(body, leg) == pytest.approx(at - min(below)), "tips that point up reach nothing"
    assert sole_depth(body, replace(leg, paw=None)) == 0.0


def other_dog(ahead: float = 0.0) -> Skeleton:
    """A dog of other proportions: its trunk slopes up, its neck is low, its hind legs are straighter."""
    body = dog(1.3)
    for role, offset in (
        ("chest", [0.0, -0.4, 0.09]),
        ("neck", [0.0, -0.16, -0.02]),
        ("shin.L", [0.0, -0.03, -0.25]),
        ("shin.R", [0.0, -0.03, -0.25]),
        ("foot.L", [0.0, 0.05, -0.22]),
        ("foot.R", [0.0, 0.05, -0.22]),
        ("front_toe.L", [0.0, -0.05, -0.287]),
        ("front_toe.R", [0.0, -0.05, -0.287]),
    ):
        body.offsets[body.joint(role)] = offset
    turned = rotate(rotation_about_up(ahead), body.offsets)
    return Skeleton(body.names, body.parents, turned, body.tips, body.roles)


@pytest.mark.parametrize("yaw", (0.0, 2.0, np.pi))
def test_an_animal_that_stands_is_one_at_rest_on_any_body(yaw: float) -> None:
    """Trunks, necks and legs keep the slopes that they have at rest, and the other animal faces as the first does."""
    clip, body = standing(dog()), other_dog(yaw)
    made = retarget(clip, calibrate(clip.skeleton, body))
    rest = standing(body)
    turn = rotation_about_up(-yaw)
    wanted = rotate(turn, rest.positions - rest.positions[:, :1])
    assert np.allclose(made.positions - made.positions[:, :1], wanted, atol=1e-6)
    assert np.abs(paw_tracks(made)[..., 2] - paw_tracks(rest)[..., 2]).max() < 1e-6, "on its soles"


def slopes(clip: Clip) -> dict[str, float]:
    """Mean slopes, degrees, of trunk and neck."""
    result = {}
    for name, low, high in (("trunk", "hips", "chest"), ("neck", "neck", "head")):
        way = clip.positions[:, clip.skeleton.joint(high)] - clip.positions[:, clip.skeleton.joint(low)]
        result[name] = float(np.degrees(np.arctan2(way[:, 2], np.linalg.norm(way[:, :2], axis=-1))).mean())
    return result


def test_bones_whose_directions_at_rest_are_no_anatomical_ones_do_not_tilt_a_trunk() -> None:
    """Rigify's first bone of the spine, from which the others go, runs up and back."""
    clip, _ = trot(dog())
    body = dog()
    offset = np.array([0.0, 0.05, 0.1])
    below = [joint for joint, parent in enumerate(body.parents) if parent == 0]
    body.offsets[below] -= offset
    made = retarget(clip, calibrate(clip.skeleton, body))
    chest = [body.joint("chest"), body.joint("neck")]
    ways = [np.diff(of.positions[:, chest], axis=1) for of in (clip, made)]
    assert np.allclose(*ways, atol=5e-3)


def test_an_animal_that_sits_up_raises_its_shoulders_by_its_size() -> None:
    """A trunk twice as long pitches by about half: the front legs reach as far as the other's."""
    clip = standing(dog())
    raised = clip.world[1].copy()
    raised[:] = multiply(from_axis_angle([1.0, 0.0, 0.0], -0.4), raised)
    sitting = with_world_rotations(clip, clip.root_positions, raised)
    longer = dog()
    for role in ("spine", "chest"):
        longer.offsets[longer.joint(role)] *= 2.0
    made = retarget(sitting, calibrate(clip.skeleton, longer))

    def rise(of: Clip) -> float:
        tops = [of.positions[:, of.skeleton.joint(f"{part}.{side}"), 2] for part in ("front_thigh", "thigh")
                for side in "LR"]  # fmt: skip
        return float(np.mean(tops[0] + tops[1] - tops[2] - tops[3]) / 2)

    assert rise(made) == pytest.approx(rise(sitting), abs=1e-3)


def test_a_paw_is_flat_where_it_stands_and_hangs_where_it_is_lifted() -> None:
    clip, stands = trot(dog(), travels=True)
    body = other_dog()
    made = retarget(clip, calibrate(clip.skeleton, body))
    for number, leg in enumerate(leg_chains(body)):
        assert leg.paw is not None
        tilt = 2 * np.arccos(np.clip(np.abs(made.world[1][:, leg.paw, 0]), 0.0, 1.0))
        assert tilt[stands[:, number]].max() < 0.02
        assert tilt.max() > 0.1


def test_a_capture_whose_rest_pose_lies_along_one_axis_stands_as_it_does_in_most_of_it() -> None:
    clip, _ = trot(dog())
    pose = np.tile(IDENTITY, (len(clip.skeleton), 1))
    for leg in leg_chains(clip.skeleton):
        for joint in leg.joints:
            below = next(other for other in (*leg.joints[1:], leg.paw) if clip.skeleton.parents[other] == joint)
            pose[joint] = rotation_between(clip.skeleton.offsets[below], np.array([0.0, -1.0, 0.0]))
    zero = with_rest_pose(clip.skeleton, pose)
    world = multiply(clip.world[1], inverse(pose))
    same = with_world_rotations(Clip(zero, clip.rate, clip.root_positions, world), clip.root_positions, world)
    assert np.allclose(same.positions, clip.positions, atol=1e-9)
    made = retarget(same, calibrate(zero, dog(1.3)))
    assert np.abs(paw_tracks(made)[..., 2] - 1.3 * paw_tracks(clip)[..., 2]).max() < 0.02
    assert abs(slopes(made)["trunk"] - slopes(clip)["trunk"]) < 2.0
    assert backward_frames(made) == 0


def test_motions_on_two_legs_and_on_four_do_not_fit_each_other() -> None:
    person = Walker(seconds=0.5).clip().skeleton
    with pytest.raises(FootfallError, match="A two-legged motion does not fit a four-legged animal"):
        calibrate(person, dog())
    with pytest.raises(FootfallError, match="The motion of a four-legged animal does not fit a two-legged body"):
        calibrate(dog(), person)
