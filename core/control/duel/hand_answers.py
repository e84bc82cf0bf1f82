"""Answers of a struck character's hands: one hand parries the strike, or both move out of its way."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.rotations import Array, normalize
from ...scene.body_capsules import BodyCapsules
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...tuning import Tuning, tuned
from ..strike.strike_takes import with_part
from .answers import STRIKING_ROLES, rise_and_fall
from .beats import Beat
from .body_contact import nearest_surfaces, spheres_of


@dataclass(frozen=True, slots=True)
class HandAnswersTuning(Tuning):
    parry: tuple[float, float, float] = tuned((0.25, 0.06, 0.4), "s", 0.01, 2.0)
    """Durations in which a parrying hand moves to its parry, stays there, and returns."""
    parry_sweep: float = tuned(0.12, "m", 0.0, 0.5)
    """Lateral distance from the parry at which the hand's sweep into the strike starts, and, beyond the parry, ends."""
    parry_sweep_time: float = tuned(0.15, "s", 0.02, 1.0)
    """Duration of the hand's sweep into the strike."""
    parry_leaving: float = tuned(0.1, "s", 0.02, 1.0)
    """Time in which the strike knocks the parrying hand back."""
    parry_rounds: int = tuned(5, "1", 1, 30)
    """Largest number of corrections until the surfaces of hand and end effector touch."""
    parry_ways: int = tuned(8, "1", 1, 64)
    """Number of directions around a strike that are tried for a parry."""
    beat_cost: float = tuned(10.0, "1", 0.0, 100.0)
    """Weight of the receiver's arm penetration at the beat's frame, when hands cannot move, relative to other frames.
    """
    choice_rounds: int = tuned(2, "1", 1, 30)
    """Number of corrections of the parrying hand in each direction, while the directions are compared."""
    beside: float = tuned(0.07, "m", 0.0, 0.3)
    """Initial distance of the parrying hand from the striking end effector, to its side."""
    opening: tuple[float, float, float] = tuned((0.3, 0.12, 0.45), "s", 0.01, 2.0)
    """Durations in which hands clear the path of a strike that hits, stay clear, and return."""
    opening_rounds: int = tuned(4, "1", 1, 30)
    """Largest number of corrections until hands are clear of the strike."""
    opening_margin: float = tuned(0.01, "m", 0.0, 0.2)
    """Clearance between the striking limb and hands that have moved out of its path."""
    span: float = tuned(0.25, "s", 0.0, 1.0)
    """Time before and after the beat in which arm penetration counts in the choice of a parry."""


TUNING: Final = HandAnswersTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Parry:
    """A hand that parries, and the side of the striking end effector at which it does.

    Attributes:
        side: ``"L"`` or ``"R"``.
        outward: (3) unit direction from the striking end effector to the hand.
    """

    side: str
    outward: Array


def choose_parry(clip: Clip, beat: Beat, striker: Clip, way: Array) -> Parry:
    """Return a parry by the hand nearer to the strike, on the side on which its arm penetrates the striker least.

    Args:
        clip: motion of the receiver.
        beat: the beat.
        striker: motion of the striker.
        way: (3) unit direction of the strike.
    """
    end = striker.positions[beat.frame, striker.skeleton.joint(beat.effector)]
    hands = {side: clip.positions[beat.frame, clip.skeleton.joint(f"hand.{side}")] for side in "LR"}
    side = min(hands, key=lambda side: float(np.linalg.norm(hands[side] - end)))
    right, up = normalize(np.array([way[1], -way[0], 0.0])), np.array([0.0, 0.0, 1.0])
    angles = np.linspace(0.0, 2 * np.pi, TUNING.parry_ways, endpoint=False)
    tries = [Parry(side, np.cos(angle) * right + np.sin(angle) * up) for angle in angles]

    def cost(hand: Parry) -> float:
        depths = _arm_depths(parried(clip, beat, striker, hand, TUNING.choice_rounds), beat, striker)
        at_beat = min(beat.frame, round(TUNING.span * clip.rate))
        return float(depths.sum() + TUNING.beat_cost * depths[at_beat].sum())

    return min(tries, key=cost)


