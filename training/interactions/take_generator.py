"""Generation of takes by number; the motion library is loaded once per process."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.tuning import Tuning, tuned
from . import walk_library
from .clip_transitions import NoTransitionError
from .motion_library import MotionLibrary, read_motion_library
from .take import InteractionTake
from .take_kinds import Attempt, kind_of, make_take


@dataclass(frozen=True, slots=True)
class TakeGeneratorTuning(Tuning):
    max_attempts: int = tuned(100, "1", 1, 10000)
    """Largest number of attempts to make a take."""
    captured_height_attempt: int = tuned(25, "1", 0, 10000)
    """Number of the attempt from which on seats have the captured height, for motions that suit no usual seat."""


TUNING: Final = TakeGeneratorTuning()


@dataclass(frozen=True, slots=True)
class TakeGenerator:
    """A picklable recipe of takes: the files of motion and the settings from which takes are made.

    Attributes:
        controller: the controller that provides skeleton and walks.
        sitting: captured sitting down and standing up.
        carrying: captured pick-ups, carrying and putting down.
        seed: seed of all random choices.
        varied: whether seats and boxes have many sizes and heights, among clutter (NSM section 5.2); otherwise all
            takes have the same chair, or the same box at its captured height.
        clips: captured clips of any interaction.
        lying: captured lying down and getting up; without it no take shows lying.
        climbing: captured climbs; without any no take shows climbing.
        ground_sitting: captured sitting down on the ground and getting up; without it no take shows that.
        leaning: whether takes show leaning on tables, rails and walls, which needs no clips.
        walk_count: number of generated walks to draw from.
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
    walk_count: int = walk_library.TUNING.walk_count

    def __call__(self, number: int) -> InteractionTake:
        """Make take ``number``; the result depends only on the number and the recipe."""
        library = load_motion_library(self)
        kind = kind_of(library, number, self.leaning)
        for attempt in range(TUNING.max_attempts):
            seed = (self.seed * 1_000_003 + number) * TUNING.max_attempts + attempt
            try:
                take = make_take(library, kind, Attempt(seed, self.varied, attempt >= TUNING.captured_height_attempt))
            except NoTransitionError:
                continue
            if take is not None:
                return take if self.varied else _without_clutter(take)
        raise FootfallError(
            "Take {number} ({kind}) could not be made in {attempts} attempts, because its clips leave no room "
            "to walk up to the object: name more clips",
            number=number,
            kind=kind,
            attempts=TUNING.max_attempts,
        )


def _without_clutter(take: InteractionTake) -> InteractionTake:
    """Return a take without its clutter; the wall around a door stays."""
    own = [one for one in take.objects if one.kind != "obstacle"]
    return replace(take, objects=take.objects[:2] if own and own[0].kind == "door" else tuple(own))


@cache
def load_motion_library(generator: TakeGenerator) -> MotionLibrary:
    """Load the motion library that a recipe describes, once per process.

    Raises:
        FootfallError: a file cannot be used, or there is too little motion for takes.
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
        generator.walk_count,
    )
