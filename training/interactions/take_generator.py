"""Generation of takes by number; the motion that they are made of is loaded once per process."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from .clip_transitions import NoTransitionError
from .motion_library import MotionLibrary, read_motion_library
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

MAX_ATTEMPTS: Final = 100
"""Attempts to make a take."""
CAPTURED_HEIGHT_ATTEMPT: Final = 25
"""Attempt from which the seat has the height that was captured."""
GOLDEN_RATIO_FRACTION: Final = 0.618034
"""Step of the additive recurrence by which kinds of takes alternate evenly (low-discrepancy sequence)."""
KIND_SHARES: Final = {
    "carry": 0.32,
    "open": 0.14,
    "stroll": 0.05,
    "detour": 0.15,
    "lie": 0.06,
    "push": 0.06,
    "climb": 0.08,
    "sit_ground": 0.06,
    "lean": 0.06,
}
"""Share of takes of each kind, in this order; the others are sitting.

Where nothing but climbs, rests on the ground or leans are asked for, takes are of these, strolls and detours.
"""


@dataclass(frozen=True, slots=True)
class TakeGenerator:
    """Recipe of takes, as file names; picklable.

    Attributes:
        controller: the controller whose skeleton and walks are used.
        sitting: captured sitting down and standing up.
        carrying: captured pick-ups, carrying and putting down.
        seed: seed of everything.
        varied: whether seats and boxes have many sizes and heights, among clutter (NSM section 5.2); else all takes
            have the same chair, and the same box at its captured height.
        clips: captured clips of any of these.
        lying: captured lying down and getting up; without any no take shows it.
        climbing: captured climbs; without any no take shows one.
        ground_sitting: captured sitting down on the ground and getting up; without any no take shows it.
        leaning: whether takes show leaning on tables, rails and walls, which needs no clips.
    """

    controller: Path
    sitting: tuple[Path, ...] = ()
    carrying: tuple[Path, ...] = ()
    seed: int = 0
    varied: bool = True
    clips: tuple[Path, ...] = ()
    lying: tuple[Path, ...] = ()
    climbing: tuple[Path, ...] = ()
    ground_sitting: tuple[Path, ...] = ()
    leaning: bool = False

    def __call__(self, number: int) -> InteractionTake:
        """Return take ``number``, which is deterministic."""
        library = load_motion_library(self)
        kind = kind_of(library, number, self.leaning)
        for attempt in range(MAX_ATTEMPTS):
            seed = (self.seed * 1_000_003 + number) * MAX_ATTEMPTS + attempt
            try:
                take = self._make(library, kind, seed, attempt >= CAPTURED_HEIGHT_ATTEMPT)
            except NoTransitionError:
                continue
            if take is not None:
                return take if self.varied else _without_clutter(take)
        raise FootfallError(
            "Take {number} ({kind}) could not be made in {MAX_ATTEMPTS} attempts: its clips leave no room to walk up "
            "to the object; name others beside them",
            number=number,
            kind=kind,
            MAX_ATTEMPTS=MAX_ATTEMPTS,
        )

    def _make(self, library: MotionLibrary, kind: str, seed: int, captured_height: bool) -> InteractionTake | None:
        """Return a take with clutter, or ``None`` if the attempt failed."""
        walks, source = library.walk_library, library.source
        if kind == "carry":
            return make_carry_take(
                library.pick_ups, library.carry_clips, walks, source, seed, self.varied, library.boxes
            )
        if kind == "open":
            return make_door_take(walks, source, seed)
        if kind in GROUND_RESTS:
            rest = GROUND_RESTS[kind]
            return make_ground_take(rest, library.pieces_of(rest.posture), walks, source, seed)
        if kind == "push":
            return make_push_take(walks, source, seed)
        if kind == "lean":
            return make_lean_take(walks, source, seed)
        if kind == "climb":
            return make_climb_take(library.climbs, walks, source, seed)
        if kind == "stroll":
            return make_locomotion_take(walks, source, seed)
        if kind == "detour":
            return make_detour_take(walks, source, seed)
        return make_sit_take(library.sit_motions, walks, source, seed, self.varied, captured_height)


def kind_of(library: MotionLibrary, number: int, leaning: bool = False) -> str:
    """Return the kind of take ``number``; takes of sitting are of another kind where no clip shows sitting."""
    carries = library.shows_carrying
    others = {
        "lie": library.shows_lying,
        "climb": library.climbs,
        "sit_ground": library.shows_ground_sitting,
        "lean": leaning,
    }
    missing = {kind for kind, shown in {"carry": carries, **others}.items() if not shown}
    uses_objects = carries or library.shows_sitting
    if not uses_objects:
        missing |= {"open", "push"}
    share = (number * GOLDEN_RATIO_FRACTION) % 1.0
    for kind, part in KIND_SHARES.items():
        if kind in missing:
            continue
        share -= part
        if share < 0:
            return kind
    if uses_objects:
        return "sit" if library.shows_sitting else "carry"
    shown = [kind for kind in others if kind not in missing]
    return shown[number % len(shown)]


def _without_clutter(take: InteractionTake) -> InteractionTake:
    """Return a take without clutter; the wall of a door stays."""
    own = [one for one in take.objects if one.kind != "obstacle"]
    return replace(take, objects=take.objects[:2] if own and own[0].kind == "door" else tuple(own))


@cache
def load_motion_library(generator: TakeGenerator) -> MotionLibrary:
    """Load the motion of a recipe, once per process.

    Raises:
        FootfallError: a file cannot be used, or there is too little to make takes of.
    """
    return read_motion_library(
        generator.controller,
        generator.sitting,
        generator.carrying,
        generator.clips,
        generator.seed,
        generator.lying,
        generator.climbing,
        generator.ground_sitting,
        generator.leaning,
    )