def parried(clip: Clip, beat: Beat, striker: Clip, hand: Parry, rounds: int) -> Clip:
    """Return the motion of a receiver whose hand parries: it touches the striking end effector at the beat's frame.

    Args:
        clip: motion of the receiver.
        beat: the beat.
        striker: motion of the striker.
        hand: the parrying hand.
        rounds: largest number of iterations that correct the hand's position.
    """
    frame, seconds = beat.frame, (np.arange(len(clip)) - beat.frame) / clip.rate
    meeting, weights = spheres_of(striker, frame, beat.effector), rise_and_fall(seconds, TUNING.parry)
    leaving = np.clip(seconds / TUNING.parry_leaving, 0.0, 1.0)
    sweep = TUNING.parry_sweep * (smooth_step(-seconds / TUNING.parry_sweep_time) + leaving)[:, None] * hand.outward
    goal = striker.positions[frame, striker.skeleton.joint(beat.effector)] + TUNING.beside * hand.outward
    made = clip
    for _ in range(rounds):
        made = _hand_on(clip, f"hand.{hand.side}", goal + sweep, weights)
        gap, toward = nearest_surfaces(spheres_of(made, frame, f"hand.{hand.side}"), meeting)
        if abs(gap) < 1e-3:
            break
        goal = goal + gap * toward
    return made


def open_guard(clip: Clip, beat: Beat, striker: Clip, way: Array) -> Clip:
    """Return the motion of a receiver whose hands clear the path of a strike that hits.

    Args:
        clip: motion of the receiver.
        beat: the beat.
        striker: motion of the striker.
        way: (3) unit direction of the strike.
    """
    weights = rise_and_fall((np.arange(len(clip)) - beat.frame) / clip.rate, TUNING.opening)
    end = striker.positions[beat.frame, striker.skeleton.joint(beat.effector)]
    for _ in range(TUNING.opening_rounds):
        depths = _arm_depths(clip, beat, striker)
        if depths.max(initial=0.0) <= 0.0:
            break
        for side, depth in zip("LR", depths.max(axis=0), strict=True):
            if depth > 0.0 and beat.part not in (f"upper_arm.{side}", f"forearm.{side}"):
                hand = clip.positions[:, clip.skeleton.joint(f"hand.{side}")]
                aside = hand[beat.frame] - end
                aside = normalize(aside - (aside @ way) * way)
                clip = _hand_on(clip, f"hand.{side}", hand + (depth + TUNING.opening_margin) * aside, weights)
    return clip


def _hand_on(clip: Clip, role: str, path: Array, weights: Array) -> Clip:
    """Return the motion with a hand drawn to a path (F, 3), meters, world, by weights (F), using full-body IK."""
    first, stop = int(np.argmax(weights > 0.0)), len(weights) - int(np.argmax(weights[::-1] > 0.0))
    wanted = EffectorGoal(role, path[first:stop], weights[first:stop])
    return with_part(clip, first, solve_full_body_ik(clip.cut(first, stop), [wanted]))


def _arm_depths(clip: Clip, beat: Beat, striker: Clip) -> Array:
    """Return how deep (F, 2), meters, the left and right arm are in the striking limb.

    0 in frames far from the beat.
    """
    part, _, side = beat.effector.partition(".")
    span = round(TUNING.span * clip.rate)
    first, stop = max(beat.frame - span, 0), min(beat.frame + span + 1, len(clip), len(striker))
    body, other = (BodyCapsules.from_skeleton(each.skeleton) for each in (clip, striker))
    limb = other.sphere_indices([f"{role}.{side}" for role in STRIKING_ROLES[part]])
    striking, receiving = other.sphere_centres(striker.cut(first, stop)), body.sphere_centres(clip.cut(first, stop))
    depths = []
    for arm in "LR":
        own = body.sphere_indices([f"{role}.{arm}" for role in ("hand", "forearm")])
        gaps = np.linalg.norm(striking[:, limb, None] - receiving[:, None, own], axis=-1)
        depths.append((other.radii[limb][:, None] + body.radii[own] - gaps).max(axis=(1, 2)))
    return np.maximum(np.stack(depths, axis=1), 0.0)
