"""Random rooms: success rate of commands, without passing through objects and without sliding."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import refine_interaction
from ..core.control.runtime.pose_decoder import standing_clip
from ..core.models.model_file import ControllerModel
from ..core.motion.root_frame import facing_direction
from ..core.motion.rotations import Array, rotation_about_up
from ..core.scene.affordances import find_placement_surfaces, placement_poses
from ..core.scene.body_size import BODY_HEIGHT_RANGE_M
from ..core.scene.collider import Collider
from ..core.scene.interaction_object import InteractionObject
from ..training.interactions.props.doors import Door, Wall
from ..training.interactions.props.prop_sampling import sample_prop
from .interaction_measures import cut_interaction, penetration_depths, skate_speeds
from .interaction_motion import (
    LIFTED,
    SAT_DOWN,
    MotionMeasures,
    SeatLeaving,
    captured_clips,
    measure_motion,
    motion_row,
    motion_table,
    seat_leavings,
    seat_table,
)
from .interactions import SHIPPED, interacting
from .setup import Setup
from .tables import Part, table
from .unseen import BOXES, SEATS, box, seat
from .unseen import table as a_table

TITLE = "Two hundred rooms"
ROOMS: Final = 200
SHARES: Final = {"sit": 0.5, "carry": 0.35, "open": 0.15}
CLUTTER: Final = (2, 7)
"""Number of pieces of furniture in a room."""
PIECES: Final = ("chair", "stool", "table", "desk", "sofa", "bench")
SIDE: Final = 3.5
"""Distance from a room's middle to its edge, meters."""
FREE: Final = 0.75
"""Free distance around a character's place of standing, sitting or taking an object, meters."""
APART: Final = 0.75
"""Distance between pieces of furniture that lets a character through, meters."""
LONGEST: Final = 5000
ENDS: Final = ("reached", "put", "opened")
"""Final events of the three tasks."""
DEEP, SLIDING = 0.03, 0.03
"""Largest depth inside an object, meters, and speed of a standing foot, m/s, of a successful room."""

NOTES = """\
Rooms of 7 m with 2 to 7 pieces of furniture, drawn by chance, with an errand in each. *Success*: done within 35 s for
each part, neither deeper than 3 cm in a thing nor sliding over 3 cm/s."""


