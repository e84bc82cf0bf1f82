"""Driving: the time of a step, response to commands, and difference between a drive and its bake."""

from dataclasses import dataclass
from pathlib import Path as FilePath
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.drive.driver import DrivenFrame, Driver
from ..core.control.drive.recording import DrivenPath, path_of
from ..core.control.drive.wish import DriveWish
from ..core.control.path.path import Path
from ..core.control.path.path_events import Cues, CueSpan, Facing, Jump, Wait
from ..core.control.runtime.pose_decoder import standing_clip
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.quality import measure_traces, summarise_traces
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.contacts import FootContacts
from ..core.motion.polyline import arc_lengths_of
from ..core.motion.root_frame import root_track
from ..core.motion.rotations import Array, length, wrap_angle
from ..core.terrain.ground import Plane
from .setup import ROOT, Setup
from .tables import Part, table

TITLE = "Driving"
CONTROLLERS: Final = ("locomotion", "locomotion_small", "phase_system", "quadruped")
RESPONSIVENESS: Final = (0.0, 0.5, 1.0)
WALK_M_S: Final = 1.3
RUN_M_S: Final = 3.0
SETTLE_S: Final = 3.0
WATCHED_S: Final = 4.0
REACHED: Final = 0.9
SPEED_WINDOW_S: Final = 0.4
"""Averaging time of the speed: about the length of a step."""
TIMED_FRAMES: Final = 600
CROWD: Final = 20
DRIVES: Final = 20
DRIVE_S: Final = 30.0
CHANGE_S: Final = (1.0, 4.0)
JUMP_SPEEDS_M_S: Final = (0.9, 1.3, 2.0, 3.0)
JUMPS: Final = 5

NOTES: Final = """\
*Response*: time from a new wish until 90 % of it. *Drives*: 20 of 30 s with random wishes, against the bake of the
recorded path."""


@dataclass(frozen=True, slots=True)
class Driven:
    """Distance of a bake from its drive, cm, and sliding feet, live and baked, cm/s."""

    off: float
    live: float
    baked: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    models = {name: load_model(_file(name)) for name in CONTROLLERS}
    model = models[CONTROLLERS[0]]
    one, many = _step_times(model, 1), _step_times(model, CROWD)
    steps = table(["step", "one ms", f"{CROWD} ms"], [["p99", one, many], ["reach", 4, 16]])
    responses = [
        [name, f"{bias:g}", *(("-" if value is None else value) for value in _responses(models[name], bias))]
        for name in CONTROLLERS
        for bias in RESPONSIVENESS
    ]
    head = ["controller", "responsiveness", "stand to walk s", "walk to run s", "run to stand s", "turn by 90 deg s"]
    drives = [_drive_and_bake(model, seed) for seed in range(DRIVES)]
    figures = np.array([(one.off, one.live, one.baked) for one in drives])
    rows: list[list[object]] = [["mean", *figures.mean(axis=0)], ["worst", *figures.max(axis=0)]]
    driven = table(["drives", "off cm", "sliding live cm/s", "sliding baked cm/s"], [*rows, ["reach", 10, "-", "-"]])
    jumps = [_jump_row(model, speed) for speed in JUMP_SPEEDS_M_S]
    jumped = table(["jumps at m/s", "rise live cm", "rise baked cm", "off cm"], jumps)
    return [steps, table(head, responses), driven, jumped, NOTES]


def _file(name: str) -> FilePath:
    """Return the file of a shipped controller."""
    return ROOT / "presets" / "controllers" / f"{name}.safetensors"


def _step_times(model: ControllerModel, count: int) -> float:
    """Return the 99th percentile of the time of a frame of some characters, ms."""
    drivers = [Driver(model, np.array([2.0 * number, 0.0, 0.0]), 0.0) for number in range(count)]
    times = []
    for frame in range(TIMED_FRAMES):
        wish = DriveWish(np.array([0.0, WALK_M_S if frame % 240 < 180 else 0.0]))
        begun = perf_counter()
        for driver in drivers:
            driver.step(wish)
        times.append(1000 * (perf_counter() - begun))
    return float(np.percentile(times, 99))


def _responses(model: ControllerModel, responsiveness: float) -> list[float | None]:
    """Return the response times, s, to new commands."""
    driver = Driver(model, np.zeros(3), 0.0, responsiveness=responsiveness)
    found: list[float | None] = []
    _drive(driver, 1.0, np.zeros(2))
    before = 0.0
    for speed in (WALK_M_S, RUN_M_S, 0.0):
        frames = _drive(driver, WATCHED_S, np.array([0.0, speed]))
        window = round(SPEED_WINDOW_S * model.rate)
        roots = np.stack([frame.moment.root[:2] for frame in frames])
        speeds = length(roots[window:] - roots[:-window]) / SPEED_WINDOW_S
        share = (speeds - before) / (speed - before)
        found.append(_first(share > REACHED, model.rate, SPEED_WINDOW_S / 2))
        before = speed
    _drive(driver, SETTLE_S, np.array([0.0, WALK_M_S]))
    frames = _drive(driver, WATCHED_S, np.array([WALK_M_S, 0.0]))
    missing = np.abs(wrap_angle(np.array([frame.moment.yaw for frame in frames]) + np.pi / 2))
    found.append(_first(missing < (1 - REACHED) * np.pi / 2, model.rate, 0.0))
    return found


