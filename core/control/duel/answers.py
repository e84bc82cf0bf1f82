"""Answers of a struck body: it is pushed by a hit, or dodges."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...motion.rotations import Array, exp, multiply, normalize
from ...scene.body_capsules import BodyCapsules
from ...tuning import Tuning, tuned
from ..strike.guard_steps import joints_below
from .beats import Beat

PUSH_PEAK_S: Final = {"head": 0.1, "neck": 0.11, "chest": 0.14, "spine": 0.16, "hips": 0.18}
"""Time, seconds, from a hit to the largest displacement of each part: the struck part moves first, the hips last."""


@dataclass(frozen=True, slots=True)
class AnswersTuning(Tuning):
    push_span: float = tuned(1.4, "s", 0.3, 5.0)
    """Time after which a push has decayed."""
    kick_ratio: float = tuned(1.5, "1", 0.0, 5.0)
    """Strength of the push from a foot's hit, relative to a hand's."""
    dodge: tuple[float, float, float] = tuned((0.3, 0.08, 0.5), "s", 0.01, 2.0)
    """Durations in which a dodge builds up to its largest displacement at the beat, holds it, and fades."""
    dodge_clearance: float = tuned(0.03, "m", 0.0, 0.3)
    """Smallest distance between the striking limb and a body that dodges it."""
    dodge_span: float = tuned(0.25, "s", 0.0, 1.0)
    """Time before and after a beat during which a dodge has to clear the strike."""


TUNING: Final = AnswersTuning()

HEAD_PUSH_RAD: Final = {"head": 0.3, "neck": 0.2, "chest": 0.15, "spine": 0.12}
"""Largest bend of each trunk joint away from the striker after a hit to the head, radians."""
CHEST_PUSH_RAD: Final = {"head": -0.25, "chest": 0.08, "spine": 0.12}
"""Largest bend of each trunk joint away from the striker after a hit to the chest, radians; below 0 the head lags."""
LOW_PUSH_RAD: Final = {"head": -0.2, "chest": 0.05, "spine": -0.18}
"""Largest bend of each trunk joint away from the striker after a hit below the chest, radians; negative: forward."""
PUSH_M: Final = {"head": 0.04, "chest": 0.06}
"""Largest displacement of the hips by a hit to the head, and by a hit to any other part, meters."""
STRIKING_ROLES: Final = {"hand": ("hand", "forearm", "weapon"), "foot": ("foot", "shin")}
"""Bones of each striking limb, including the weapon in a hand."""


def push(clip: Clip, beat: Beat, way: Array) -> Clip:
    """Return a receiver's motion, pushed by a hit along `way` (3), a unit direction; feet stay, and the push decays.

    The push and its velocity are zero at the beat's frame: x(t) = (t / T)^2 exp(2 - 2 t / T), with its peak at T.
    """
    level = normalize(way * np.array([1.0, 1.0, 0.0]))
    strength = TUNING.kick_ratio if beat.effector.startswith("foot") else 1.0
    bends = {"head": HEAD_PUSH_RAD, "chest": CHEST_PUSH_RAD}.get(beat.part, LOW_PUSH_RAD)
    seconds = (np.arange(len(clip)) - beat.frame) / clip.rate

    def pushed(role: str) -> Array:
        share = np.clip(seconds, 0.0, TUNING.push_span) / PUSH_PEAK_S[role]
        fade = 1.0 - smooth_step((seconds - TUNING.push_span / 2) / (TUNING.push_span / 2))
        return strength * share**2 * np.exp(2.0 - 2.0 * share) * fade

    shift = PUSH_M["head" if beat.part == "head" else "chest"] * pushed("hips")
    return _leaned(clip, np.outer(shift, level), {role: size * pushed(role) for role, size in bends.items()}, level)


def dodge(clip: Clip, beat: Beat, striker: Clip, way: Array) -> Clip:
    """Return the motion of a body that dodges a strike.

    Of leans, slips and ducks, the smallest that avoids the striking limb is used or, if none does, the one that stays
    farthest from it.

    Args:
        clip: motion of the receiver.
        beat: the beat.
        striker: motion of the striker.
        way: (3) unit direction of the strike.
    """
    best, farthest = clip, -np.inf
    for candidate in _dodges(clip, beat, way):
        distance = limb_distance(candidate, beat, striker)
        if distance > farthest:
            best, farthest = candidate, distance
        if distance >= TUNING.dodge_clearance:
            break
    return best


def _dodges(clip: Clip, beat: Beat, way: Array) -> Iterator[Clip]:
    """Yield candidate motions of a body that dodges a strike, small dodges first."""
    seconds = (np.arange(len(clip)) - beat.frame) / clip.rate
    weight = rise_and_fall(seconds, TUNING.dodge)
    back = normalize(way * np.array([1.0, 1.0, 0.0]))
    aside = np.array([back[1], -back[0], 0.0])
    down = np.array([0.0, 0.0, -1.0])
    head = beat.part == "head"
    kinds = (
        [(0.07 * aside + 0.05 * down, aside, 0.35), (-0.07 * aside + 0.05 * down, -aside, 0.35)]
        if head
        else [(0.12 * back, back, 0.1)]
    )
    kinds += [(0.12 * back, back, 0.3), (0.25 * down + 0.05 * back, -back, 0.25), (0.2 * back + 0.05 * down, back, 0.4)]
    for size in (1.0, 1.3):
        for shift, direction, bend in kinds:
            bends = {"spine": 0.5 * bend, "chest": 0.5 * bend, "neck": -0.2 * bend}
            yield _leaned(
                clip,
                np.outer(size * weight, shift),
                {role: size * share * weight for role, share in bends.items()},
                direction,
            )


def limb_distance(clip: Clip, beat: Beat, striker: Clip) -> float:
    """Return the smallest distance, meters, between a striker's limb and the receiver's trunk or head near a beat.

    Args:
        clip: motion of the receiver.
        beat: the beat.
        striker: motion of the striker.
    """
    part, _, side = beat.effector.partition(".")
    span = round(TUNING.dodge_span * clip.rate)
    frames = slice(max(beat.frame - span, 0), min(beat.frame + span + 1, len(clip), len(striker)))
    own, other = (BodyCapsules.from_skeleton(one.skeleton) for one in (striker, clip))
    limb = own.sphere_indices([f"{role}.{side}" for role in STRIKING_ROLES[part]])
    trunk = other.sphere_indices(["head", "neck", "chest", "spine", "hips", "thigh"])
    first = own.sphere_centres(striker.cut(frames.start, frames.stop))[:, limb]
    second = other.sphere_centres(clip.cut(frames.start, frames.stop))[:, trunk]
    gaps = np.linalg.norm(first[:, :, None] - second[:, None], axis=-1)
    return float((gaps - own.radii[limb][:, None] - other.radii[trunk]).min())


def rise_and_fall(seconds: Array, times: tuple[float, float, float]) -> Array:
    """Return the weights (F), 0 to 1, of a response at F times, seconds since a beat, at which it is full.

    Args:
        seconds: (F) times since the beat.
        times: durations of rise, stay and fall, seconds.
    """
    rise, stay, fall = times
    return smooth_step((seconds + rise) / rise) * (1.0 - smooth_step((seconds - stay) / fall))


def _leaned(clip: Clip, shift: Array, bends: Mapping[str, Array], direction: Array) -> Clip:
    """Return a motion with hips shifted (F, 3), meters, and trunk bent (F), radians, toward a horizontal direction.

    Feet stay where they are.
    """
    skeleton = clip.skeleton
    positions, rotations = (values.copy() for values in clip.world)
    legs = [Leg.of(skeleton, side) for side in "LR"]
    ankles = [positions[:, leg.foot].copy() for leg in legs]
    positions += shift[:, None]
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(skeleton, positions, rotations, leg, ankle)
    axis = np.cross(np.array([0.0, 0.0, 1.0]), direction)
    for role, angle in bends.items():
        if role in skeleton.roles:
            bent = [skeleton.roles[role], *joints_below(skeleton, skeleton.roles[role])]
            rotations[:, bent] = multiply(exp(angle[:, None] * axis)[:, None], rotations[:, bent])
    return with_world_rotations(clip, clip.root_positions + shift, rotations)