@dataclass(frozen=True, slots=True)
class Room:
    """A room and the command to perform in it."""

    things: list[InteractionObject]
    errands: list[InteractionTask]
    place: Array
    yaw: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a room: seconds, meters, and meters per second."""

    action: str
    done: bool
    seconds: float
    deep: float
    skate: float
    motion: MotionMeasures
    leavings: list[SeatLeaving]

    @property
    def success(self) -> bool:
        """True if the command was performed without penetration and without skate."""
        return self.done and self.deep <= DEEP and self.skate <= SLIDING


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = interacting(setup)
    with ProcessPoolExecutor() as pool:
        play = partial(outcome, setup.controller or SHIPPED, setup.data.parent / "objects")
        outcomes = list(pool.map(play, range(ROOMS)))
    rows = [_row(action, [one for one in outcomes if one.action == action]) for action in SHARES]
    rows += [_row("all", outcomes), ["reach", *[None] * 8, "95 %"]]
    head = [
        "errand",
        "rooms",
        "done",
        "median s",
        "longest s",
        "deep cm",
        "over 3 cm",
        "skate cm/s",
        "over 3 cm/s",
        "success",
    ]
    motion = [motion_row(action, [one.motion for one in outcomes if one.action == action]) for action in SHARES]
    real = captured_clips(setup.data, [*SAT_DOWN, *LIFTED], model)
    leavings = {"sit": [leaving for one in outcomes if one.action == "sit" for leaving in one.leavings]}
    return [table(head, rows), motion_table(motion, real), seat_table(leavings, real), NOTES]


def _row(name: str, outcomes: list[Outcome]) -> list[object]:
    done = [one for one in outcomes if one.done]
    return [
        name,
        len(outcomes),
        len(done),
        float(np.median([one.seconds for one in done] or [np.nan])),
        max((one.seconds for one in done), default=np.nan),
        100 * float(np.mean([one.deep for one in done] or [np.nan])),
        sum(one.deep > DEEP for one in done),
        100 * float(np.mean([one.skate for one in done] or [np.nan])),
        sum(one.skate > SLIDING for one in done),
        f"{100 * np.mean([one.success for one in outcomes]):.1f} %",
    ]


def outcome(controller: Path, objects: Path, number: int) -> Outcome:
    """Return the result of a room."""
    model = _model(controller)
    one = room(objects, number)
    # After it, the character walks back to its start.
    back = InteractionTask("walk", position=np.append(one.place, 0.0))
    off = [] if one.errands[0].action == "open" else [back]
    play = InteractionSequencer(model, one.things, [*one.errands, *off], one.place, one.yaw)
    while len(play.frames) < LONGEST and play.advance(60):
        pass
    done = play.done and not any(event.kind == "gave up" and event.task_index == 0 for event in play.events)
    ends = (event.frame for event in play.events if event.kind in ENDS and event.task_index == 0)
    seconds = min(ends, default=len(play.frames)) / model.rate
    performed = refine_interaction(play.recording)
    deep = float(penetration_depths(performed, play).max())
    reached = min((event.frame for event in play.events if event.kind in ("reached", "took")), default=len(play.frames))
    sliding = skate_speeds(cut_interaction(performed, 0, min(reached, len(performed.clip))), standing_clip(model))
    skate = float(sliding.mean()) if len(sliding) else 0.0
    motion, leavings = measure_motion(performed.clip), seat_leavings(performed.clip)
    return Outcome(one.errands[0].action, done, seconds, deep, skate, motion, leavings)


def _model(controller: Path) -> ControllerModel:
    if controller not in _MODELS:
        from ..core.models.model_file import load_model

        _MODELS[controller] = load_model(controller)
    return _MODELS[controller]


_MODELS: dict[Path, ControllerModel] = {}


def room(objects: Path, number: int) -> Room:
    """Return the room with a number; it is deterministic."""
    generator = np.random.default_rng([number, 13])
    action = str(generator.choice(list(SHARES), p=list(SHARES.values())))
    if action == "open":
        things, errands, kept = walled(generator)
    else:
        things, errands, kept = {"sit": _seated, "carry": _carried}[action](objects, generator)
    while True:
        place = generator.uniform(-SIDE, SIDE, 2)
        if _free(place, things, FREE / 2) and min(np.linalg.norm(place - spot) for spot in kept) > FREE:
            break
    kept = [*kept, place]
    for _ in range(int(generator.integers(*CLUTTER))):
        piece = _strewn(things, kept, generator)
        if piece is not None:
            things = [*things, piece]
    return Room(things, errands, place, float(generator.uniform(-np.pi, np.pi)))


Made = tuple[list[InteractionObject], list[InteractionTask], list[Array]]


def _seated(objects: Path, generator: np.random.Generator) -> Made:
    where, way = generator.uniform(-1.5, 1.5, 2), facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    one = seat(objects, SEATS[int(generator.integers(len(SEATS)))]).place_at(np.append(where, 0.0), way)
    return [one], [InteractionTask("sit", 0, duration=1.0)], [where, where + 0.7 * way]


def _carried(objects: Path, generator: np.random.Generator) -> Made:
    one = box(objects, list(BOXES)[int(generator.integers(len(BOXES)))])
    way = facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    tables, spots, kept = [], [], []
    for side in (-1, 1):
        at = a_table(float(generator.uniform(0.45, 0.95))).place_at(
            np.append(side * 1.6 * way, 0.0), facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
        )
        lower, upper = one.collider.bounds
        found = placement_poses(
            find_placement_surfaces(at.collider)[0], float((upper - lower)[0]), float((upper - lower)[1]), 0.03
        )
        spot, stand = found[int(generator.integers(len(found)))]
        ends = at.posed_collider.to_world(np.stack([spot, spot + np.append(stand, 0.0)]))
        tables.append(at)
        spots.append((ends[0], (ends[1] - ends[0])[:2]))
        kept.append(ends[0][:2] + 0.7 * spots[-1][1])
    lies = one.place_at(spots[0][0], spots[0][1])
    return [lies, *tables], [InteractionTask("carry", 0, position=spots[1][0], stand_direction=spots[1][1])], kept


def walled(generator: np.random.Generator) -> Made:
    """Return a door in a wall, the command to go through it, and the places to keep free."""
    door = Door(
        width=float(generator.uniform(0.82, 1.0)),
        handle_height=float(generator.uniform(0.95, 1.1)),
        hinge_side=int(generator.choice([-1, 1])),
    )
    turn = rotation_about_up(np.array(generator.uniform(-np.pi, np.pi)))
    leaf = InteractionObject(
        "door", "door", Collider.from_mesh(*door.leaf_mesh()), np.zeros(3), turn, handle=door.affordance()
    )
    wall = Wall(width=2 * SIDE + door.width, opening_size=(door.width, door.height))
    around = InteractionObject("wall", "obstacle", Collider.from_mesh(*wall.mesh()), np.zeros(3), turn)
    return (
        [leaf, around],
        [InteractionTask("open", 0)],
        [leaf.front_direction, -leaf.front_direction, 0.3 * leaf.front_direction],
    )


def _strewn(
    things: list[InteractionObject], kept: list[Array], generator: np.random.Generator
) -> InteractionObject | None:
    """Return a piece of furniture that blocks no path; ``None`` if there is no space for it."""
    kind = PIECES[int(generator.integers(len(PIECES)))]
    collider = Collider.from_mesh(*sample_prop(kind, generator).mesh())
    lower, upper = collider.bounds
    radius = float(np.linalg.norm((upper - lower)[:2])) / 2
    for _ in range(20):
        where = generator.uniform(-SIDE, SIDE, 2)
        turn = rotation_about_up(np.array(generator.uniform(-np.pi, np.pi)))
        near = min(float(np.linalg.norm(where - spot)) for spot in kept)
        if near > radius + FREE / 2 and _free(where, things, radius + APART):
            return InteractionObject(kind, "obstacle", collider, np.append(where, 0.0), turn)
    return None


def _free(place: Array, things: list[InteractionObject], room: float) -> bool:
    return all(
        float(thing.posed_collider.horizontal_distances(place[None], *BODY_HEIGHT_RANGE_M)[0]) > room
        for thing in things
    )
