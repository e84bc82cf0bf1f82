"""Refinement of a staged duel: strikes touch, receivers answer, and bodies do not overlap."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...labelling.semantics.blows import Blow
from ...motion import Clip
from ...motion.rotations import Array
from ...motion.weapons import weapon_role
from ...tuning import Tuning, tuned
from ..strike import exact_strike
from ..strike.blow_retargeting import retarget_blow
from ..strike.strike_takes import with_part
from . import hand_answers
from .answers import STRIKING_ROLES, dodge, limb_distance, push
from .body_contact import effector_gap, nearest_surfaces, spheres_of, way_to_contact, way_to_point
from .duel_clearance import give_way, overlapping_spans
from .duel_staging import StagedStrike
from .hand_answers import Parry, choose_parry, open_guard, parried
from .limb_clearance import ARM_ROLES, keep_arms_out, keep_limb_out
from .weapon import with_grip, with_hand_as


@dataclass(frozen=True, slots=True)
class DuelRefinementTuning(Tuning):
    max_foot_error: float = tuned(0.015, "m", 0.0, 0.1)
    """Largest distance by which the refinement of a strike may move a standing foot."""
    contact_rounds: int = tuned(4, "1", 1, 30)
    """Largest number of corrections to bring a strike into contact with the body."""
    clearance_rounds: int = tuned(4, "1", 1, 30)
    """Number of rounds that move bodies apart and bring strikes back to their targets."""
    arm_rounds: int = tuned(5, "1", 1, 30)
    """Number of rounds, after the ``clearance_rounds``, in which arms are pushed out of each other."""
    contact_tolerance: float = tuned(0.003, "m", 1e-4, 0.05)
    """Largest gap between end effector and body that counts as touching."""
    answer: tuple[float, float] = tuned((0.7, 1.6), "s", 0.1, 5.0)
    """Longest durations of an answer before and after its beat."""


TUNING: Final = DuelRefinementTuning()


Met = tuple[dict[str, Clip], list[float]]
"""Motion of each character by name, and each beat's distance, meters, as :class:`.duel.Meeting` defines it."""


def meet_beats(clips: dict[str, Clip], strikes: Sequence[StagedStrike]) -> Generator[float, None, Met]:
    """Refine motions until every strike touches or is answered; yield the finished share of the work, 0 to 1.

    Args:
        clips: motion of each character by name.
        strikes: the strikes of the beats, in order of time.

    Returns:
        The refined motions by name, and each beat's distance at its frame, meters, as :class:`.duel.Meeting` defines
            it.

    Raises:
        FootfallError: a strike cannot be brought to its target or answered; the message gives the distance.
    """
    clips, strikes = dict(clips), list(strikes)
    steps = len(strikes) * (1 + TUNING.clearance_rounds + TUNING.arm_rounds)
    for done in accumulate(_refined(clips, strikes)):
        yield done / steps
    return clips, [_distance(clips, strike) for strike in strikes]


def _refined(clips: dict[str, Clip], strikes: list[StagedStrike]) -> Iterator[int]:
    """Refine motions and strikes, modifying both in place; yield 1 after each strike of a round and 0 in between."""
    parries, staged = dict[int, Parry](), dict(clips)
    for number, strike in enumerate(strikes):
        strikes[number] = strike = _cross(clips, _bring_home(clips, strike))
        if strike.beat.answer == "parry" and strike.counter is None:
            receiver, striker = (clips[name] for name in (strike.beat.receiver, strike.beat.striker))
            parries[number] = choose_parry(receiver, strike.beat, striker, strike.way)
        if strike.counter is None:
            _answer(clips, strike, parries.get(number))
        yield 1
    pairs = {tuple(sorted((strike.beat.striker, strike.beat.receiver))) for strike in strikes}
    spans = [(pair, *span) for pair in sorted(pairs) for span in overlapping_spans(*(clips[name] for name in pair))]
    for _ in range(TUNING.clearance_rounds):
        for pair, start, stop in spans:
            clips |= dict(zip(pair, give_way(*(clips[name] for name in pair), start, stop), strict=True))
            yield 0
        for number, strike in enumerate(strikes):
            strikes[number] = strike = _cross(clips, _bring_home(clips, strike))
            striker, receiver = strike.beat.striker, strike.beat.receiver
            clips[striker] = keep_limb_out(clips[striker], strike, clips[receiver])
            if number in parries:
                _answer(clips, strike, parries[number])
            yield 1
    for _ in range(TUNING.arm_rounds):
        for strike in strikes:
            _part_arms(clips, strike)
            yield 1
    for name, clip in clips.items():
        clips[name] = with_grip(clip, staged[name])


def _part_arms(clips: dict[str, Clip], strike: StagedStrike) -> None:
    """Push the arms of a beat's two characters out of each other, modifying `clips` in place."""
    beat = strike.beat
    striker, receiver, frame = beat.striker, beat.receiver, beat.frame
    limb = STRIKING_ROLES[beat.effector.partition(".")[0]]
    held = () if beat.answer == "dodge" else (beat.effector,)
    parrying = ("hand.L", "hand.R") if beat.answer == "parry" else ()
    clips[striker] = keep_arms_out(clips[striker], clips[receiver], frame, ARM_ROLES, held)
    clips[receiver] = keep_arms_out(clips[receiver], clips[striker], frame, {*ARM_ROLES, *limb}, parrying)


