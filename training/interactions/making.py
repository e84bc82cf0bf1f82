"""Takes by number: what is needed to make them is read once a process."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.models.model_file import ControllerModel, load_model
from ..body import Body
from ..sources import Source, source_of
from .captured import captured
from .sitting import Sitting, sit_take, sittings
from .strolling import stroll_take
from .strolls import Strolls
from .take import Take

TRIES: Final = 50
SITS: Final = 0.72
"""Share of takes in which somebody sits; in the others they walk about."""


@dataclass(frozen=True, eq=False)
class Studio:
    """All that takes are made of.

    Attributes:
        body: of the controller.
        strolls: its walks.
        sat: captured sitting.
        source: whose motion it is.
    """

    body: Body
    strolls: Strolls
    sat: tuple[Sitting, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Recipe:
    """What takes are made of, as names; goes through :mod:`pickle`.

    Attributes:
        controller: whose body and whose walks.
        clips: captured sitting down and standing up.
        seed: draws everything.
    """

    controller: Path
    clips: tuple[Path, ...]
    seed: int = 0

    def __call__(self, number: int) -> Take:
        """Take ``number``, always the same one."""
        made = studio(self)
        for attempt in range(TRIES):
            seed = (self.seed * 1_000_003 + number) * TRIES + attempt
            if (number * 0.618034) % 1.0 < SITS:
                take = sit_take(list(made.sat), made.strolls, made.source, seed)
            else:
                take = stroll_take(made.strolls, made.source, seed)
            if take is not None:
                return take
        raise FootfallError(f"Take {number} could not be made in {TRIES} attempts.")


@cache
def studio(recipe: Recipe) -> Studio:
    """Reads what a recipe names, once a process.

    Raises:
        FootfallError: a file cannot be used, or nobody sits in any.
    """
    model = load_model(recipe.controller)
    body = Body.of(model)
    sat = tuple(
        one
        for path in recipe.clips
        for clip in (captured(path, body)[0],)
        for each in (clip, clip.mirrored())
        for one in sittings(each)
    )
    if not any(one.comes for one in sat) or not any(one.goes for one in sat):
        raise FootfallError("In none of the clips somebody comes and sits down, or stands up and goes.")
    return Studio(body, Strolls(model, recipe.seed), sat, _source(model, recipe.clips))


def _source(model: ControllerModel, clips: tuple[Path, ...]) -> Source:
    """Who is to be named for takes: whose clips they are made of, and whose the controller learned to walk from."""
    said = [(one.name, one.licence, one.credit) for one in map(source_of, clips)]
    said += [(one["name"], one["licence"], one["credit"]) for one in model.provenance.get("sources", ())]
    parts = (list(dict.fromkeys(part)) for part in zip(*said, strict=True))
    return Source(*("; ".join(part) for part in parts), folder="interactions")
