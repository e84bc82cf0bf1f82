"""Angles of the body from the positions of its joints."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation.posture import (
    across_vectors,
    arm_vectors,
    directed_lean,
    foot_elevation,
    line_tilt,
    line_yaw,
    trunk_lean,
    trunk_vectors,
)
from footfall.core.motion import Clip
from footfall.tests.support.walker import Walker


def test_a_lean_is_ahead_or_to_the_right_of_a_heading() -> None:
    vectors = np.array([[0.0, 0.5, 1.0], [0.5, 0.0, 1.0]])
    ahead, right = directed_lean(vectors, np.array([0.0, 1.0]))
    assert ahead == pytest.approx([np.degrees(np.arctan(0.5)), 0])
    assert right == pytest.approx([0, np.degrees(np.arctan(0.5))])


def test_lines_across_the_body_turn_left_and_tilt_up() -> None:
    angles = np.radians([170.0, 190.0, 210.0])
    across = np.stack([np.cos(angles), np.sin(angles), np.tan(np.radians([0.0, 5.0, -5.0]))], axis=-1)
    assert np.diff(line_yaw(across)) == pytest.approx([20, 20])
    assert line_tilt(across) == pytest.approx([0, 5, -5])


def test_bodies_without_trunk_or_arms(gliding: Callable[..., Clip]) -> None:
    clip = gliding(np.zeros((3, 2)))
    assert across_vectors(clip, "upper_arm") is None and arm_vectors(clip, "L") is None
    with pytest.raises(FootfallError, match="neck"):
        trunk_lean(clip)
    assert trunk_lean(Walker(seconds=1.0).clip()).max() == pytest.approx(0, abs=1e-6)


def test_a_trunk_reaches_to_the_neck_or_to_what_is_next_to_it() -> None:
    clip = Walker(seconds=0.5).clip()
    for missing in ((), ("neck",), ("neck", "head")):
        roles = {role: joint for role, joint in clip.skeleton.roles.items() if role not in missing}
        top = next(role for role in ("neck", "head", "chest") if role not in missing)
        trunk = trunk_vectors(replace(clip, skeleton=replace(clip.skeleton, roles=roles)))
        np.testing.assert_array_equal(
            trunk, clip.positions[:, clip.skeleton.joint(top)] - clip.positions[:, clip.skeleton.joint("hips")]
        )


def test_lean_turns_with_the_heading_of_each_frame() -> None:
    vectors = np.tile([0.3, 0.4, 1.0], (4, 1))
    headings = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    ahead, right = directed_lean(vectors, headings)
    angle = np.degrees(np.arctan([0.3, 0.4]))
    assert ahead == pytest.approx([angle[0], angle[1], -angle[0], -angle[1]])
    assert right == pytest.approx([-angle[1], angle[0], angle[1], -angle[0]])


def test_lines_go_from_right_to_left_arms_down_and_toes_up() -> None:
    clip = Walker(seconds=0.5).clip()
    at = {role: clip.positions[:, joint] for role, joint in clip.skeleton.roles.items()}
    across = across_vectors(clip, "thigh")
    assert across is not None
    np.testing.assert_array_equal(across, at["thigh.L"] - at["thigh.R"])
    for side in "LR":
        arm, rise = arm_vectors(clip, side), foot_elevation(clip, side)
        assert arm is not None and rise is not None
        np.testing.assert_array_equal(arm, at[f"forearm.{side}"] - at[f"upper_arm.{side}"])
        sole = at[f"toe.{side}"] - at[f"foot.{side}"]
        np.testing.assert_allclose(rise, np.degrees(np.arctan2(sole[:, 2], np.linalg.norm(sole[:, :2], axis=1))))


@pytest.mark.parametrize("missing", ["forearm.L", "upper_arm.L"])
def test_an_arm_needs_both_of_its_joints(missing: str) -> None:
    clip = Walker(seconds=0.5).clip()
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if role != missing}
    clip = replace(clip, skeleton=replace(clip.skeleton, roles=roles))
    assert arm_vectors(clip, "L") is None and arm_vectors(clip, "R") is not None
    assert (across_vectors(clip, "upper_arm") is None) == (missing == "upper_arm.L")


def test_a_foot_without_a_toe_has_no_elevation() -> None:
    clip = Walker(seconds=0.5).clip()
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if role != "toe.L"}
    clip = replace(clip, skeleton=replace(clip.skeleton, roles=roles))
    assert foot_elevation(clip, "L") is None and foot_elevation(clip, "R") is not None