def _bring_home(clips: dict[str, Clip], strike: StagedStrike) -> StagedStrike:
    """Move an end effector onto the body that it hits, or else to its target, modifying `clips` in place.

    Returns:
        The corrected strike.

    Raises:
        FootfallError: the target is out of reach; the message says by how much.
    """
    beat, striker, receiver = strike.beat, clips[strike.beat.striker], clips[strike.beat.receiver]
    for _ in range(TUNING.contact_rounds):
        made = clips[beat.striker] = _brought(striker, strike)
        if beat.answer != "hit":
            break
        if beat.point is not None:
            way = way_to_point(made, receiver, beat)
        else:
            way = way_to_contact(made, beat.frame, beat.effector, receiver, beat.part, strike.way)
        if np.linalg.norm(way) < TUNING.contact_tolerance:
            break
        strike = replace(strike, target=strike.target + way)
    return strike


def _cross(clips: dict[str, Clip], strike: StagedStrike) -> StagedStrike:
    """Move a parrying weapon onto the striking one, modifying `clips` in place, and return the corrected strike.

    Raises:
        FootfallError: the weapon is out of reach; the message says by how much.
    """
    counter = strike.counter
    if counter is None:
        return strike
    whole, struck = clips[counter.beat.striker], _weapon_of(clips, strike)
    for _ in range(TUNING.contact_rounds):
        clips[counter.beat.striker] = _brought(whole, counter)
        gap, toward = nearest_surfaces(_weapon_of(clips, counter), struck)
        if abs(gap) < TUNING.contact_tolerance:
            break
        counter = replace(counter, target=counter.target + gap * toward)
    return replace(strike, counter=counter)


def _weapon_of(clips: dict[str, Clip], strike: StagedStrike) -> tuple[Array, Array]:
    """Return the spheres of a strike's weapon at the beat's frame; see ``body_contact.spheres_of``."""
    beat, clip = strike.beat, clips[strike.beat.striker]
    return spheres_of(clip, beat.frame, weapon_role(clip.skeleton, beat.effector))


def _brought(striker: Clip, strike: StagedStrike) -> Clip:
    """Return the striker's motion with its end effector at its target at the beat's frame."""
    beat = strike.beat
    blow = Blow(beat.effector, strike.blow.start, beat.frame, min(strike.blow.stop, len(striker) - 1))
    made = retarget_blow(striker, blow, strike.target[None])
    if made.misses[0] > exact_strike.TUNING.max_miss or made.foot_errors[0] > TUNING.max_foot_error:
        raise FootfallError(
            "The strike of {name} at frame {frame} reaches its target only by moving feet or joints {miss} cm "
            "out of place: strike another body part, or strike with another hand or foot",
            name=beat.striker,
            frame=beat.frame,
            miss=f"{100 * max(float(made.misses[0]), float(made.foot_errors[0])):.1f}",
        )
    part = Clip(striker.skeleton, striker.rate, made.root_positions[0], made.rotations[0])
    if weapon_role(striker.skeleton, beat.effector) != beat.effector:
        part = with_hand_as(part, made.own, made.blow)
    return with_part(striker, blow.apex - made.blow.apex, part)


def _answer(clips: dict[str, Clip], strike: StagedStrike, hand: Parry | None) -> None:
    """Make the receiver answer a strike, modifying `clips` in place; a parry uses the given hand."""
    whole = clips[strike.beat.receiver]
    before, after = (round(seconds * whole.rate) for seconds in TUNING.answer)
    first, stop = max(strike.beat.frame - before, 0), min(strike.beat.frame + after, len(whole))
    receiver, striker = whole.cut(first, stop), clips[strike.beat.striker].cut(first, stop)
    beat = replace(strike.beat, frame=strike.beat.frame - first)
    if hand is not None:
        made = parried(receiver, beat, striker, hand, hand_answers.TUNING.parry_rounds)
    elif beat.answer == "dodge":
        made = dodge(receiver, beat, striker, strike.way)
    else:
        made = open_guard(push(receiver, beat, strike.way), beat, striker, strike.way)
    clips[beat.receiver] = with_part(whole, first, made)


def _distance(clips: dict[str, Clip], strike: StagedStrike) -> float:
    """Return the distance of a beat, meters, as in ``duel.Meeting``."""
    beat = strike.beat
    striker, receiver = clips[beat.striker], clips[beat.receiver]
    if beat.answer == "dodge":
        return limb_distance(receiver, beat, striker)
    if strike.counter is not None:
        return nearest_surfaces(_weapon_of(clips, strike.counter), _weapon_of(clips, strike))[0]
    if beat.answer == "parry":
        hands = (effector_gap(striker, beat.frame, beat.effector, receiver, f"hand.{side}") for side in "LR")
        return min(hands, key=abs)
    if beat.point is not None:
        return float(np.linalg.norm(way_to_point(striker, receiver, beat)))
    return effector_gap(striker, beat.frame, beat.effector, receiver, beat.part)
