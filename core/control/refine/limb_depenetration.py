"""Arms and legs led round things: each limb by itself, on one side of what it would be in.

Elbows and knees swing out, hands and feet go along unless they hold something or stand; a foot that stands is put down
elsewhere for as long as it stands.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.blending import carried
from ...motion.limb_ik import Leg, reach, reach_hand, swing, turned, with_world_rotations
from ...motion.rotations import Array, between
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import Moving
from .depenetration import ANY, SIDEWAYS, Part, ways_round
from .elbow_swivel import elbows_out

ROUNDS: Final = 3
ARM: Final = ("upper_arm", "forearm", "hand")
LEG: Final = ("thigh", "shin", "foot")
ARMS_WAY, HANDS_WAY, LEGS_WAY = 0.35, 0.12, 0.2
"""Metres by which arms, fingertips and legs are moved, at most."""
SWINGING: Final = 24
"""Frames over which a foot comes to where it stands elsewhere, at most."""


def limbs_clear(
    clip: Clip,
    things: Sequence[Moving],
    spared: Sequence[NDArray[np.bool_]],
    holding: dict[str, Array],
    standing: NDArray[np.bool_],
) -> Clip:
    """The clip with arms and legs out of the things that they would be in.

    Args:
        clip: F frames.
        things: as they are at each frame.
        spared: for each thing (F, S) the spheres of :class:`BodyCapsules` that may be in it, or about it.
        holding: how much (F), from 0 to 1, a hand stays where it is, by role.
        standing: (F, 2) whether feet stand, left and right.
    """
    body = BodyCapsules.of(clip.skeleton)
    for _ in range(ROUNDS):
        before = clip
        for number, side in enumerate("LR"):
            if _has(clip, LEG, side):
                clip = _legs(body, clip, things, spared, side, standing[:, number])
            if _has(clip, ARM, side):
                stays = holding.get(f"hand.{side}", np.zeros(len(clip)))
                clip = _arms(body, clip, things, spared, side, stays)
                clip = elbows_out(body, clip, things, spared, side, stays)
                clip = _hands(body, clip, things, spared, side)
        if clip is before:
            break
    return clip


def _has(clip: Clip, limb: tuple[str, str, str], side: str) -> bool:
    return all(f"{part}.{side}" in clip.skeleton.roles for part in limb)


def _arms(
    body: BodyCapsules,
    clip: Clip,
    things: Sequence[Moving],
    spared: Sequence[NDArray[np.bool_]],
    side: str,
    stays: Array,
) -> Clip:
    """An arm, whose hand stays where it is as far (F) as it holds something."""
    way = ways_round(body, clip, things, spared, _limb(body, ARM, side, stays, ANY, ARMS_WAY))
    if way is None:
        return clip
    return _moved(clip, ARM, side, way, (1 - stays)[:, None] * way)


def _hands(
    body: BodyCapsules, clip: Clip, things: Sequence[Moving], spared: Sequence[NDArray[np.bool_]], side: str
) -> Clip:
    """A hand, turned about its wrist."""
    spheres = body.spheres_of((f"hand.{side}",))
    levers = np.broadcast_to(body.along[spheres], (len(clip), len(spheres)))
    way = ways_round(body, clip, things, spared, Part(spheres, levers, ANY, HANDS_WAY))
    if way is None:
        return clip
    tip = body.spheres(clip)[:, spheres[-1]] - clip.positions[:, clip.skeleton.role(f"hand.{side}")]
    return turned(clip, clip.skeleton.role(f"hand.{side}"), between(tip, tip + way))


def _legs(
    body: BodyCapsules,
    clip: Clip,
    things: Sequence[Moving],
    spared: Sequence[NDArray[np.bool_]],
    side: str,
    stands: NDArray[np.bool_],
) -> Clip:
    """A leg; where its foot stands, it does so elsewhere for as long as it stands."""
    way = ways_round(body, clip, things, spared, _limb(body, LEG, side, np.zeros(len(clip)), SIDEWAYS, LEGS_WAY))
    if way is None:
        return clip
    stood = way.copy()
    for start, stop in runs_of(stands):
        stood[start:stop] = way[start + int(np.linalg.norm(way[start:stop], axis=1).argmax())]
    if stands.any():
        carried_on = carried(stood, runs_of(stands), SWINGING)
        more = ~stands & (np.linalg.norm(way, axis=1) > np.linalg.norm(carried_on, axis=1))
        stood = np.where(more[:, None], way, carried_on)
    return _moved(clip, LEG, side, stood, stood)


def _limb(
    body: BodyCapsules,
    limb: tuple[str, str, str],
    side: str,
    stays: Array,
    ways: tuple[tuple[int, float], ...],
    farthest: float,
) -> Part:
    """A limb whose middle joint is moved by 1, and its end so far as it does not stay (F)."""
    spheres = body.spheres_of([f"{part}.{side}" for part in limb])
    along = body.along[spheres]
    part = np.array([limb.index(body.roles[bone].partition(".")[0]) for bone in body.numbers[spheres]])
    goes = (1 - stays)[:, None]
    levers = np.where(part == 0, along, np.where(part == 1, 1 - along + along * goes, goes))
    return Part(spheres, levers, ways, farthest)


def _moved(clip: Clip, limb: tuple[str, str, str], side: str, middle: Array, end: Array) -> Clip:
    """The clip with a limb's middle joint led one way (F, 3), and its end brought another from where it is."""
    positions, rotations = (array.copy() for array in clip.world)
    first, bent, last = (clip.skeleton.role(f"{part}.{side}") for part in limb)
    target = positions[:, last] + end
    swing(positions, rotations, (first, bent, last), middle)
    if limb is ARM:
        reach_hand(clip.skeleton, positions, rotations, side, target)
    else:
        reach(clip.skeleton, positions, rotations, Leg.of(clip.skeleton, side), target)
    return with_world_rotations(clip, clip.root_positions, rotations)
