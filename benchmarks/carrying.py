"""Fetching boxes unseen in training, and putting them down (NSM Tables 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from ..core.control.interaction.attachment import HANDOVER_S
from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.interaction.wrist_targets import palm_offset, wrist_on_object
from ..core.control.refine.interaction_refinement import (
    decode_interaction,
    refine_interaction,
)
from ..core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.root_frame import facing_direction, root_track, yaw_of
from ..core.motion.rotations import Array, wrap_angle
from ..core.scene.affordances import find_placement_surfaces, placement_poses
from ..core.scene.interaction_object import InteractionObject
from .interaction_measures import arm_depth, palm_gaps
from .interaction_motion import (
    LIFTED,
    WALK_OFF_M,
    captured_clips,
    lift_seconds,
    measure_motion,
    motion_row,
    motion_table,
    walk_off_from,
)
from .interactions import interacting
from .setup import Setup
from .tables import Part, table
from .unseen import BOXES, box
from .unseen import table as a_table

TITLE = "Carrying boxes"
STARTS: Final = 10
FARTHEST: Final = 3.0
APART: Final = 3.0
"""Distance between the two tables, meters."""
HEIGHTS: Final = (0.45, 0.95)
"""Heights of tables, meters."""
LONGEST: Final = 5000
PAPER: Final = (3.05, 1.02)
"""From NSM's Table 2: position error, cm, and rotation error, degrees."""

NOTES = """\
Ten starts for each box, within 3 m of it, from any side, facing anywhere, standing; the models of
../shared/data/objects, 28 to 36 cm high, no training saw them, on tables of 45 to 95 cm, 3 m apart. *Done*: fetched
and put down within 35 s each."""


FLOOR_STARTS: Final = 10
"""Number of boxes carried over the floor."""
LIFT_WINDOW_S: Final = 2.5
"""Time from half a second before a grasp for the rise of the head."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One carried box: distances in cm, angles in degrees, seconds; milliseconds per frame."""

    grasp: float
    grasp_turned: float
    put: float
    put_turned: float
    solved: float
    palm: float
    through: float
    fetching: float
    carrying: float
    step: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = interacting(setup)
    rows: list[list[object]] = []
    everyone: list[Trial | None] = []
    motion: list[list[object]] = []
    for name in BOXES:
        one = box(setup.data.parent / "objects", name)
        measured = [_trial(model, one, start) for start in range(STARTS)]
        trials = [trial for trial, _ in measured]
        rows.append(_row(name, trials))
        motion.append(motion_row(name, [measure_motion(clip) for _, clip in measured]))
        everyone += trials
    rows.append(_row("all", everyone))
    rows.append(["NSM", None, *PAPER, *PAPER, *[None] * 6])
    rows.append(["reach", None, 2, 1, 2, 1, 2, 1, 0, None, None, 8])
    head = ["box", "done", "PE grasp cm", "RE deg", "PE put cm", "RE deg", "wrists solved cm", "palms cm", "through cm"]
    head += ["fetch s", "carry s", "step ms"]
    lifts, floor = from_floor(model, setup.data.parent / "objects")
    real = captured_clips(setup.data, LIFTED, model)
    motion.append(motion_row("from the floor", [measure_motion(clip) for clip in floor]))
    seconds = [
        ["lift from the floor", len(lifts), *spread(lifts)],
        ["captured", len(real), *spread(bend_seconds(real))],
    ]
    lifting = table(["", "times", "mean s", "shortest s", "longest s"], [*seconds, ["reach", None, None, 0.5, 0.75]])
    return [table(head, rows), motion_table(motion, real), lifting, NOTES]


def _row(name: str, trials: list[Trial | None]) -> list[object]:
    done = [trial for trial in trials if trial is not None]
    said = f"{len(done)} of {len(trials)}"
    if not done:
        return [name, said, *[None] * 10]
    values = {part: [getattr(one, part) for one in done] for part in Trial.__slots__}
    return [name, said, *(max(of) if part == "through" else float(np.mean(of)) for part, of in values.items())]


def from_floor(model: ControllerModel, objects: Path) -> tuple[list[float], list[Clip]]:
    """Return the seconds of lifts from the floor, from 10 to 90 % of the head's rise, and the motions of all trials."""
    seconds, clips = [], []
    for number in range(FLOOR_STARTS):
        play = to_carry_on_floor(model, box(objects, list(BOXES)[number % len(BOXES)]), number)
        while len(play.frames) < LONGEST and play.advance(60):
            pass
        clips.append(refine_interaction(play.recording).clip)
        if (took := play.recording.event_frame("took", 0)) is not None:
            start = max(took - round(model.rate / 2), 0)
            seconds.append(lift_seconds(clips[-1], start, start + round(LIFT_WINDOW_S * model.rate)))
    return seconds, clips


def bend_seconds(clips: Sequence[Clip]) -> list[float]:
    """Return the seconds of captured lifts, starting at the lowest head."""
    heads = [clip.positions[:, clip.skeleton.joint("head"), 2] for clip in clips]
    starts = [int(np.argmin(head)) for head in heads]
    return [
        lift_seconds(clip, start, start + round(LIFT_WINDOW_S * clip.rate))
        for clip, start in zip(clips, starts, strict=True)
    ]