def _first(reached: NDArray[np.bool_], rate: float, delay: float) -> float | None:
    """Return the time, s, of the first frame that counts, if any."""
    return float(np.argmax(reached)) / rate + delay if reached.any() else None


def _drive(driver: Driver, seconds: float, velocity: Array) -> list[DrivenFrame]:
    """Drive on with a constant command."""
    return [driver.step(DriveWish(velocity)) for _ in range(round(seconds * driver.model.rate))]


def _drive_and_bake(model: ControllerModel, seed: int) -> Driven:
    """Drive at random, record, and bake."""
    random, driver, frames = np.random.default_rng(seed), Driver(model, np.zeros(3), 0.0), list[DrivenFrame]()
    while len(frames) < DRIVE_S * model.rate:
        speed = float(random.choice([0.0, random.uniform(0.7, 1.8), RUN_M_S], p=[0.2, 0.6, 0.2]))
        angle = random.uniform(-np.pi, np.pi)
        frames += _drive(driver, random.uniform(*CHANGE_S), speed * np.array([np.cos(angle), np.sin(angle)]))
    path = path_of([frame.moment for frame in frames], model.rate)
    walk = make_walk(model, WalkRequest(Path(path.curve.line()[:, :2]), path.speed, cues=_cues(path)))
    driven = np.stack([frame.moment.root[:2] for frame in frames])
    baked = root_track(walk.clip, 0.25).positions
    off = np.array([length(driven - place).min() for place in baked])
    live = Clip(
        model.skeleton,
        model.rate,
        np.concatenate([frame.pose.root_positions for frame in frames]),
        np.concatenate([frame.pose.rotations for frame in frames]),
    )
    contacts = FootContacts(np.stack([frame.contacts for frame in frames]))
    slides = [
        next(row.mean for row in summarise_traces(traces) if row.measure == "foot_sliding")
        for traces in (
            measure_traces(live, contacts, Plane(), driven, standing_clip(model)),
            measure_traces(walk.clip, walk.contacts, Plane(), path.curve.line()[:, :2], walk.standing_clip),
        )
    ]
    return Driven(100 * float(off.mean()), *slides)


def _jump_row(model: ControllerModel, speed: float) -> list[object]:
    """Return the row of jumps at a speed."""
    found: list[tuple[float, float, float]] = []
    for trial in range(JUMPS):
        driver, velocity = Driver(model, np.zeros(3), 0.0), np.array([0.0, speed])
        frames = _drive(driver, SETTLE_S + trial / 10, velocity)
        begun = len(frames)
        frames += [driver.step(DriveWish(velocity, jumps=True)), *_drive(driver, SETTLE_S, velocity)]
        path = path_of([frame.moment for frame in frames], model.rate)
        walk = make_walk(model, WalkRequest(Path(path.curve.line()[:, :2]), path.speed, cues=_cues(path)))
        live = np.concatenate([frame.pose.root_positions for frame in frames])
        highest, place = live[begun:, 2].argmax() + begun, path.jumps[0]
        near = np.flatnonzero(np.abs(walk.clip.root_positions[:, 1] - place) < 1.0)
        baked = walk.clip.root_positions[near]
        found.append(
            (
                live[highest, 2] - float(np.median(live[:begun, 2])),
                baked[:, 2].max() - float(np.median(walk.clip.root_positions[:, 2])),
                abs(float(baked[baked[:, 2].argmax(), 1] - live[highest, 1])),
            )
        )
    return [f"{speed:g}", *(100 * np.mean(found, axis=0))]


def _cues(path: DrivenPath) -> Cues:
    """Return the path events of a recorded drive, as the add-on makes them."""
    steps = 64
    along = arc_lengths_of(path.curve.line(steps)[:, :2])[::steps]
    spans = tuple(
        CueSpan(span.start, span.end, style=span.style or None, facing=None if span.style else Facing(span.yaw_offset))
        for span in path.spans
    )
    waits = tuple(Wait(place, seconds) for place, seconds in path.waits)
    jumps = tuple(Jump(place) for place in path.jumps)
    return Cues(spans, waits, np.column_stack([along, path.factors]), jumps=jumps)
