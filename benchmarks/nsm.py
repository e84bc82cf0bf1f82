"""The interaction network with and without its assisting rules, and after refinement (NSM Table 3)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Final

import numpy as np

from ..core.control.interaction.actions import ACTION_SPECS
from ..core.control.interaction.attachment import HANDOVER_S
from ..core.control.interaction.recording import EventKind, InteractionRecording
from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import decode_interaction, refine_interaction
from ..core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from ..core.control.runtime.root_correction import is_clear
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.root_frame import root_track
from ..core.motion.rotations import rotation_about_up
from ..core.scene.collider import Collider
from ..core.scene.interaction_object import InteractionObject
from ..training.interactions.props.prop_sampling import sample_prop
from . import carrying, doors, interactions
from .setup import Setup
from .tables import Part, table
from .unseen import BOXES, SEATS, box, found_seat, seat
from .unseen import table as a_table

TITLE = "The network alone, helped, and refined"
STARTS: Final = 10
"""Starts for each seat and box."""
TAKE_SEATS: Final = ("chair", "chair", "stool", "sofa", "bench")
"""Kinds of the seats drawn like those of the takes."""
TAKE_STARTS: Final = 4
"""Starts for each of these."""
DOORS: Final = 10
RULE_STARTS: Final = 4
"""Starts for each seat without one of the rules."""
LATERAL_OFFSETS_M: Final = (-0.3, -0.2, -0.1, 0.1, 0.2, 0.3)
"""Distances of tables from the straight line of a walk."""
WALK_M: Final = 4.0
LONGEST: Final = 3000
HEAD: Final = ("", "network alone", "roll-out as shipped", "refined", "NSM", "goal alone", "goal refined")

NOTES = """\
*Network alone*: every rule beside the network is off (`Assistance.none()`): no planned path bends the trajectory,
nothing is told anew, waits, runs out or is bounded by rule, nothing is pushed out. *As shipped*: all rules on, before
refinement; *refined*: the same after it."""

Errors = tuple[float, float]
"""Position error, cm, and rotation error, degrees."""
Measured = tuple[Errors, Errors] | None
"""Errors of a trial by the network, and refined; ``None`` for a failed trial."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model, objects = interactions.interacting(setup), setup.data.parent / "objects"
    drawn = [take_seat(kind, number) for number, kind in enumerate(TAKE_SEATS)]
    seats, boxes = [seat(objects, name) for name in SEATS], [box(objects, name) for name in BOXES]
    helps = Assistance.none(), FULL_ASSISTANCE
    sits = [[sit(model, one, start, help) for one in seats for start in range(STARTS)] for help in helps]
    known = [[sit(model, one, start, help) for one in drawn for start in range(TAKE_STARTS)] for help in helps]
    carries = [[carry(model, one, start, help) for one in boxes for start in range(STARTS)] for help in helps]
    hands = [[hand_distances(model, start, help) for start in range(DOORS)] for help in helps]
    avoided = [[avoids(model, offset, help) for offset in LATERAL_OFFSETS_M] for help in helps]
    senseless = unsensing(model)
    blind = [[avoids(senseless, offset, help) for offset in LATERAL_OFFSETS_M] for help in helps]
    rows: list[list[object]] = [
        ["sit: seated, PE cm / RE deg", *_columns(sits), "2.93 / 0.92", "all, 2.9 / 1.0", "0.7 cm"],
        ["the same on seats as in the takes", *_columns(known), None, None, None],
        ["carry: put down, PE cm / RE deg", *_columns(carries), "3.05 / 1.02", "90 %, 5 / 3", "1 cm"],
        ["door: passed, hand cm", *_hand_columns(hands), None, "5 cm", None],
        ["avoided", *map(_count, avoided), None, None, "5 of 6", None],
        ["the same, environment sensor at its mean", *map(_count, blind), None, None, None, None],
    ]
    rules = [
        [name, _cell([sit(model, one, start, help, False) for one in seats for start in range(RULE_STARTS)], _raw)]
        for name, help in _one_left_out()
    ]
    head = ["without", "sit: seated, PE cm / RE deg, before refinement"]
    return [table(HEAD, rows), table(head, rules), NOTES]


def take_seat(kind: str, number: int) -> InteractionObject:
    """Return a seat of a size in training, with its middle over the origin, facing +Y."""
    collider = Collider.from_mesh(*sample_prop(kind, np.random.default_rng([number, 23])).mesh())
    made = InteractionObject(kind, "seat", collider, np.zeros(3), rotation_about_up(np.array(0.0)))
    return replace(made, position=np.append(-found_seat(made).position[:2], 0.0))


def unsensing(model: ControllerModel) -> ControllerModel:
    """Return a controller whose environment sensor is always at its mean."""
    deviations = model.x_std.copy()
    deviations[model.input_layout.slices["environment.occupancy"]] = np.finfo(np.float32).max
    return replace(model, x_std=deviations)


def _one_left_out() -> Iterator[tuple[str, Assistance]]:
    """Yield all rules, then all except one, by name."""
    yield "nothing: as shipped", FULL_ASSISTANCE
    for field in fields(Assistance):
        yield field.name.replace("_", " "), replace(FULL_ASSISTANCE, **{field.name: False})


