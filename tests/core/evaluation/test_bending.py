from dataclasses import replace

import numpy as np

from footfall.core.evaluation.bending import flexion_angles, hinge_axes
from footfall.core.motion import Clip
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.walker import Walker

CLIP = Walker(seconds=2.0).clip()


def kneed(angles: np.ndarray) -> Clip:
    """The walker with left knees bent by so many degrees (F), about the axis that they do bend about."""
    axis = hinge_axes(CLIP)["knee"][0]
    rotations = CLIP.rotations.copy()
    turns = from_axis_angle(np.broadcast_to(axis, (len(angles), 3)), np.radians(angles))
    rotations[:, CLIP.skeleton.joint("shin.L")] = turns
    return replace(CLIP, rotations=rotations)


def test_knees_and_elbows_are_bent_as_they_are() -> None:
    wanted = np.linspace(-40.0, 170.0, len(CLIP))
    bent = flexion_angles(kneed(wanted), hinge_axes(CLIP))
    np.testing.assert_allclose(bent["knee"][:, 0], wanted, atol=0.5)
    assert set(bent) == {"knee", "elbow"} and (flexion_angles(CLIP, hinge_axes(CLIP))["knee"] >= 0).all()
