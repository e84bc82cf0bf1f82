"""Refinement of a staged duel: strikes that touch, answers to them, and bodies that stay out of each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...labelling.semantics.blows import Blow
from ...motion import Clip
from ..refine.blow_retargeting import retarget_blow
from .answers import STRIKING_ROLES, dodge, limb_distance, push
from .body_contact import effector_gap, way_to_contact, way_to_point
from .duel_clearance import give_way, overlapping_spans
from .duel_staging import StagedStrike
from .exact_strike import MAX_MISS_M
from .hand_answers import PARRY_ROUNDS, Parry, choose_parry, open_guard, parried
from .limb_clearance import ARM_ROLES, keep_arms_out, keep_limb_out
from .strike_takes import with_part

MAX_FOOT_ERROR_M: Final = 0.015
"""Largest distance by which a strike may draw a standing foot from its place."""
CONTACT_ROUNDS: Final = 4
"""Corrections after which a strike touches the body."""
CLEARANCE_ROUNDS: Final = 4
"""Rounds of bodies kept apart and strikes brought home again."""
ARM_ROUNDS: Final = 5
"""Rounds, after these, in which arms are pushed out of arms."""
CONTACT_TOLERANCE_M: Final = 0.003
"""Gap at which it does."""


def meet_beats(clips: dict[str, Clip], strikes: Sequence[StagedStrike]) -> tuple[dict[str, Clip], list[float]]:
    """Return the motions with every beat met, and the distance of each at its frame, meters.

    Args:
        clips: of the characters, as staged.
        strikes: in time.

    Raises:
        FootfallError: a beat is not met, with by how much.
    """
    clips, strikes, parries = dict(clips), list(strikes), dict[int, Parry]()
    for number, strike in enumerate(strikes):
        strikes[number] = strike = _bring_home(clips, strike)
        if strike.beat.answer == "parry":
            receiver, striker = (clips[name] for name in (strike.beat.receiver, strike.beat.striker))
            parries[number] = choose_parry(receiver, strike.beat, striker, strike.way)
        _answer(clips, strike, parries.get(number))
    pairs = {tuple(sorted((strike.beat.striker, strike.beat.receiver))) for strike in strikes}
    spans = {pair: overlapping_spans(*(clips[name] for name in pair)) for pair in sorted(pairs)}
    for _ in range(CLEARANCE_ROUNDS):
        for pair, each in spans.items():
            clips |= dict(zip(pair, give_way(*(clips[name] for name in pair), each), strict=True))
        for number, strike in enumerate(strikes):
            strikes[number] = strike = _bring_home(clips, strike)
            striker, receiver = strike.beat.striker, strike.beat.receiver
            clips[striker] = keep_limb_out(clips[striker], strike, clips[receiver])
            if number in parries:
                _answer(clips, strike, parries[number])
    for _ in range(ARM_ROUNDS):
        for strike in strikes:
            _part_arms(clips, strike)
    return clips, [_distance(clips, strike) for strike in strikes]


def _part_arms(clips: dict[str, Clip], strike: StagedStrike) -> None:
    """Push the arms of both characters of a beat out of each other, in place."""
    beat = strike.beat
    striker, receiver, frame = beat.striker, beat.receiver, beat.frame
    limb = STRIKING_ROLES[beat.effector.partition(".")[0]]
    held = () if beat.answer == "dodge" else (beat.effector,)
    parrying = ("hand.L", "hand.R") if beat.answer == "parry" else ()
    clips[striker] = keep_arms_out(clips[striker], clips[receiver], frame, ARM_ROLES, held)
    clips[receiver] = keep_arms_out(clips[receiver], clips[striker], frame, {*ARM_ROLES, *limb}, parrying)


def _bring_home(clips: dict[str, Clip], strike: StagedStrike) -> StagedStrike:
    """Bring an end effector onto the body that it hits, else to its place, in place; return the strike as it is then.

    Raises:
        FootfallError: it is not reached, with by how much.
    """
    beat, striker, receiver = strike.beat, clips[strike.beat.striker], clips[strike.beat.receiver]
    for _ in range(CONTACT_ROUNDS):
        made = clips[beat.striker] = _brought(striker, strike)
        if beat.answer != "hit":
            break
        if beat.point is not None:
            way = way_to_point(made, receiver, beat)
        else:
            way = way_to_contact(made, beat.frame, beat.effector, receiver, beat.part, strike.way)
        if np.linalg.norm(way) < CONTACT_TOLERANCE_M:
            break
        strike = replace(strike, target=strike.target + way)
    return strike


def _brought(striker: Clip, strike: StagedStrike) -> Clip:
    """Return the striker's motion with its end effector at its target on the beat."""
    beat = strike.beat
    blow = Blow(beat.effector, strike.blow.start, beat.frame, min(strike.blow.stop, len(striker) - 1))
    made = retarget_blow(striker, blow, strike.target[None])
    if made.misses[0] > MAX_MISS_M or made.foot_errors[0] > MAX_FOOT_ERROR_M:
        raise FootfallError(
            "The strike of {name} at frame {frame} reaches its target only with feet or joints out of place "
            "({miss} cm off): choose another part or end effector",
            name=beat.striker,
            frame=beat.frame,
            miss=f"{100 * max(float(made.misses[0]), float(made.foot_errors[0])):.1f}",
        )
    part = Clip(striker.skeleton, striker.rate, made.root_positions[0], made.rotations[0])
    return with_part(striker, blow.apex - made.blow.apex, part)


def _answer(clips: dict[str, Clip], strike: StagedStrike, hand: Parry | None) -> None:
    """Let the receiver answer, in place; with a hand if it parries."""
    beat, striker, receiver = strike.beat, clips[strike.beat.striker], clips[strike.beat.receiver]
    if hand is not None:
        made = parried(receiver, beat, striker, hand, PARRY_ROUNDS)
    elif beat.answer == "dodge":
        made = dodge(receiver, beat, striker, strike.way)
    else:
        made = open_guard(push(receiver, beat, strike.way), beat, striker, strike.way)
    clips[beat.receiver] = made


def _distance(clips: dict[str, Clip], strike: StagedStrike) -> float:
    """Return the distance at which a beat is met, meters; see ``duel.Meeting``."""
    beat = strike.beat
    striker, receiver = clips[beat.striker], clips[beat.receiver]
    if beat.answer == "dodge":
        return limb_distance(receiver, beat, striker)
    if beat.answer == "parry":
        hands = (effector_gap(striker, beat.frame, beat.effector, receiver, f"hand.{side}") for side in "LR")
        return min(hands, key=abs)
    if beat.point is not None:
        return float(np.linalg.norm(way_to_point(striker, receiver, beat)))
    return effector_gap(striker, beat.frame, beat.effector, receiver, beat.part)
