"""Tasks in a drive: their success, moves at the seams of both controllers, and difference from the bake."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from ..core.control.drive.driven_beats import DoneTask, DrivenBeat, DrivenWalk, beats_of
from ..core.control.drive.driver import DrivenFrame, Driver
from ..core.control.drive.live_task import LiveTask, rest_ahead
from ..core.control.drive.wish import DriveWish
from ..core.control.interaction.task import InteractionTask
from ..core.control.shot.beats import Beat, TaskBeat, WaitBeat, WalkBeat
from ..core.control.shot.shot import ShotRequest, ShotRollout
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion.root_frame import facing_direction, root_track
from ..core.motion.rotations import Array, length, rotation_about_up
from ..core.scene.collider import Collider
from ..core.scene.interaction_object import InteractionObject
from ..training.interactions.props.doors import Door, Wall
from ..training.interactions.props.seats import Chair
from ..training.interactions.props.tables import Box
from .interactions import interacting
from .setup import ROOT, Setup
from .tables import Part, table

TITLE = "Tasks in a drive"
CONTROLLERS: Final = ("locomotion", "locomotion_small", "phase_system")
KINDS: Final = ("sit", "carry", "open", "push", "lie")
TRIALS: Final = 6
WALK_M_S: Final = 1.3
WALKED_S: Final = (0.5, 3.0)
STAY_S: Final = 2.0
ENDED_S: Final = (0.2, 12.0)
LONGEST_S: Final = 60.0
AFTER_S: Final = 2.0
SEAM_S: Final = 0.5
"""Time after a seam whose moves belong to it."""
DISTANCES_M: Final = (1.5, 4.0)

NOTES: Final = """\
6 trials a kind, a third with each of locomotion, locomotion_small and phase_system. The character stands or walks at
1.3 m/s; then an object 1.5 to 4 m away is clicked, or a key has it lie down."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Outcome of a trial: moves at seams and in total, cm, distance of its bake, cm, and times of steps, ms."""

    done: bool
    hips: float
    head: float
    all_hips: float
    all_head: float
    off: float | None
    steps: tuple[float, ...]


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    acts = interacting(setup)
    walks = [load_model(ROOT / "presets" / "controllers" / f"{name}.safetensors") for name in CONTROLLERS]
    rows: list[list[object]] = []
    every: list[Trial] = []
    for kind in KINDS:
        for ended in (False, True):
            trials = [_trial(walks[seed % len(walks)], acts, kind, seed, ended) for seed in range(TRIALS)]
            rows.append([f"{kind}, ended" if ended else kind, *_row(trials)])
            every += trials
    rows.append(["all", *_row(every)])
    rows.append(["reach", None, 3, 4, None, None, 10, 4])
    head = ["task", "done", "hips cm", "head cm", "hips cm, drive", "head cm, drive", "off cm", "step ms"]
    return [table(head, rows), NOTES]


def _row(trials: Sequence[Trial]) -> list[object]:
    """Return the cells of some trials."""
    largest = [float(max(getattr(one, part) for one in trials)) for part in ("hips", "head", "all_hips", "all_head")]
    off = [one.off for one in trials if one.off is not None]
    step = float(np.percentile(np.concatenate([one.steps for one in trials]), 99))
    return [f"{sum(one.done for one in trials)} of {len(trials)}", *largest, float(np.mean(off)) if off else None, step]


def _trial(walks: ControllerModel, acts: ControllerModel, kind: str, seed: int, ended: bool) -> Trial:
    """Drive, use an object, and drive on."""
    random, driver, frames = np.random.default_rng([seed, 24]), Driver(walks, np.zeros(3), 0.0), list[DrivenFrame]()
    way = facing_direction(np.array(random.uniform(-np.pi, np.pi)))
    _walk(driver, frames, float(random.choice([0.0, WALK_M_S], p=[0.3, 0.7])) * way, random.uniform(*WALKED_S))
    objects, task = _scene(kind, driver.place[:2], float(driver.runtime.yaw[0]), random)
    ends = random.uniform(*ENDED_S) if ended else np.inf
    on = WALK_M_S * facing_direction(np.array(random.uniform(-np.pi, np.pi)))
    live, seams, steps = LiveTask(driver, acts, objects, task), [len(frames)], list[float]()
    first = len(frames)
    while not live.is_over and len(frames) - first < LONGEST_S * walks.rate:
        goes = (len(frames) - first) / walks.rate >= ends or live.seconds_stayed >= STAY_S
        if goes and not live.is_ending:
            live.end()
            seams.append(len(frames))
        begun = perf_counter()
        frames.append(live.step(on if live.is_ending else np.zeros(2)))
        steps.append(1000 * (perf_counter() - begun))
    seams.append(len(frames))
    done = live.is_over and (ended or live.is_done)
    live.hand_back()
    _walk(driver, frames, on, AFTER_S)
    off = None
    if not ended and live.is_done:
        told = DoneTask(first, seams[-1], live.task, first + live.arrival_frame)
        beats = [_beat(one) for one in beats_of([frame.moment for frame in frames], [told], walks)]
        off = _off(frames, ShotRollout(walks, acts, ShotRequest(beats, np.zeros(3), objects=objects)))
    return Trial(done, *_moves(frames, seams), off, tuple(steps))


