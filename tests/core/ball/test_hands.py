"""Hands as a ball meets them."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.ball.hands import read_hands, rest_hand_axes
from footfall.core.motion.rotations import rotation_about_up
from footfall.tests.support.walker import Walker, person


@pytest.mark.parametrize(("side", "out"), [("L", 1.0), ("R", -1.0)])
def test_palms_face_down_where_arms_point_sideways(side: str, out: float) -> None:
    fingers, palm, thumb = rest_hand_axes(person(), side)
    np.testing.assert_allclose(fingers, [out, 0.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(palm, [0.0, 0.0, -1.0], atol=1e-9)
    np.testing.assert_allclose(thumb, [0.0, -1.0, 0.0], atol=1e-9)


def test_palms_face_inwards_where_arms_hang() -> None:
    skeleton = person()
    offsets = skeleton.offsets.copy()
    for name in ("lradius", "lwrist", "rradius", "rwrist"):
        joint = skeleton.names.index(name)
        offsets[joint] = [0.0, 0.0, -np.linalg.norm(offsets[joint])]
    tips = np.where(offsets[:, 2:] < -0.15, [0.0, 0.0, -0.1], 0.0)
    hanging = replace(skeleton, offsets=offsets, tips=tips)
    for side, inwards in (("L", -1.0), ("R", 1.0)):
        _, palm, thumb = rest_hand_axes(hanging, side)
        np.testing.assert_allclose(palm, [inwards, 0.0, 0.0], atol=1e-9)
        np.testing.assert_allclose(thumb, [0.0, -1.0, 0.0], atol=1e-9)


def test_frames_of_hands_and_trunk_turn_with_the_body() -> None:
    clip = Walker(seconds=1.0).clip()
    hands = read_hands(clip)
    turn = rotation_about_up(np.array(0.7))
    turned = read_hands(clip.transformed(turn, np.array([3.0, -1.0, 0.0])))
    np.testing.assert_allclose(
        hands.into_hands(hands.elbows - hands.wrists), turned.into_hands(turned.elbows - turned.wrists), atol=1e-9
    )
    np.testing.assert_allclose(hands.into_trunk(hands.gaze), turned.into_trunk(turned.gaze), atol=1e-9)
    ahead = hands.into_trunk(np.gradient(hands.hips, axis=0)).mean(axis=0)
    assert ahead[1] > 3 * abs(ahead[0]), "the walker walks ahead"
    np.testing.assert_allclose(hands.out_of_hands(hands.into_hands(hands.wrists)), hands.wrists, atol=1e-9)
