"""Takes by number: what is needed to make them is read once a process."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from ...core.errors import FootfallError
from ...core.models.model_file import ControllerModel, load_model
from ...core.motion import Clip
from ..data.network_skeleton import Body
from ..data.sources import Source, source_of
from .captured_clips import captured
from .pick_up_motion import BESIDE, Lift, lift_of
from .take import Take
from .takes.carry import carry_take
from .takes.door import open_take
from .takes.locomotion import stroll_take
from .takes.sit import Sitting, sit_take, sittings
from .walk_library import Strolls

TRIES: Final = 50
GOLDEN: Final = 0.618034
"""Kinds of takes take turns by its multiples, in their shares of any stretch of numbers."""
SHARES: Final = {"carry": 0.32, "open": 0.1, "stroll": 0.1}
"""Shares of takes of each kind; in the others somebody sits."""


@dataclass(frozen=True, eq=False)
class Studio:
    """All that takes are made of.

    Attributes:
        body: of the controller.
        strolls: its walks.
        sat: captured sitting.
        lifts: captured bends for something.
        carried: captured walks with something.
        source: whose motion it is.
    """

    body: Body
    strolls: Strolls
    sat: tuple[Sitting, ...]
    lifts: tuple[Lift, ...]
    carried: tuple[Clip, ...]
    source: Source

    def kind(self, number: int) -> str:
        """What is done in take ``number``."""
        share = (number * GOLDEN) % 1.0
        for kind, part in SHARES.items():
            if kind == "carry" and not self.lifts:
                continue
            share -= part
            if share < 0:
                return kind
        return "sit"

    def take(self, kind: str, seed: int, varied: bool) -> Take | None:
        """A take of a kind, drawn by a seed, see :class:`Recipe`; ``None`` where that did not come about."""
        made = self._made(kind, seed, varied)
        return made if varied or made is None else _bare(made)

    def _made(self, kind: str, seed: int, varied: bool) -> Take | None:
        if kind == "carry":
            return carry_take(self.lifts, self.carried, self.strolls, self.source, seed, varied)
        if kind == "open":
            return open_take(self.strolls, self.source, seed)
        if kind == "stroll":
            return stroll_take(self.strolls, self.source, seed)
        return sit_take(self.sat, self.strolls, self.source, seed, varied)


def _bare(take: Take) -> Take:
    """A take without the furniture that only stands about; the wall of a door stays."""
    own = [thing for thing in take.things if thing.kind != "obstacle"]
    return replace(take, things=take.things[:2] if own and own[0].kind == "door" else tuple(own))


@dataclass(frozen=True, slots=True)
class Recipe:
    """What takes are made of, as names; goes through :mod:`pickle`.

    Attributes:
        controller: whose body and whose walks.
        sitting: captured sitting down and standing up.
        carrying: captured taking, carrying and putting down; nobody carries where there is none.
        seed: draws everything.
        varied: whether seats and boxes are of many sizes and at many heights, and other furniture stands about (NSM
            section 5.2); else all take one chair, and one box as high as it was captured.
    """

    controller: Path
    sitting: tuple[Path, ...]
    carrying: tuple[Path, ...] = ()
    seed: int = 0
    varied: bool = True

    def __call__(self, number: int) -> Take:
        """Take ``number``, always the same one."""
        made = studio(self)
        kind = made.kind(number)
        for attempt in range(TRIES):
            seed = (self.seed * 1_000_003 + number) * TRIES + attempt
            take = made.take(kind, seed, self.varied)
            if take is not None:
                return take
        raise FootfallError(f"Take {number} ({kind}) could not be made in {TRIES} attempts.")


@cache
def studio(recipe: Recipe) -> Studio:
    """Reads what a recipe names, once a process.

    Raises:
        FootfallError: a file cannot be used, or nobody sits in any.
    """
    model = load_model(recipe.controller)
    body = Body.of(model)
    sat = tuple(one for clip in _both(recipe.sitting, body) for one in sittings(clip))
    if not any(one.comes for one in sat) or not any(one.goes for one in sat):
        raise FootfallError("In none of the clips somebody comes and sits down, or stands up and goes.")
    lifts, carried = [], []
    for clip in _both(recipe.carrying, body):
        lift = lift_of(clip)
        if lift is None:
            carried.append(clip)
        elif lift.low > BESIDE:
            lifts.append(lift)
    if bool(lifts) != bool(carried):
        raise FootfallError(
            "For carrying, clips are needed in which somebody takes something and stands up with it, and others in "
            "which they walk with it."
        )
    source = _source(model, recipe.sitting + recipe.carrying)
    return Studio(body, Strolls(model, recipe.seed), sat, tuple(lifts), tuple(carried), source)


def _both(paths: tuple[Path, ...], body: Body) -> Iterator[Clip]:
    """Clips and their mirror images."""
    for path in paths:
        clip, _ = captured(path, body)
        yield clip
        yield clip.mirrored()


def _source(model: ControllerModel, clips: tuple[Path, ...]) -> Source:
    """Who is to be named for takes: whose clips they are made of, and whose the controller learned to walk from."""
    said = [(one.name, one.licence, one.credit) for one in map(source_of, clips)]
    said += [(one["name"], one["licence"], one["credit"]) for one in model.provenance.get("sources", ())]
    parts = (list(dict.fromkeys(part)) for part in zip(*said, strict=True))
    return Source(*("; ".join(part) for part in parts), folder="interactions")
