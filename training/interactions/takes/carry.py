"""Takes of carrying: somebody fetches a box, walks with it, puts it down and goes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ....core.control.refine.interaction_refinement import PALM_OFFSET_M, REFERENCE_LEG_M
from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.blending import fade
from ....core.motion.root_frame import yaw_of
from ....core.motion.rotations import Array, about_up, mean, rotate
from ....core.scene.affordances import GRIP_HEIGHT_RATIO
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...data.sources import Source
from ..clutter import clear
from ..pick_up_motion import Lift, hands_of
from ..props.furniture import Box, Table
from ..take import Take, Thing
from ..take_assembly import acyclic, amiss, approach, around, stretch_of
from ..take_labels import Done, locomotion, told
from ..walk_library import Strolls

ARMS: Final = ("shoulder", "upper_arm", "forearm", "hand")
SIZES: Final = ((0.24, 0.46), (0.2, 0.4), (0.15, 0.35))
"""Metres that boxes are wide, deep and high."""
FLOOR: Final = 0.12
"""Metres over the ground below which a box lies on it, and on no table."""
ON_THE_GROUND: Final = 0.15
"""Share of boxes that do."""
HIGHEST: Final = 1.0
"""Metres over the floor at which boxes are taken hold of, at most."""
REACHING: Final = 30
"""Frames in which hands come to a box and leave it."""
BELLY: Final = 0.13
"""Metres from the trunk's bones to its skin."""
BESIDE: Final = 0.2
"""Metres between the root and the table that something is taken from, or put on, while somebody comes and goes."""
BEFORE: Final = 0.06
"""The same while they stand before it, and ..."""
NEARING: Final = 120
"""... so many frames before and after."""
STEPPED_BACK: Final = (0.15, 0.4)
"""Metres by which who has taken something, or put it down, steps back from the place as they turn."""


@dataclass(frozen=True, slots=True)
class _Events:
    """Frames of a take: hands go down, take hold, are up again; the same of putting down."""

    down: int
    grasp: int
    up: int
    reach: int
    release: int
    risen: int


def carry_take(
    lifts: Sequence[Lift], carried: Sequence[Clip], strolls: Strolls, source: Source, seed: int, varied: bool = True
) -> Take | None:
    """Somebody comes, takes a box off a table or the floor, walks with it, puts it down elsewhere, goes.

    Args:
        lifts: captured bends; played backwards, they put things down.
        carried: clips of people who carry something.
        strolls: walks to, with and from the box.
        source: whose motion it is.
        seed: draws everything.
        varied: whether boxes are of many sizes and at many heights; else all are one, as high as it was captured.

    Returns:
        ``None`` where somebody would walk through a table.
    """
    generator = np.random.default_rng([seed, 3])
    width, depth, high = (float(generator.uniform(*size)) for size in SIZES)
    box = Box(width, depth, high) if varied else Box()
    take, put = (lifts[int(generator.integers(len(lifts)))] for _ in range(2))
    first, second = (_height(lift, box, generator) if varied else lift.lowest for lift in (take, put))
    arms = carried[int(generator.integers(len(carried)))]

    made = approach(strolls, generator)
    down = made.then(take.at(first), *amiss(generator))
    grasp, up = down + take.low, len(made)
    made.then(stretch_of(holding(arms, strolls.draw(generator)), generator), around(generator), _back(generator))
    reach = made.then(put.at(second).backwards(), *amiss(generator))
    release, risen = reach + len(put) - 1 - put.low, len(made)
    made.then(stretch_of(strolls.draw(generator), generator), around(generator), _back(generator))

    clip, places, turns = _held(made.held(strolls.model), box, grasp, release)
    count = len(clip)
    things = [Thing("box", "box", Collider.from_mesh(*box.mesh()), places, turns)]
    for frame, spared in ((grasp, range(down, up)), (release, range(reach, risen))):
        if places[frame, 2] > FLOOR:
            table = _table(places[frame], turns[frame], box, count, generator)
            near = range(max(spared.start - NEARING, 0), min(spared.stop + NEARING, count))
            afar = [*range(near.start), *range(near.stop, count)]
            if not (clear(clip, table, afar, BESIDE) and clear(clip, table, near, BEFORE)):
                return None
            things.append(table)
    return _told(clip, _Events(down, grasp, up, reach, release, risen), tuple(things), generator, seed, source)


def holding(carried: Clip, walk: Clip) -> Clip:
    """A walk whose arms hold something as those of another clip do, on the whole."""
    skeleton = walk.skeleton
    joints = [skeleton.roles[f"{part}.{side}"] for part in ARMS for side in "LR" if f"{part}.{side}" in skeleton.roles]
    rotations = walk.rotations.copy()
    rotations[:, joints] = mean(carried.rotations[:, joints])
    return replace(walk, rotations=rotations)


def _back(generator: np.random.Generator) -> tuple[float, float]:
    return 0.0, -float(generator.uniform(*STEPPED_BACK))


def _height(lift: Lift, box: Box, generator: np.random.Generator) -> float:
    """A height at which the box is held that a captured bend can be brought to."""
    least, most = lift.range
    lowest = max(least, GRIP_HEIGHT_RATIO * box.height)
    if generator.random() < ON_THE_GROUND:
        return lowest
    return float(generator.uniform(max(lowest, 0.3 + GRIP_HEIGHT_RATIO * box.height), min(most, HIGHEST)))


