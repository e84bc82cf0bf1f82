"""Joining of held hands: by IK, both arms reach for one point between the palms.

Within a hold the palms coincide wherever both arms reach. Before and after it, and where a hand switches from one hand
to another, the correction is blended (Kovar, Schreiner and Gleicher 2002).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.blending import blend_corrections
from ...motion.hand_holds import HAND_PAIRS
from ...motion.limb_ik import MAX_REACH_RATIO, solve_arm_ik, with_world_rotations
from ...motion.rotations import Array, rotate
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class JoinedHandsTuning(Tuning):
    blend: float = tuned(0.35, "s", 0.05, 2.0)
    """Time over which hands blend into a hold, and out of it."""
    switch: float = tuned(0.15, "s", 0.0, 1.0)
    """Time before and after a hand switches from one hand to another in which it holds neither."""
    palm_ratio: float = tuned(0.6, "1", 0.0, 1.0)
    """Position of the palm's middle along the hand's bone, from 0 at the wrist to 1."""
    reach_rounds: int = tuned(24, "1", 1, 200)
    """Number of alternating projections that find a point within reach of both arms."""


TUNING: Final = JoinedHandsTuning()

ARM_PARTS: Final = ("upper_arm", "forearm", "hand")


def palm_positions(clip: Clip, side: str) -> Array:
    """Return the positions (F, 3) of the middle of a palm, meters, world."""
    hand = clip.skeleton.joint(f"hand.{side}")
    positions, rotations = clip.world
    offset = TUNING.palm_ratio * clip.skeleton.bone_vectors[hand]
    return positions[:, hand] + rotate(rotations[:, hand], np.broadcast_to(offset, (len(clip), 3)))


def palm_distances(first: Clip, second: Clip) -> Array:
    """Return the distances (F, 4), meters, between the palms of each pair of hands in ``hand_holds.HAND_PAIRS``."""
    palms = [{side: palm_positions(clip, side) for side in "LR"} for clip in (first, second)]
    return np.stack([np.linalg.norm(palms[0][a] - palms[1][b], axis=-1) for a, b in HAND_PAIRS], axis=-1)


def join_hands(first: Clip, second: Clip, holds: NDArray[np.bool_]) -> tuple[Clip, Clip]:
    """Return both motions with the palms of hands that hold each other brought together.

    Args:
        first: motion of the first character.
        second: motion of the second character, with the same frames.
        holds: (F, 4) whether the hands of each of ``hand_holds.HAND_PAIRS`` hold each other; a hand holds at most one.
    """
    clips = first, second
    corrections = [{side: np.zeros((len(first), 3)) for side in "LR"} for _ in clips]
    known = [{side: np.zeros(len(first), dtype=bool) for side in "LR"} for _ in clips]
    for held, sides in zip(_without_switches(holds, round(TUNING.switch * first.rate)).T, HAND_PAIRS, strict=True):
        if held.any():
            palms = [palm_positions(clip, side)[held] for clip, side in zip(clips, sides, strict=True)]
            place = _meeting_places(clips, sides, palms, held)
            for number, side in enumerate(sides):
                corrections[number][side][held] = place - palms[number]
                known[number][side] |= held
    fade = round(TUNING.blend * first.rate)
    joined = [
        _with_wrists_moved(
            clip, {side: blend_corrections(own[side], runs_of(where[side]), fade) for side in "LR" if where[side].any()}
        )
        for clip, own, where in zip(clips, corrections, known, strict=True)
    ]
    return joined[0], joined[1]


def _without_switches(holds: NDArray[np.bool_], margin: int) -> NDArray[np.bool_]:
    """Return holds (F, 4) without the frames around a hand's switch from one hand to another.

    Args:
        holds: holds of ``hand_holds.HAND_PAIRS``.
        margin: number of frames before and after a switch in which neither hand is held.
    """
    kept = holds.copy()
    for column, sides in enumerate(HAND_PAIRS):
        for other, others in enumerate(HAND_PAIRS):
            if other == column or not (sides[0] == others[0] or sides[1] == others[1]):
                continue
            for start, _ in runs_of(holds[:, other]):
                if holds[max(start - margin, 0) : start, column].any():
                    kept[max(start - margin, 0) : start + margin, [column, other]] = False
    return kept


def _meeting_places(
    clips: tuple[Clip, Clip], sides: tuple[str, str], palms: list[Array], held: NDArray[np.bool_]
) -> Array:
    """Return the points (N, 3), meters, where the palms (N, 3) of a hold meet: midway, or where both arms can reach.

    Alternating projections onto the spheres that the arms reach (von Neumann 1950).
    """
    place = (palms[0] + palms[1]) / 2
    reaches = []
    for clip, side, palm in zip(clips, sides, palms, strict=True):
        first, middle, last = (clip.skeleton.joint(f"{part}.{side}") for part in ARM_PARTS)
        length = float(np.linalg.norm(clip.skeleton.offsets[[middle, last]], axis=-1).sum())
        # A hand keeps its rotation, so that its palm is always as far from its wrist.
        reaches.append((clip.positions[held, first] + palm - clip.positions[held, last], MAX_REACH_RATIO * length))
    for _ in range(TUNING.reach_rounds):
        for center, radius in reaches:
            away = place - center
            sizes = np.linalg.norm(away, axis=-1, keepdims=True)
            place = center + away * np.minimum(1.0, radius / np.maximum(sizes, 1e-9))
    return place


def _with_wrists_moved(clip: Clip, displacements: dict[str, Array]) -> Clip:
    """Return a motion with the wrist of each given side displaced by (F, 3), meters."""
    if not displacements:
        return clip
    positions, rotations = (array.copy() for array in clip.world)
    for side, displacement in displacements.items():
        wrist = positions[:, clip.skeleton.joint(f"hand.{side}")] + displacement
        solve_arm_ik(clip.skeleton, positions, rotations, side, wrist)
    return with_world_rotations(clip, clip.root_positions, rotations)
