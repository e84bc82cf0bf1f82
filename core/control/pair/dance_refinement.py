"""Refinement of a dance: held hands are joined, and bodies are moved out of each other."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

from ...jobs.steps import finished
from ...tuning import Tuning, tuned
from ..passes.partner_clearance import keep_apart
from ..passes.steady_elbows import steady_elbows
from .detours import lead_around
from .joined_hands import join_hands
from .partner_dance import Dance


@dataclass(frozen=True, slots=True)
class DanceRefinementTuning(Tuning):
    rounds: int = tuned(28, "1", 1, 200)
    """Number of rounds of joining hands and moving bodies apart, which partly undo each other."""
    steady_round: int = tuned(22, "1", 0, 200)
    """Round before which elbows are smoothed; the later rounds then clear the arms again."""


TUNING: Final = DanceRefinementTuning()


def refine_dance(dance: Dance) -> Dance:
    """Return a dance in which palms of held hands coincide and bodies do not penetrate each other."""
    return finished(refine_in_steps(dance))


def refine_in_steps(dance: Dance) -> Generator[float, None, Dance]:
    """Refine a dance as :func:`refine_dance` does; yield the finished share of the work, 0 to 1.

    Hands are joined last: they meet wherever both arms reach, even if that leaves an arm inside the other body.
    """
    leader, follower = dance.leader, dance.follower
    first, second = leader.clip, follower.clip
    for done in range(TUNING.rounds):
        yield done / TUNING.rounds
        if done == TUNING.steady_round:
            first, second = steady_elbows(first), steady_elbows(second)
        first, second = keep_apart(first, second, dance.holds, (leader.contacts, follower.contacts))
        first, second = join_hands(first, second, dance.holds)
    first, second = lead_around(first, second, dance.holds)
    return replace(dance, leader=replace(leader, clip=first), follower=replace(follower, clip=second))