def _walk(driver: Driver, frames: list[DrivenFrame], velocity: Array, seconds: float) -> None:
    """Drive on with a constant command."""
    frames += [driver.step(DriveWish(velocity)) for _ in range(round(seconds * driver.model.rate))]


def _scene(
    kind: str, place: Array, yaw: float, random: np.random.Generator
) -> tuple[list[InteractionObject], InteractionTask]:
    """Return an object away from a place (2), meters, and the task to use it, or to lie down, facing a yaw, radians."""
    if kind == "lie":
        return [], rest_ahead("lie", place, yaw)
    angle, turn = random.uniform(-np.pi, np.pi), float(random.uniform(-np.pi, np.pi))
    at = np.append(place + random.uniform(*DISTANCES_M) * facing_direction(np.array(angle)), 0.0)
    if kind == "sit":
        return [_object("chair", "seat", Chair(seat_height=0.45).mesh(), at, turn)], InteractionTask(
            "sit", 0, duration=np.inf
        )
    if kind == "carry":
        way = facing_direction(np.array(turn))
        goal = at + np.append(random.uniform(1.0, 3.0) * way, 0.0)
        return [_object("box", "box", Box(0.4, 0.3, 0.3).mesh(), at, turn)], InteractionTask(
            "carry", 0, goal, stand_direction=-way
        )
    if kind == "push":
        crate = _object("crate", "box", Box(0.6, 0.6, 0.8).mesh(), at, turn)
        way = facing_direction(np.array(turn + float(random.choice(np.arange(4) * np.pi / 2))))
        return [crate], InteractionTask("push", 0, at + np.append(random.uniform(1.0, 3.0) * way, 0.0))
    turn, door = angle + float(random.uniform(-0.6, 0.6)), Door(width=0.92)
    wall = Wall(width=4.0, opening_size=(door.width, door.height))
    leaf = InteractionObject(
        "door",
        "door",
        Collider.from_mesh(*door.leaf_mesh()),
        at,
        rotation_about_up(np.array(turn)),
        handle=door.affordance(),
    )
    return [leaf, _object("wall", "obstacle", wall.mesh(), at, turn)], InteractionTask("open", 0)


def _object(name: str, kind: str, mesh: tuple[np.ndarray, np.ndarray], at: Array, turn: float) -> InteractionObject:
    """Return an object at a place (3), meters, turned about the vertical by radians."""
    return InteractionObject(name, kind, Collider.from_mesh(*mesh), at, rotation_about_up(np.array(turn)))


def _moves(frames: Sequence[DrivenFrame], seams: Sequence[int]) -> tuple[float, float, float, float]:
    """Return the largest moves of hips and head per frame after the seams, and in all frames, cm."""
    skeleton = frames[0].pose.skeleton
    joints = [skeleton.joint("hips"), skeleton.joint("head")]
    positions = np.concatenate([frame.pose.positions[:, joints] for frame in frames])
    moves = 100 * length(np.diff(positions, axis=0))
    after = round(SEAM_S * frames[0].pose.rate)
    near = np.concatenate([moves[max(seam - 1, 0) : seam + after] for seam in seams]).max(axis=0)
    largest = moves.max(axis=0)
    return float(near[0]), float(near[1]), float(largest[0]), float(largest[1])


def _beat(beat: DrivenBeat) -> Beat:
    """Return a recorded beat as a beat of a shot."""
    if isinstance(beat, DrivenWalk):
        return WalkBeat(beat.curve.line()[:, :2], beat.speed, beat.style)
    return WaitBeat(beat.duration) if beat.action == "idle" else TaskBeat(beat)


def _off(frames: Sequence[DrivenFrame], rollout: ShotRollout) -> float:
    """Return the mean distance of the bake of recorded beats from the places of the character, cm."""
    while rollout.advance():
        pass
    driven = np.stack([frame.moment.root[:2] for frame in frames])
    baked = root_track(rollout.finish().performance.clip, 0.25).positions
    return 100 * float(np.mean([length(driven - place).min() for place in baked]))
