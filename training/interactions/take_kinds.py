"""The kinds of takes: how each is made, and its share of all takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ...core.actions import ACTION_TABLE
from ..data.sources import ClipSource
from .motion_library import MotionLibrary
from .take import InteractionTake
from .takes.carry import make_carry_take
from .takes.climb import make_climb_take
from .takes.detour import make_detour_take
from .takes.door import make_door_take
from .takes.ground import GROUND_RESTS, make_ground_take
from .takes.lean import make_lean_take
from .takes.locomotion import make_locomotion_take
from .takes.push import make_push_take
from .takes.sit import make_sit_take
from .walk_library import WalkLibrary

GOLDEN_RATIO_FRACTION: Final = 0.618034
"""Step of the low-discrepancy sequence that spreads the kinds of takes evenly over their numbers."""
SITTING: Final = "sit"
"""Kind of the takes that remain after all shares."""
CARRYING: Final = "carry"
"""Kind of the takes that remain if no clip shows sitting."""
LOCOMOTION_SHARES: Final = {"stroll": 0.05, "detour": 0.15}
"""Shares of the kinds of takes without an interaction."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to make a take.

    Attributes:
        seed: seed of all random choices.
        varied: whether seats and boxes have many sizes and heights.
        captured_height: whether the seat has the height of the captured one, not a usual height.
    """

    seed: int
    varied: bool
    captured_height: bool


TakeMaker = Callable[[MotionLibrary, Attempt], InteractionTake | None]
"""Function that makes a take; ``None`` if the attempt failed."""


@dataclass(frozen=True, slots=True)
class TakeKind:
    """A kind of take, such as carrying.

    Attributes:
        make: function that makes a take of this kind.
        is_possible: function that returns whether such takes are possible, given a library and whether leaning is
            wanted.
    """

    make: TakeMaker
    is_possible: Callable[[MotionLibrary, bool], bool]


def make_take(library: MotionLibrary, kind: str, attempt: Attempt) -> InteractionTake | None:
    """Make a take of a kind; return ``None`` if the attempt failed."""
    return (_make_sit if kind == SITTING else TAKE_KINDS[kind].make)(library, attempt)


def kind_of(library: MotionLibrary, number: int, leaning: bool = False) -> str:
    """Return the kind of take ``number``; if no clip shows sitting, other kinds replace sitting.

    If only climbs, rests on the ground or leans are requested, takes are of these kinds, locomotion and detours.
    """
    possible = [kind for kind, one in TAKE_KINDS.items() if one.is_possible(library, leaning)]
    share = (number * GOLDEN_RATIO_FRACTION) % 1.0
    for kind in possible:
        share -= share_of(kind)
        if share < 0:
            return kind
    if _uses_objects(library):
        return SITTING if library.shows_sitting else CARRYING
    shown = [kind for kind in possible if kind not in LOCOMOTION_SHARES]
    return shown[number % len(shown)]


def share_of(kind: str) -> float:
    """Return the share, 0 to 1, of a kind among all takes, for a library in which all kinds are possible."""
    return LOCOMOTION_SHARES[kind] if kind in LOCOMOTION_SHARES else ACTION_TABLE[kind].take_share


def _uses_objects(library: MotionLibrary, _leaning: bool = False) -> bool:
    """Return whether some clip shows the use of objects."""
    return library.shows_carrying or library.shows_sitting


def _of_walks(make: Callable[[WalkLibrary, ClipSource, int], InteractionTake | None]) -> TakeMaker:
    """Return a take maker that passes only walks to ``make``."""
    return lambda library, attempt: make(library.walk_library, library.source, attempt.seed)


def _of_ground_rests(kind: str) -> TakeMaker:
    """Return a take maker for a kind of rest on the ground."""

    def make(library: MotionLibrary, attempt: Attempt) -> InteractionTake | None:
        rest = GROUND_RESTS[kind]
        pieces = library.pieces_of(rest.posture)
        return make_ground_take(rest, pieces, library.walk_library, library.source, attempt.seed)

    return make


def _make_carry(library: MotionLibrary, attempt: Attempt) -> InteractionTake | None:
    clips = library.pick_ups, library.carry_clips, library.walk_library, library.source
    return make_carry_take(*clips, attempt.seed, attempt.varied, library.boxes)


def _make_climb(library: MotionLibrary, attempt: Attempt) -> InteractionTake | None:
    return make_climb_take(library.climbs, library.walk_library, library.source, attempt.seed)


def _make_sit(library: MotionLibrary, attempt: Attempt) -> InteractionTake | None:
    clips = library.sit_motions, library.walk_library, library.source
    return make_sit_take(*clips, attempt.seed, attempt.varied, attempt.captured_height)


TAKE_KINDS: Final[Mapping[str, TakeKind]] = {
    CARRYING: TakeKind(_make_carry, lambda library, _: library.shows_carrying),
    "open": TakeKind(_of_walks(make_door_take), _uses_objects),
    "stroll": TakeKind(_of_walks(make_locomotion_take), lambda _, __: True),
    "detour": TakeKind(_of_walks(make_detour_take), lambda _, __: True),
    "lie": TakeKind(_of_ground_rests("lie"), lambda library, _: library.shows_lying),
    "push": TakeKind(_of_walks(make_push_take), _uses_objects),
    "climb": TakeKind(_make_climb, lambda library, _: bool(library.climbs)),
    "sit_ground": TakeKind(_of_ground_rests("sit_ground"), lambda library, _: library.shows_ground_sitting),
    "lean": TakeKind(_of_walks(make_lean_take), lambda _, leaning: leaning),
}
"""All kinds except sitting, in the order of their shares."""
