"""Odd objects: each is used well, or refused with one sentence before the bake."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ..core.control.interaction.actions import ACTION_SPECS
from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.back_rest import back_gap
from ..core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ..core.control.refine.seat_pose import hips_over_seat
from ..core.errors import FootfallError
from ..core.message import Message
from ..core.models.model_file import ControllerModel
from ..core.motion.rotations import Array, rotate, rotation_about_up
from ..core.scene.declared_motion import DeclaredMotion, kind_of_ranges, require_usable_motion
from ..core.scene.interaction_object import InteractionObject
from ..core.scene.object_usage import find_usage, use_object
from ..training.interactions.props.doors import Door
from ..training.interactions.props.mesh_primitives import Mesh, box_mesh
from ..training.interactions.props.seats import Chair
from ..training.interactions.props.tables import Table
from .interaction_measures import penetration_depths
from .interaction_motion import measure_motion
from .interactions import interacting
from .odd_props import odd_doors, odd_loads, odd_seats
from .setup import Setup
from .tables import Part, table

TITLE = "Odd objects"
LONGEST: Final = 3600
STAY_S: Final = 2.0
SIDES: Final = 8
SHELF_HEIGHTS_M: Final = (1.2, 1.33, 1.5, 1.9)
HEIGHTS_M: Final = {"suitcase": (0.0, 0.0)}
ONE_WAY: Final = {"away": (0.0, -1.0), "toward": (0.0, 1.0)}
MOVING: Final = (
    ("leaf with a keyframed location", "open", 0.9, 0.0),
    ("Sliding Door", "open", 0.0, 0.0),
    ("seat with a keyframed rotation", "sit", 0.0, 10.0),
    ("seat with a keyframed location", "sit", 0.3, 0.0),
    ("Rocking Chair", "sit", 0.0, 0.0),
)
"""Objects that move by themselves: name, action, travel, meters, and turn, degrees, of their keys."""
DESK_AHEAD_M: Final = 0.75

NOTES = """\
Each object is used from 2 m away, standing, facing it, or refused with the sentence that users read. Seats are used
from eight sides, from their front all around: *result* is how often the character sits, *s* the median time until it
does, and all that follows is the worst of the eight."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = interacting(setup)
    rows: list[Sequence[object]] = [_sit_row(model, name, mesh) for name, mesh in odd_seats().items()]
    rows.append(_sit_row(model, "chair at a desk", Chair().mesh(), [_desk()]))
    rows += [_carry_row(model, name, mesh, *HEIGHTS_M.get(name, (0.5, 0.6))) for name, mesh in odd_loads().items()]
    crate = box_mesh((-0.17, -0.13, 0.0), (0.17, 0.13, 0.22))
    rows += [_carry_row(model, f"box, from a shelf {height} m high", crate, height, 0.7) for height in SHELF_HEIGHTS_M]
    rows += [_carry_row(model, f"box, to a shelf {height} m high", crate, 0.7, height) for height in SHELF_HEIGHTS_M]
    rows += [_open_row(model, name, mesh) for name, mesh in odd_doors().items()]
    leaf = Door().leaf_mesh()
    rows += [_open_row(model, f"leaf that opens one way, {how}", leaf, side) for how, side in ONE_WAY.items()]
    rows.append(_open_row(model, "one leaf of a double door, the other shut", leaf, None, [_other_leaf(leaf)]))
    rows += [[name, refusal, *[None] * 6] for name, refusal in _moving_refusals()]
    head = ["object", "result", "s", "off cm", "gap cm", "back cm", "deep cm", "head m/s2"]
    return [table(head, rows), NOTES]


def _sit_row(model: ControllerModel, name: str, mesh: Mesh, others: Sequence[InteractionObject] = ()) -> list[object]:
    """Have a character sit on a seat from every side; return its row."""
    try:
        seat = _used(name, mesh, "sit")
        turns = rotation_about_up(np.arange(SIDES) * (2 * np.pi / SIDES))
        starts = rotate(turns, np.append(2.0 * seat.front_direction, 0.0))[:, :2]
        plays = [
            _played(model, [seat, *others], [InteractionTask("sit", 0, duration=STAY_S)], start) for start in starts
        ]
    except FootfallError as error:
        return [name, str(error), *[None] * 6]
    measured = [(frame, play) for play in plays if (frame := play.recording.event_frame("reached", 0)) is not None]
    if not measured:
        return [name, "given up", *[None] * 6]
    seconds = float(np.median([frame for frame, _ in measured])) / model.rate
    rows = np.array([_seated(play, seat, frame) for frame, play in measured])
    gap = rows[np.abs(rows[:, 1]).argmax(), 1]
    back = rows[:, 2].max() if np.isfinite(rows[:, 2]).all() else None
    return [name, f"{len(measured)} of {SIDES}", seconds, rows[:, 0].max(), gap, back, *rows[:, 3:].max(axis=0)]


def _seated(play: InteractionSequencer, seat: InteractionObject, reached: int) -> list[float]:
    """Return distance and height of the hips over their place, the back's gap, depth, cm, and the head's peak."""
    refined = refine_interaction(play.recording)
    frame = min(reached + round(play.model.rate / 2), len(refined.clip) - 1)
    wanted = hips_over_seat(seat, refined.clip.skeleton.leg_length)
    off = refined.clip.positions[frame, refined.clip.skeleton.joint("hips")] - wanted
    back = back_gap(refined.clip, len(refined.clip) - 1, seat)
    gap = np.inf if back is None else 100 * back
    return [100 * float(np.linalg.norm(off)), 100 * float(off[2]), gap, *_quality(refined, play)]


