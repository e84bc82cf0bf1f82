"""Bearing contacts: contacts of a foot's heel or ball that has ground under it.

A foot longer than a stair tread or the top of a stone stands on one end; the other end is held in the air beyond the
edge, as on stairs climbed on the balls of the feet.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.heel import BALL_HEIGHT_M
from ...motion.limb_ik import Leg
from ...motion.proportions import ADULT_LEG_LENGTH_M, TOE_JOINT_HEIGHT_M
from ...motion.roles import is_quadruped
from ...motion.rotations import UP
from ...retarget.contacts import SolePoints
from ...terrain.ground import Plane, Scene, ground_heights_at
from ...tuning import Tuning, tuned
from . import sole_solver

# Lengths in meters are those of an adult; they are multiplied by the body's scale.


@dataclass(frozen=True, slots=True)
class Bearing(Tuning):
    edge_depth: float = tuned(0.03, "m", 0.005, 0.2)
    """Depth of the ground below a held heel or ball beyond which it counts as hanging over an edge."""
    bearing_gap: float = tuned(0.01, "m", 0.0, 0.05)
    """Largest height above the ground at which the foot's other end counts as standing."""


TUNING: Final = Bearing()


def bearing_contacts(clip: Clip, contacts: FootContacts, scene: Scene, standing: Clip | None = None) -> FootContacts:
    """Return the contacts without those of heels or balls that hang over an edge while the foot's other end stands.

    A foot with neither end on the ground keeps its contacts: it floats, and no edge is involved.

    Args:
        clip: The motion, with feet held.
        contacts: held contacts.
        scene: The ground.
        standing: The same body on level ground, whose flat feet define heels and soles; by default the clip itself.
    """
    if isinstance(scene, Plane) or is_quadruped(clip.skeleton.roles):
        return contacts
    scale = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    kept = contacts.held.copy()
    for index, side in enumerate("LR"):
        leg = Leg.of(clip.skeleton, side)
        if leg.toe is None:
            continue
        soles, pair = SolePoints.from_clip(clip, leg, standing), contacts.held[:, 2 * index : 2 * index + 2]
        gaps = np.full(pair.shape, np.inf)
        for column, (points, above) in enumerate(
            ((soles.heel, TOE_JOINT_HEIGHT_M - BALL_HEIGHT_M), (soles.ball, TOE_JOINT_HEIGHT_M))
        ):
            ground = ground_heights_at(scene, points + UP * sole_solver.TUNING.probe_height * scale)
            gaps[:, column] = np.where(np.isnan(ground), np.inf, points[:, 2] - above * scale - ground)
        bears = pair & (gaps <= TUNING.bearing_gap * scale)
        kept[:, 2 * index : 2 * index + 2] &= ~((gaps > TUNING.edge_depth * scale) & bears[:, ::-1])
    return FootContacts(kept.astype(float))