def _held(clip: Clip, box: Box, grasp: int, release: int) -> tuple[Clip, Array, Array]:
    """The clip with its hands on a box's sides from when it is taken until it is let go; the box's places (F, 3) and
    rotations (F, 4), its origin on its lower side.
    """
    hands, count = hands_of(clip), len(clip)
    middle, line = hands.mean(axis=1), hands[:, 1] - hands[:, 0]
    yaws = np.unwrap(yaw_of(np.stack([-line[:, 1], line[:, 0]], axis=-1)))
    inside = np.clip(np.arange(count), grasp, release)
    middle = middle + _ahead(clip, middle, yaws, box.depth / 2 + BELLY)
    middle, yaws = middle[inside], yaws[inside]
    places = middle - np.array([0.0, 0.0, GRIP_HEIGHT_RATIO * box.height])
    # A box that can nearly be on the ground is.
    for frame, rows in ((grasp, slice(None, grasp + 1)), (release, slice(release, None))):
        if places[frame, 2] < FLOOR:
            places[rows, 2] = 0.0
    for start, stop in ((grasp, min(grasp + REACHING, release)), (max(release - REACHING, grasp), release)):
        low = places[start if start == grasp else stop, 2]
        share = fade(np.abs(np.arange(start, stop + 1) - (start if start == grasp else stop)) / REACHING)
        places[start : stop + 1, 2] += share * (low - (middle[start : stop + 1, 2] - GRIP_HEIGHT_RATIO * box.height))
        places[start : stop + 1, 2] = np.maximum(places[start : stop + 1, 2], 0.0)
    palm = PALM_OFFSET_M * clip.skeleton.leg_length / REFERENCE_LEG_M
    across = np.column_stack([np.cos(yaws), np.sin(yaws), np.zeros(count)])
    away = np.maximum(grasp - np.arange(count), np.arange(count) - release)
    weight = fade(np.clip(away / REACHING, 0.0, 1.0))
    half, grips = box.width / 2 + palm / 3, places + np.array([0.0, 0.0, GRIP_HEIGHT_RATIO * box.height])
    goals = [
        EffectorGoal(f"hand.{side}", grips + sign * half * across, weight) for side, sign in (("L", -1.0), ("R", 1.0))
    ]
    # Who takes a box stands before it: its front is towards them.
    return solve_full_body_ik(clip, goals), places, about_up(yaws + np.pi)


def _ahead(clip: Clip, middle: Array, yaws: Array, room: float) -> Array:
    """By how much (F, 3) hands are put forward so that there is room, metres, between what they hold and the trunk."""
    forwards = np.column_stack([-np.sin(yaws), np.cos(yaws), np.zeros(len(clip))])
    trunk = np.stack([clip.positions[:, clip.skeleton.role(role)] for role in ("hips", "spine", "chest")], axis=1)
    near = np.sum((middle[:, None] - trunk) * forwards[:, None], axis=-1).min(axis=1)
    return gaussian_filter1d(np.maximum(room - near, 0.0), 6.0)[:, None] * forwards


def _table(place: Array, turn: Array, box: Box, count: int, generator: np.random.Generator) -> Thing:
    """A table under a box that lies near its front edge."""
    height = float(place[2])
    wide, deep = (float(generator.uniform(*size)) for size in ((1.1, 2.2), (1.1, 1.6)))
    table = Table(height=height, width=max(wide * box.width, 0.45), depth=max(deep * box.depth, 0.35))
    behind = 0.5 * (table.depth - box.depth) - 0.02
    front = rotate(turn, np.array([0.0, 1.0, 0.0]))[:2]
    position = np.array([*(place[:2] - behind * front), 0.0])
    return Thing(
        "table",
        "surface",
        Collider.from_mesh(*table.mesh()),
        np.tile(position, (count, 1)),
        np.tile(turn, (count, 1)),
    )


def _told(
    clip: Clip,
    events: _Events,
    things: tuple[Thing, ...],
    generator: np.random.Generator,
    seed: int,
    source: Source,
) -> Take:
    """A take with all that is said of it; who carries and walks does both."""
    count = len(clip)
    carries = np.interp(
        np.arange(count), [events.down, events.grasp, events.release, events.risen], [0.0, 1.0, 1.0, 0.0]
    )
    actions = locomotion(clip)
    actions[:, ACTIONS.index("carry")] = carries
    begins = int(generator.integers(0, 45))
    until = events.release + int(generator.integers(0, 20))
    contacts = np.zeros((count, 5))
    contacts[events.grasp : events.release + 1, 1:3] = 1.0
    phase = acyclic(acyclic(label_clip(clip).phase, events.down, events.up), events.reach, events.risen)
    built = (
        f"{events.down} to {events.up} and {events.reach} to {events.risen}: captured, adapted to the box",
        f"0 to {count}, else: walks by a controller, with arms as captured, and steps composed",
    )
    done = Done("carry a box", "carry", until, actions, contacts, phase, built)
    return told(clip, done, begins, things, generator, seed, source)
