"""Detours, found by search, that lead a limb around the other body instead of through it.

A push toward the nearest side does not lead around a limb, since the nearest side changes within a frame or two. So
many displacements of arms, elbows and bodies are tried, and the smallest that separates the two bodies is kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.hand_holds import HAND_PAIRS
from ...motion.rotations import Array
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.body_overlap import BodyOverlap, body_overlaps, deepest_overlap
from ...tuning import Tuning, tuned
from ..passes.partner_clearance import ARM_ROLES, give_way, lean
from .joined_hands import palm_distances


@dataclass(frozen=True, slots=True)
class DetoursTuning(Tuning):
    searched_depth: float = tuned(0.018, "m", 0.0, 0.1)
    """Penetration depth beyond which a detour is searched."""
    goal_depth: float = tuned(0.014, "m", 0.0, 0.1)
    """Largest penetration depth at which bodies count as separate."""
    fades: tuple[float, float] = tuned((0.35, 0.2), "s", 0.05, 2.0)
    """Durations of a displacement's fade in and out: the usual one, and a shorter one to try where it fails."""
    detours: int = tuned(3, "1", 1, 20)
    """Largest number of displacements that are combined to resolve one overlap."""
    arm_sizes: tuple[float, ...] = tuned((0.05, 0.1, 0.18, 0.28), "m", 0.005, 0.6)
    """Displacements of wrists to try."""
    elbow_sizes: tuple[float, float] = tuned((0.1, 0.2), "m", 0.005, 0.6)
    """Displacements of elbows to try."""
    body_sizes: tuple[float, float] = tuned((0.03, 0.06), "m", 0.005, 0.6)
    """Displacements of bodies above their feet to try."""
    min_gain: float = tuned(0.15, "1", 0.0, 1.0)
    """Smallest share of the penetration depth that each displacement must remove."""
    max_parting: float = tuned(0.01, "m", 0.0, 0.1)
    """Largest distance by which a detour may move apart palms that hold each other."""


TUNING: Final = DetoursTuning()

CORNERS: Final = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / np.sqrt(3.0)
DIRECTIONS: Final = np.concatenate([np.eye(3), -np.eye(3), CORNERS])
"""Unit directions (14, 3), world, of displacements to try."""

Pair = tuple[Clip, Clip]


@dataclass(frozen=True, slots=True, eq=False)
class Detour:
    """A displacement of a limb or body, to try as a way around the other body.

    Attributes:
        character: index of the displaced character, 0 or 1.
        part: displaced part: a wrist together with the hand that holds it, an elbow, or the body above its feet.
        side: side of the arm, ``"L"`` or ``"R"``.
        way: (3) displacement, meters, world.
    """

    character: int
    part: Literal["wrist", "elbow", "body"]
    side: str
    way: Array


def lead_around(first: Clip, second: Clip, holds: NDArray[np.bool_]) -> Pair:
    """Return both motions with limbs led around the other body wherever they would pass through it.

    Args:
        first: motion of the first character.
        second: motion of the second character, with the same frames.
        holds: (F, 4) whether the hands of each of ``hand_holds.HAND_PAIRS`` hold each other.
    """
    pair = first, second
    for fade_s in TUNING.fades:
        pair = _with_detours(pair, holds, round(fade_s * first.rate))
    return pair


def _with_detours(pair: Pair, holds: NDArray[np.bool_], fade: int) -> Pair:
    """Return both motions with detours that fade in and out over `fade` frames."""
    deep = deepest_overlap(*pair, holds) > TUNING.searched_depth
    for start, stop in _moments(deep, fade):
        window = slice(max(start - fade, 0), min(stop + fade, len(deep)))
        away = np.maximum(start - np.arange(window.start, window.stop), np.arange(window.start, window.stop) - stop + 1)
        weights = smooth_step(1.0 - np.maximum(away, 0) / (fade + 1))
        there = pair[0].cut(window.start, window.stop), pair[1].cut(window.start, window.stop)
        moved = _led_around(there, holds[window], weights)
        pair = _replaced(pair[0], moved[0], window.start), _replaced(pair[1], moved[1], window.start)
    return pair