def sit(
    model: ControllerModel, on: InteractionObject, start: int, assistance: Assistance, refines: bool = True
) -> Measured:
    """Have a standing character sit; return the errors, with those of the network twice without refinement."""
    play = interactions.to_sit(model, on, start, assistance=assistance)
    reached = _play_until(play, "reached", interactions.AFTER)
    if reached is None:
        return None
    frame = min(reached + interactions.AFTER, len(play.frames) - 1)

    def errors(clip: Clip) -> Errors:
        sideways, upwards, turned = interactions.errors(clip, on, frame)
        return float(np.hypot(sideways, upwards)), turned

    raw = errors(decode_interaction(play.recording))
    return raw, errors(refine_interaction(play.recording).clip) if refines else raw


def carry(model: ControllerModel, one: InteractionObject, start: int, assistance: Assistance) -> Measured:
    """Have a standing character carry a box from one table to another; return the errors of putting it down."""
    play = carrying.to_carry(model, one, start, assistance=assistance)
    if _play_until(play, "put", interactions.AFTER) is None or (moments := carrying.carried(play)) is None:
        return None
    put, lies, side = moments[1], play.recording.object_states[-1][0], play.recording.approach_sides[0]
    # The box glides out of the hands to its place, followed by the refined hands.
    end = min(put + round(HANDOVER_S * model.rate), len(play.frames)) - 1
    raw, refined = decode_interaction(play.recording), refine_interaction(play.recording).clip
    return carrying.errors(raw, put, lies, side), carrying.errors(refined, end, lies, side)


def hand_distances(model: ControllerModel, start: int, assistance: Assistance) -> tuple[float, float] | None:
    """Have a standing character go through a door.

    Returns:
        Mean distance of the wrist from the handle, by the network and refined, cm; ``None`` if the door was not
        passed, or no hand was on its handle.
    """
    play = doors.to_open(model, start, assistance)
    while len(play.frames) < LONGEST and play.task_index == 0:
        play.advance(10)
    if play.task_index == 0 or play.recording.event_frame("gave up", 0) is not None:
        return None
    refined = refine_interaction(play.recording)
    moved = replace(play.recording, object_states=refined.objects)

    def distance(clip: Clip, recording: InteractionRecording) -> float | None:
        holds = list(ACTION_SPECS["open"].hand_holds(recording, (0, len(recording), 0)))
        if not holds:
            return None
        (hold,) = holds
        wrists = clip.positions[hold.start : hold.stop, clip.skeleton.joint(f"hand.{hold.hand}")]
        states = recording.object_states[hold.start : hold.stop]
        handles = np.concatenate([state[0].posed_collider.to_world(hold.wrist[None]) for state in states])
        return 100 * float(np.linalg.norm(wrists - handles, axis=-1).mean())

    raw, solved = distance(decode_interaction(play.recording), play.recording), distance(refined.clip, moved)
    return None if raw is None or solved is None else (raw, solved)


def avoids(model: ControllerModel, lateral: float, assistance: Assistance) -> bool:
    """Have a character walk past a table in its way; return whether it arrived without contact."""
    obstacle = a_table(0.75, 0.9, 0.6).place_at(np.array([lateral, WALK_M / 2, 0.0]), np.array([0.0, 1.0]))
    task = InteractionTask("walk", position=np.array([0.0, WALK_M, 0.0]))
    play = InteractionSequencer(model, [obstacle], [task], np.zeros(2), assistance=assistance)
    while len(play.frames) < LONGEST and play.advance(30):
        pass
    arrived = play.done and play.recording.event_frame("gave up", 0) is None
    roots = root_track(decode_interaction(play.recording)).positions
    return arrived and all(is_clear(root, obstacle.posed_collider) for root in roots)


def _play_until(play: InteractionSequencer, kind: EventKind, after: int) -> int | None:
    """Play until some frames after an event of the first task, or its end; return the event's frame."""
    while len(play.frames) < LONGEST and play.task_index == 0:
        play.advance(10)
        happened = play.recording.event_frame(kind, 0)
        if happened is not None and len(play.frames) > happened + after:
            break
    return play.recording.event_frame(kind, 0)


def _columns(runs: list[list[Measured]]) -> Iterator[str]:
    """Yield the cells: alone, shipped and refined, of trials without and with help."""
    yield _cell(runs[0], _raw)
    yield _cell(runs[1], _raw)
    yield _cell(runs[1], lambda trial: trial[1])


def _count(done: Sequence[bool]) -> str:
    return f"{sum(done)} of {len(done)}"


def _raw(trial: tuple[Errors, Errors]) -> Errors:
    return trial[0]


def _cell(trials: list[Measured], which: Callable[[tuple[Errors, Errors]], Errors]) -> str:
    done = [which(trial) for trial in trials if trial is not None]
    said = f"{len(done)} of {len(trials)}"
    return f"{said}, {np.mean([pe for pe, _ in done]):.1f} / {np.mean([re for _, re in done]):.1f}" if done else said


def _hand_columns(runs: list[list[tuple[float, float] | None]]) -> Iterator[str]:
    for run, number in ((0, 0), (1, 0), (1, 1)):
        done = [trial[number] for trial in runs[run] if trial is not None]
        said = f"{len(done)} of {len(runs[run])}"
        yield f"{said}, {np.mean(done):.1f}" if done else said
