"""What is carried held as far before the body as it needs room: a deep box would be in the chest and the upper arms of
who has it between their hands.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ...scene.interaction_object import Thing, moving
from ..interaction.attachment import HANDING
from ..interaction.sequencer import Play
from .depenetration import SIDEWAYS, Part, ways_round

FARTHEST: Final = 0.2
"""Metres by which a box is held farther away, at most."""
HELD: Final = ("hips", "spine", "chest", "upper_arm", "thigh")
"""Parts that it is held away from."""


def held_along(play: Play, shift: Array) -> list[tuple[Thing, ...]]:
    """The things of a play at each of its frames, with what is carried moved as its bearer was, by (F, 3) metres."""
    places = list(play.places)
    for number, errand in enumerate(play.errands):
        by = carried(play, number)[:, None] * shift
        if by.any():
            places = [_shifted(now, errand.thing, one) for now, one in zip(places, by, strict=True)]
    return places


def held_away(play: Play, clip: Clip, scale: float) -> list[tuple[Thing, ...]]:
    """The things of a play at each of its frames, with what is carried before the body and not in it.

    Args:
        clip: the motion of who carries it.
        scale: metres of the clip's body for one of the play's.
    """
    places = list(play.places)
    body = BodyCapsules.of(clip.skeleton)
    spheres = body.spheres_of(HELD)
    free = np.zeros((len(clip), len(body.radii)), dtype=bool)
    for number, errand in enumerate(play.errands):
        share = carried(play, number)
        if not share.any():
            continue
        thing = errand.thing
        # The body would have to go backwards; the box goes forwards instead.
        front = play.things[thing].seen_from(play.sides[number]).front
        back = moving([now[thing] for now in places], scale)
        ways = tuple((axis, sign) for axis, sign in SIDEWAYS if sign * _own(play.things[thing], front)[axis] > 0.5)
        part = Part(spheres, np.repeat(share[:, None] > 0, len(spheres), axis=1).astype(float), ways, FARTHEST)
        way = ways_round(body, clip, [back], [free], part)
        if way is not None:
            shift = -share[:, None] * way / scale
            places = [_shifted(now, thing, by) if by.any() else now for now, by in zip(places, shift, strict=True)]
    return places


def _own(thing: Thing, direction: Array) -> Array:
    """A direction (2) over the ground in a thing's own space."""
    return thing.placed.into(np.append(direction, 0.0) + thing.position)[:2]


def _shifted(things: Sequence[Thing], number: int, by: Array) -> tuple[Thing, ...]:
    moved = replace(things[number], position=things[number].position + by)
    return (*things[:number], moved, *things[number + 1 :])


def carried(play: Play, number: int) -> Array:
    """How far (F), from 0 to 1, an errand's thing is in hands, and not where it lay or is put."""
    frames, ease = np.arange(len(play.frames)), HANDING * play.model.rate
    about = {event.kind: event.frame for event in play.events if event.errand == number}
    if play.errands[number].action != "carry" or "took" not in about:
        return np.zeros(len(frames))
    # What is put lies still, half a second later, two frames before the count of frames says so.
    put = about.get("put", len(frames)) - 2
    ramp = np.clip(np.minimum(frames - about["took"], put + ease - frames) / ease, 0.0, 1.0)
    return ramp * ramp * (3 - 2 * ramp)
