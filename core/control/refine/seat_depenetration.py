"""Who sits on their seat and not in it: no deeper than flesh gives way, and not leaning through its back."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.limb_ik import turned
from ...motion.rotations import Array, between
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import Moving
from ...scene.full_body_ik import Goal, reach_goals
from .depenetration import SIDEWAYS, UP, Part, ways_round

ROUNDS: Final = 3
BEGUN: Final = 0.1
"""Share of sitting from which somebody is on their seat."""
FLESH: Final = 0.02
"""Metres by which who sits sinks in."""
RISE, FORWARD, LEAN = 0.12, 0.05, 0.15
"""Metres by which who sits is moved up and forward, and their neck forward, at most."""
PARTS: Final = ((("hips", "thigh"), UP, RISE), (("spine",), SIDEWAYS, FORWARD))
"""The parts on a seat and before its back, and the ways that they are moved."""
TRUNK: Final = ("spine", "chest", "neck", "head")


def seated_clear(clip: Clip, seats: Sequence[Moving], sits: Array) -> Clip:
    """The clip with who sits out of what they sit on.

    Args:
        clip: F frames.
        seats: what they sit on, as it is at each frame.
        sits: (F) how far, from 0 to 1, they are sitting.
    """
    body, count = BodyCapsules.of(clip.skeleton), len(clip)
    upright = [np.broadcast_to((sits < BEGUN)[:, None], (count, len(body.radii)))] * len(seats)
    for _ in range(ROUNDS):
        before = clip
        for bones, ways, farthest in PARTS:
            spheres = body.spheres_of(bones)
            # Knees stay where feet that stand leave them, so that thighs rise the less the nearer they are to them.
            share = np.where(np.isin(spheres, body.spheres_of(("thigh",))), 1.0 - body.along[spheres], 1.0)
            part = Part(spheres, np.broadcast_to(share, (count, len(spheres))), ways, farthest, FLESH)
            way = ways_round(body, clip, seats, upright, part)
            if way is not None:
                hips = clip.positions[:, clip.skeleton.role("hips")]
                clip = reach_goals(clip, [Goal("hips", hips + way, np.ones(count))])
        if "spine" in clip.skeleton.roles and "neck" in clip.skeleton.roles:
            clip = _leant(body, clip, seats, upright)
        if clip is before:
            break
    return clip


def _leant(body: BodyCapsules, clip: Clip, seats: Sequence[Moving], spared: Sequence[NDArray[np.bool_]]) -> Clip:
    """The clip with the trunk, bent at its lowest joint, out of the backs of seats."""
    trunk = body.spheres_of(TRUNK)
    spine, neck = (clip.positions[:, clip.skeleton.role(role)] for role in ("spine", "neck"))
    length = np.linalg.norm(neck - spine, axis=1, keepdims=True)
    levers = np.linalg.norm(body.spheres(clip)[:, trunk] - spine[:, None], axis=-1) / length
    way = ways_round(body, clip, seats, spared, Part(trunk, levers, SIDEWAYS, LEAN))
    if way is None:
        return clip
    return turned(clip, clip.skeleton.role("spine"), between(neck - spine, neck + way - spine))
