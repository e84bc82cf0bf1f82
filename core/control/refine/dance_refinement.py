"""Refinement of a dance: hands that hold each other meet, and bodies are out of each other."""

from collections.abc import Generator
from dataclasses import replace
from typing import Final

from ...jobs.steps import finished
from ..walk.partner_dance import Dance
from .detours import lead_around
from .joined_hands import join_hands
from .partner_clearance import keep_apart
from .steady_elbows import steady_elbows

ROUNDS: Final = 28
"""Rounds of both: arms that give way part hands, and hands that meet bring bodies together."""
STEADY_ROUND: Final = 22
"""Round before which elbows are steadied, which can bring arms into the other body again."""


def refine_dance(dance: Dance) -> Dance:
    """Return a dance with the palms of hands that hold each other at one place, and bodies out of each other.

    Args:
        dance: as the network makes it.
    """
    return finished(refine_in_steps(dance))


def refine_in_steps(dance: Dance) -> Generator[float, None, Dance]:
    """Refine a dance as :func:`refine_dance`; yield the share that is done.

    Hands come last: they meet where both arms reach, also where that leaves an arm in the other body.
    """
    leader, follower = dance.leader, dance.follower
    first, second = leader.clip, follower.clip
    for done in range(ROUNDS):
        yield done / ROUNDS
        if done == STEADY_ROUND:
            first, second = steady_elbows(first), steady_elbows(second)
        first, second = keep_apart(first, second, dance.holds, (leader.contacts, follower.contacts))
        first, second = join_hands(first, second, dance.holds)
    first, second = lead_around(first, second, dance.holds)
    return replace(dance, leader=replace(leader, clip=first), follower=replace(follower, clip=second))