def spread(values: Sequence[float]) -> tuple[float | None, ...]:
    """Return mean, smallest and largest value; empty without values."""
    return (float(np.mean(values)), min(values), max(values)) if values else (None, None, None)


def to_carry_on_floor(model: ControllerModel, one: InteractionObject, start: int) -> InteractionSequencer:
    """Return a standing character with the command to carry a box over the floor and to walk off."""
    generator = np.random.default_rng([start, 17])
    way, side = (facing_direction(np.array(generator.uniform(-np.pi, np.pi))) for _ in range(2))
    tasks = [
        InteractionTask("carry", 0, position=np.append(WALK_OFF_M * way, 0.0), stand_direction=-way),
        InteractionTask("walk", position=walk_off_from(WALK_OFF_M * way, -2.0 * way)),
    ]
    return InteractionSequencer(model, [one], tasks, 1.5 * side, float(generator.uniform(-np.pi, np.pi)))


def _trial(model: ControllerModel, one: InteractionObject, start: int) -> tuple[Trial | None, Clip]:
    """Have a standing character carry a box from one table to another and walk off.

    Returns:
        The measures of a carried box, and the motion.
    """
    play = to_carry(model, one, start)
    began = perf_counter()
    while len(play.frames) < LONGEST and play.advance(60):
        pass
    step = 1000 * (perf_counter() - began) / len(play.frames)
    performed = refine_interaction(play.recording)
    if (moments := carried(play)) is None:
        return None, performed.clip
    took, laid = moments
    raw = decode_interaction(play.recording)
    solved = performed.clip
    middle = (took + laid) // 2
    palm = palm_offset(model.skeleton.leg_length)
    held = performed.objects[middle][0]
    wrists = [
        held.posed_collider.to_world(
            wrist_on_object(play.objects[0], play.recording.approach_sides[0], hand, palm)[None]
        )[0]
        - solved.positions[middle, solved.skeleton.joint(f"hand.{hand}")]
        for hand in "LR"
    ]
    trial = Trial(
        *errors(raw, took, play.objects[0], play.recording.approach_sides[0]),
        *errors(raw, laid, play.recording.object_states[-1][0], play.recording.approach_sides[0]),
        100 * float(np.linalg.norm(wrists, axis=1).max()),
        100 * float(palm_gaps(performed, 0, took + round(HANDOVER_S * model.rate), laid).mean()),
        100 * arm_depth(performed, 0, took),
        took / model.rate,
        (laid - took) / model.rate,
        step,
    )
    return trial, solved


def to_carry(
    model: ControllerModel, one: InteractionObject, start: int, assistance: Assistance = FULL_ASSISTANCE
) -> InteractionSequencer:
    """Return a standing character with the command to carry a box from one table to another and to walk off.

    ``assistance`` as in :class:`InteractionSequencer`.
    """
    generator = np.random.default_rng([start, 12])
    first, second = (a_table(float(generator.uniform(*HEIGHTS))) for _ in range(2))
    way = facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    second = second.place_at(np.append(APART * way, 0.0), facing_direction(np.array(generator.uniform(-np.pi, np.pi))))
    lies, _ = _on(first, one, generator)
    put, stand = _on(second, one, generator)
    thing = one.place_at(lies, facing_direction(np.array(0.0)))
    side, away = generator.uniform(-np.pi, np.pi), generator.uniform(1.2, FARTHEST)
    place = away * facing_direction(np.array(side))
    errand = InteractionTask("carry", 0, position=put, stand_direction=stand)
    yaw = float(generator.uniform(-np.pi, np.pi))
    off = InteractionTask("walk", position=walk_off_from(put[:2], stand))
    return InteractionSequencer(model, [thing, first, second], [errand, off], place, yaw, assistance)


def carried(play: InteractionSequencer) -> tuple[int, int] | None:
    """Return the frames of picking up and putting down; ``None`` if it is not carried."""
    happened = {event.kind: min(event.frame, len(play.frames) - 1) for event in play.events}
    return (happened["took"], happened["put"]) if "took" in happened and "put" in happened else None


def _on(surface: InteractionObject, one: InteractionObject, generator: np.random.Generator) -> tuple[Array, Array]:
    """Return a place on a table near an edge, and the side on which the character stands."""
    lower, upper = one.collider.bounds
    width, depth = (float(size) for size in (upper - lower)[:2])
    spots = placement_poses(find_placement_surfaces(surface.collider)[0], width, depth, 0.03)
    place, way = spots[int(generator.integers(len(spots)))]
    turned = surface.posed_collider.to_world(np.stack([place, place + np.append(way, 0.0)]))
    return turned[0], (turned[1] - turned[0])[:2]


def errors(clip: Clip, frame: int, one: InteractionObject, side: int) -> tuple[float, float]:
    """Return PE, cm, and RE, degrees, of a character that holds an object from one of its sides."""
    seen = one.facing_side(side)
    wanted = seen.posed_collider.to_world(seen.grip_centre[None])[0]
    hands = clip.positions[frame, [clip.skeleton.joint(f"hand.{hand}") for hand in "LR"]].mean(axis=0)
    turned = float(root_track(clip).yaws[frame]) - float(yaw_of(-seen.front_direction))
    angle = abs(float(wrap_angle(turned)))
    return 100 * float(np.linalg.norm((hands - wanted)[:2])), float(np.degrees(angle))