def _carry_row(model: ControllerModel, name: str, mesh: Mesh, height: float, to_height: float) -> list[object]:
    """Have a character carry an object from one shelf to another; return its row."""
    try:
        load = _used(name, mesh, "carry")
        load = replace(load, position=np.array([0.0, 0.0, height]))
        shelves = [_shelf(height, 0.0), _shelf(to_height, 2.4)]
        place = np.array([2.4, 0.0, to_height])
        tasks = [InteractionTask("carry", 0, position=place, direction=load.front_direction)]
        play = _played(model, [load, *shelves], tasks, 2.0 * load.front_direction)
    except FootfallError as error:
        return [name, str(error), *[None] * 6]
    took, put = (play.recording.event_frame(kind, 0) for kind in ("took", "put"))
    if took is None or put is None:
        return [name, "given up", *[None] * 6]
    refined = refine_interaction(play.recording)
    middle = (took + put) // 2
    held, clip = refined.objects[middle][0], refined.clip
    interval = next(each for each in play.recording.task_intervals() if each[2] == 0)
    apart = [
        float(
            np.linalg.norm(
                held.posed_collider.to_world(hold.wrist[None])[0]
                - clip.positions[middle, clip.skeleton.joint(f"hand.{hold.hand}")]
            )
        )
        for hold in ACTION_SPECS["carry"].hand_holds(play.recording, interval)
    ]
    return [name, "baked", None, 100 * max(apart), None, None, *_quality(refined, play)]


def _open_row(
    model: ControllerModel,
    name: str,
    mesh: Mesh,
    opens_toward: tuple[float, float] | None = None,
    others: Sequence[InteractionObject] = (),
) -> list[object]:
    """Have a character go through a door; return its row."""
    try:
        leaf = _used(name, mesh, "open")
        if opens_toward is not None:
            assert leaf.handle is not None
            leaf = replace(leaf, handle=replace(leaf.handle, opens_toward=np.array(opens_toward)))
        play = _played(model, [leaf, *others], [InteractionTask("open", 0)], 2.0 * leaf.front_direction)
    except FootfallError as error:
        return [name, str(error), *[None] * 6]
    if play.recording.event_frame("opened", 0) is None:
        return [name, "given up", *[None] * 6]
    return [name, "baked", None, None, None, None, *_quality(refine_interaction(play.recording), play)]


def _used(name: str, mesh: Mesh, action: str) -> InteractionObject:
    """Return the interaction object of a mesh, like the add-on's."""
    vertices, triangles = mesh
    usage = find_usage(name, vertices, triangles, action)
    turn = rotation_about_up(np.array(-usage.yaw))
    return use_object(name, rotate(turn, vertices - usage.origin), triangles, action, usage.handle)


def _moving_refusals() -> Iterator[tuple[str, str]]:
    """Yield objects that move by themselves, each with its refusal."""
    for name, action, way, turn in MOVING:
        kind = kind_of_ranges(way, np.radians(turn))
        motions = [DeclaredMotion(kind, Message("the keyframes of '{name}'", name=name))] if kind else []
        try:
            require_usable_motion(name, action, motions)
        except FootfallError as error:
            yield name, str(error)
        else:
            yield name, "not refused"


def _desk() -> InteractionObject:
    """Return a desk before a chair at the origin, with its edge over the edge of the seat, meters."""
    desk = use_object("desk", *Table(height=0.74, width=1.2, depth=0.6).mesh(), "", None)
    return replace(desk, position=np.array([0.0, DESK_AHEAD_M, 0.0]))


def _other_leaf(mesh: Mesh) -> InteractionObject:
    """Return the shut leaf beside one at the origin, on the side of its handle, meters."""
    leaf = _used("leaf", mesh, "open")
    assert leaf.handle is not None
    width = float(np.ptp(leaf.collider.bounds, axis=0)[0])
    side = float(np.sign(leaf.handle.position[0] - leaf.handle.hinge[0]))
    return replace(use_object("other leaf", *mesh, "", None), position=np.array([side * width, 0.0, 0.0]))


def _shelf(height: float, x: float) -> InteractionObject:
    """Return a board on two posts, meters."""
    board = box_mesh((-0.45, -0.2, height - 0.03), (0.45, 0.2, height))
    posts = [box_mesh((at - 0.02, -0.2, 0.0), (at + 0.02, 0.2, height - 0.03)) for at in (-0.43, 0.43)]
    vertices = np.concatenate([part for part, _ in (board, *posts)])
    triangles = np.concatenate([faces + 8 * number for number, (_, faces) in enumerate((board, *posts))])
    return replace(use_object("shelf", vertices, triangles, "", None), position=np.array([x, 0.0, 0.0]))


def _played(
    model: ControllerModel, objects: Sequence[InteractionObject], tasks: Sequence[InteractionTask], start: Array
) -> InteractionSequencer:
    """Return a character after its tasks, which started at a place (2), meters, facing the origin."""
    yaw = float(np.arctan2(start[0], -start[1]))
    play = InteractionSequencer(model, objects, tasks, start, yaw)
    while len(play.frames) < LONGEST and play.advance(60):
        pass
    return play


def _quality(refined: RefinedInteraction, play: InteractionSequencer) -> list[float]:
    """Return the deepest penetration, cm, and the largest acceleration of the head, m/s^2."""
    return [100 * float(penetration_depths(refined, play).max()), measure_motion(refined.clip).hardest]
