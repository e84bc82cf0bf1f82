"""Ends of feet that hang over an edge are held, and bear nothing."""

import numpy as np
import pytest

from footfall.core.control.feet.bearing import bearing_contacts
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.proportions import ADULT_LEG_LENGTH_M, TOE_JOINT_HEIGHT_M
from footfall.core.retarget.contacts import SolePoints
from footfall.tests.support.terrain_scenes import FAR, Boxes
from footfall.tests.support.walker import person

FRAMES = 30
ALL = FootContacts(np.ones((FRAMES, 4)))


def standing() -> Clip:
    """Return a person who stands upright, with soles on the ground."""
    skeleton = person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, len(skeleton), 1))
    return Clip(skeleton, 60.0, np.tile([0.0, 0.0, 1.0], (FRAMES, 1)), rotations)


def edge_under_heels(clip: Clip, depth: float) -> Boxes:
    """Return ground that ends between heels and balls; behind it the ground is deeper."""
    soles = SolePoints.from_clip(clip, Leg.of(clip.skeleton, "L"))
    middle = float((soles.heel[0, 1] + soles.ball[0, 1]) / 2)
    top = float(soles.ball[0, 2]) - TOE_JOINT_HEIGHT_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    return Boxes([((-FAR, -FAR, top - 0.2), (FAR, middle, top)), ((-FAR, middle, top - 1.0), (FAR, FAR, top - depth))])


@pytest.mark.parametrize("depth", [0.06, 0.17])
def test_a_heel_over_an_edge_bears_nothing(depth: float) -> None:
    clip = standing()
    kept = bearing_contacts(clip, ALL, edge_under_heels(clip, depth)).held
    assert kept[:, [1, 3]].all(), "balls stand"
    assert not kept[:, [0, 2]].any()
