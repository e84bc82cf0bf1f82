"""Sitting down on seats unseen in training, from places all around them (NSM Tables 2 and 3)."""

from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import decode_interaction, refine_interaction
from ..core.control.refine.seat_pose import SEATED_HIP_HEIGHT_RATIO
from ..core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.root_frame import facing_direction, root_track
from ..core.motion.rotations import Array, wrap_angle
from ..core.scene.interaction_object import InteractionObject
from .interaction_motion import (
    SAT_DOWN,
    SeatLeaving,
    captured_clips,
    measure_motion,
    motion_row,
    motion_table,
    seat_leavings,
    seat_table,
    walk_off_from,
)
from .setup import ROOT, Setup
from .tables import Part, table
from .unseen import SEATS, found_seat, seat

TITLE = "Sitting down"
SHIPPED: Final = ROOT / "presets" / "controllers" / "interactions" / "everyday.safetensors"
STARTS: Final = 10
FARTHEST: Final = 3.0
LONGEST: Final = 3000
STAY: Final = 1.5
AFTER: Final = 30
"""Frames after sitting down for the measurement of the position."""
PAPER: Final = (2.93, 0.92, 4.92)
"""From NSM's Tables 2 and 3: position error, cm, rotation error, degrees, and seconds from walking to sitting."""

NOTES = """\
Ten starts for each seat, within 3 m, from any side, facing anywhere, standing; the models of ../shared/data/objects,
scaled to seats 45 cm high; no training saw them. *Reached*: seated and still within 35 s."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One walk to a seat: distances in cm, angle in degrees, seconds; milliseconds per frame."""

    sideways: float
    upwards: float
    turned: float
    solved: float
    seconds: float
    step: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = interacting(setup)
    rows: list[list[object]] = []
    everyone: list[Trial | None] = []
    motion: list[list[object]] = []
    leavings: dict[str, list[SeatLeaving]] = {}
    for name in SEATS:
        one = seat(setup.data.parent / "objects", name)
        measured = [_trial(model, one, start) for start in range(STARTS)]
        trials = [trial for trial, _ in measured]
        rows.append(_row(name, trials))
        motion.append(motion_row(name, [measure_motion(clip) for _, clip in measured]))
        leavings[name] = [leaving for _, clip in measured for leaving in seat_leavings(clip)]
        everyone += trials
    rows.append(_row("all", everyone))
    rows.append(["NSM", None, PAPER[0], PAPER[1], None, PAPER[2], None])
    rows.append(["reach", None, 2, 1, 2, PAPER[2], 8])
    head = ["seat", "reached", "PE of the network cm", "RE deg", "PE solved cm", "seconds", "step ms"]
    real = captured_clips(setup.data, SAT_DOWN, model)
    return [table(head, rows), motion_table(motion, real), seat_table(leavings, real), NOTES]


def interacting(setup: Setup) -> ControllerModel:
    """Return the requested controller, or the shipped one."""
    return load_model(setup.controller or SHIPPED)


def _row(name: str, trials: list[Trial | None]) -> list[object]:
    done = [trial for trial in trials if trial is not None]
    if not done:
        return [name, f"0 of {len(trials)}", *[None] * 5]
    errors = [float(np.hypot(trial.sideways, trial.upwards)) for trial in done]
    means = [
        float(np.mean([getattr(trial, part) for trial in done])) for part in ("turned", "solved", "seconds", "step")
    ]
    return [name, f"{len(done)} of {len(trials)}", float(np.mean(errors)), *means]


def _trial(model: ControllerModel, on: InteractionObject, start: int) -> tuple[Trial | None, Clip]:
    """Have a standing character sit, get up and walk off; return the measures, if it sat, and its motion."""
    play = to_sit(model, on, start)
    began = perf_counter()
    while len(play.frames) < LONGEST and play.advance(60):
        pass
    step = 1000 * (perf_counter() - began) / len(play.frames)
    reached, clip = play.recording.event_frame("reached", 0), refine_interaction(play.recording).clip
    if reached is None:
        return None, clip
    frame = min(reached + AFTER, len(play.frames) - 1)
    solved = 100 * float(np.linalg.norm(_off(clip, on, frame)))
    raw = decode_interaction(play.recording)
    return Trial(*errors(raw, on, frame), solved, reached / model.rate, step), clip


def to_sit(
    model: ControllerModel, on: InteractionObject, start: int, assistance: Assistance = FULL_ASSISTANCE
) -> InteractionSequencer:
    """Return a standing character with the command to sit and to walk off."""
    generator = np.random.default_rng([start, 11])
    side, away = generator.uniform(-np.pi, np.pi), generator.uniform(1.2, FARTHEST)
    place, errand = away * np.array([np.sin(side), np.cos(side)]), InteractionTask("sit", 0, duration=STAY)
    yaw = float(generator.uniform(-np.pi, np.pi))
    way = facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    off = InteractionTask("walk", position=walk_off_from(np.zeros(2), way))
    return InteractionSequencer(model, [on], [errand, off], place, yaw, assistance)


def errors(clip: Clip, on: InteractionObject, frame: int) -> tuple[float, float, float]:
    """Return the lateral and vertical offset of the hips, cm, and the turn, degrees, on a seat at the origin."""
    off, turned = _off(clip, on, frame), float(root_track(clip).yaws[frame])
    angle = np.degrees(abs(float(wrap_angle(turned))))
    return 100 * float(np.linalg.norm(off[:2])), 100 * abs(float(off[2])), float(angle)


def _off(clip: Clip, on: InteractionObject, frame: int) -> Array:
    """Return the offset (3) of the hips from their goal position over a seat."""
    wanted = on.posed_collider.to_world(found_seat(on).position[None])[0] + [
        0.0,
        0.0,
        SEATED_HIP_HEIGHT_RATIO * clip.skeleton.leg_length,
    ]
    return clip.positions[frame, clip.skeleton.joint("hips")] - wanted