def _moments(deep: NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """Return the (first, end) frame ranges in which `deep` is true, merging ranges less than `gap` frames apart."""
    moments: list[tuple[int, int]] = []
    for start, stop in runs_of(deep):
        if moments and start - moments[-1][1] < gap:
            moments[-1] = moments[-1][0], int(stop)
        else:
            moments.append((int(start), int(stop)))
    return moments


def _led_around(pair: Pair, holds: NDArray[np.bool_], weights: Array) -> Pair:
    """Return a part (F frames) of both motions with detours applied by weights (F)."""
    palms = palm_distances(*pair)
    for _ in range(TUNING.detours):
        overlaps = body_overlaps(*pair, holds)
        least = _excess(overlaps[0].depths.max(axis=1))
        best, limit = None, (1.0 - TUNING.min_gain) * least
        for detour in _candidates(pair, overlaps):
            trial = _displaced(pair, detour, holds, weights)
            excess = _excess(deepest_overlap(*trial, holds))
            if excess < limit and (palm_distances(*trial) - palms)[holds].max(initial=0.0) < TUNING.max_parting:
                best, limit = trial, 0.8 * excess
            if best is not None and limit == 0.0:
                break
        if best is None:
            return pair
        pair = best
        if limit == 0.0:
            return pair
    return pair


def _excess(depths: Array) -> float:
    """Return the penetration beyond ``goal_depth``, summed over frames, from the depths (F) of frames, meters."""
    return float(np.maximum(depths - TUNING.goal_depth, 0.0).sum())


def _candidates(pair: Pair, overlaps: tuple[BodyOverlap, BodyOverlap]) -> Iterator[Detour]:
    """Yield displacements to try for the arms that are too deep and for both bodies, smallest first."""
    arms = []
    for character, (clip, overlap) in enumerate(zip(pair, overlaps, strict=True)):
        body = BodyCapsules.from_skeleton(clip.skeleton)
        spheres = np.flatnonzero(overlap.depths.max(axis=0) > TUNING.goal_depth)
        roles = {body.roles[body.sphere_capsules[sphere]] for sphere in spheres}
        arms += [(character, side) for side in "LR" if roles & {f"{role}.{side}" for role in ARM_ROLES}]
    for rank in range(len(TUNING.arm_sizes)):
        for way in DIRECTIONS:
            for character, side in arms:
                yield Detour(character, "wrist", side, TUNING.arm_sizes[rank] * way)
                if rank < len(TUNING.elbow_sizes):
                    yield Detour(character, "elbow", side, TUNING.elbow_sizes[rank] * way)
            if rank < len(TUNING.body_sizes) and way[2] <= 0.0:
                for character in range(2):
                    yield Detour(character, "body", "", TUNING.body_sizes[rank] * way)


def _displaced(pair: Pair, detour: Detour, holds: NDArray[np.bool_], weights: Array) -> Pair:
    """Return a part (F frames) of both motions with a displacement applied by weights (F).

    Hands that hold each other move together.
    """
    clips, shift, none = [*pair], np.outer(weights, detour.way), np.zeros((len(weights), 3))
    number, other = detour.character, 1 - detour.character
    if detour.part == "elbow":
        clips[number] = give_way(clips[number], detour.side, none, shift)
        return clips[0], clips[1]
    if detour.part == "wrist":
        clips[number] = give_way(clips[number], detour.side, shift, none)
        for sides, held in zip(HAND_PAIRS, holds.T, strict=True):
            if held.any() and sides[number] == detour.side:
                clips[other] = give_way(clips[other], sides[other], shift, none)
        return clips[0], clips[1]
    clips[number] = lean(clips[number], shift)
    for side in {sides[number] for sides, held in zip(HAND_PAIRS, holds.T, strict=True) if held.any()}:
        clips[number] = give_way(clips[number], side, -shift, none)
    return clips[0], clips[1]


def _replaced(clip: Clip, part: Clip, start: int) -> Clip:
    """Return a motion whose frames from `start` on are replaced with those of `part`."""
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    roots[start : start + len(part)], rotations[start : start + len(part)] = part.root_positions, part.rotations
    return Clip(clip.skeleton, clip.rate, roots, rotations, clip.name)
