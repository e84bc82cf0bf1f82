"""Random shots: walks, seats, boxes, doors and waits of one character over a floor with a platform and its stairs."""

import json
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..cli.shot import SHIPPED_CONTROLLER, seam_measures
from ..cli.walk import shipped_controller
from ..core.control.interaction.task import InteractionTask
from ..core.control.shot.beats import Beat, TaskBeat, WaitBeat, WalkBeat
from ..core.control.shot.memo import ShotMemo
from ..core.control.shot.outcome import Shot
from ..core.control.shot.request import ShotRequest
from ..core.control.shot.shot import ShotRollout
from ..core.errors import FootfallError
from ..core.evaluation.quality import measure_traces, summarise_traces
from ..core.features.interaction import CONTACT_JOINTS
from ..core.models.model_file import load_model
from ..core.motion import Skeleton
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.proportions import scale_between
from ..core.motion.root_frame import facing_direction
from ..core.motion.rotations import Array, rotation_about_up
from ..core.retarget.calibration import Calibration, calibrate
from ..core.scene.body_capsules import BodyCapsules
from ..core.scene.collider import Collider
from ..core.scene.interaction_object import InteractionObject, animated_collider
from ..core.terrain.mesh_scene import MeshScene
from ..core.terrain.walk_scene import WalkScene
from ..tools.build.environments import BLENDERS, is_ready
from ..training.interactions.props.doors import Door
from ..training.interactions.props.mesh_primitives import box_mesh
from ..training.interactions.props.seats import Chair
from ..training.interactions.props.tables import Box
from .setup import Setup
from .tables import Part, table

TITLE = "A hundred shots"
SHOTS: Final = 100
BEATS: Final = (3, 7)
"""Range of the number of beats, without its upper end."""
RISE_M, TREAD_M = 0.17, 0.3
STEPS: Final = (2, 5)
"""Number of steps of the stairs."""
SIDE_M: Final = 4.0
"""Side of the platform."""
SLOT_M: Final = 2.6
"""Spacing of the places of beats."""
KINDS: Final = {"walk": 0.3, "sit": 0.3, "carry": 0.15, "pick_up": 0.1, "open": 0.05, "wait": 0.1}
NEAR_SEAT_M: Final = 0.7
"""Distance from the middle of a seat from which captured clips show how people sit down."""
DEEP_M: Final = 0.03
"""Depth in an object that is never allowed."""
NOTES = """\
Shots of three to six beats on a floor and on a platform with stairs; *good*: every beat done, no bone over 3 cm in what
stands about, no verdict *BAD*. *Support* is the median speed of standing feet within half a second of a seam, *knees*
the 99th percentile of their acceleration there over that of the whole shot."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a shot: done and requested beats, depth in meters, measures of its seams, and its rate.

    ``sits`` are the times from :data:`NEAR_SEAT_M` before each seat to its touch, seconds.
    """

    number: int
    done: int
    beats: int
    deep: float
    verdicts: tuple[str, ...]
    step: float
    support: float
    knees: float
    rate: float
    sits: tuple[float, ...] = ()
    doubts: tuple[str, ...] = ()
    error: str = ""

    @property
    def is_good(self) -> bool:
        """True if every beat is done, there is no deep penetration, and no measure is bad."""
        return self.done == self.beats and self.deep <= DEEP_M and not self.verdicts and not self.error


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    bodies: dict[str, Calibration | None] = {"built-in figure": None}
    if (rigify := _rigify()) is not None:
        bodies["Rigify"] = rigify
    with ProcessPoolExecutor() as pool:
        outcomes = [list(pool.map(partial(outcome, body=body), range(SHOTS))) for body in bodies.values()]
    columns = [_figures(one) for one in outcomes]
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    rows.append(["memory of a process, MB", *[peak] * len(bodies)])
    return [table(["of shots", *bodies], rows), NOTES]


def _figures(outcomes: Sequence["Outcome"]) -> dict[str, object]:
    """Return the figures of all shots of a body by name."""
    made = [one for one in outcomes if not one.error]
    return {
        "shots": len(outcomes),
        "every beat done": sum(one.done == one.beats for one in outcomes),
        "nothing over 3 cm in anything": sum(one.deep <= DEEP_M for one in made),
        "no verdict BAD": sum(not one.verdicts for one in made),
        "all verdicts GOOD": sum(not one.doubts and not one.verdicts for one in made),
        "good": f"{sum(one.is_good for one in outcomes)} of {len(outcomes)}",
        "beats done": f"{sum(one.done for one in outcomes)} of {sum(one.beats for one in outcomes)}",
        "largest step at seams over that of the rest": float(np.median([one.step for one in made])),
        "the same, worst": max(one.step for one in made),
        "support foot at seams, cm/s": float(np.median([one.support for one in made])),
        "knees at seams over the rest": float(np.median([one.knees for one in made])),
        f"from {NEAR_SEAT_M} m to the touch of the seat, s (captured 1.6 to 2.3, mean 1.9)": float(
            np.mean([sit for one in made for sit in one.sits])
        ),
        "real time, by the time of one processor": float(np.median([one.rate for one in made])),
    }


def _rigify() -> Calibration | None:
    """Return the calibration of a generated Rigify rig; ``None`` without Blender."""
    environment = next((one for one in reversed(BLENDERS.values()) if is_ready(one)), None)
    if environment is None:
        return None
    script = Path(__file__).with_name("rigify_body_in_blender.py")
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.run(
            [str(environment.python), "-P", str(script)],
            stdout=subprocess.PIPE,
            text=True,
            timeout=300,
            env={**os.environ, "BLENDER_USER_RESOURCES": folder},
        )
    if child.returncode:
        raise FootfallError("The Rigify rig could not be generated: Blender's own message is above.")
    body = json.loads(child.stdout.splitlines()[-1])
    arrays = {name: np.array(body.pop(name)) for name in ("offsets", "tips")}
    skeleton = Skeleton(names=tuple(body.pop("names")), parents=tuple(body.pop("parents")), **arrays, **body)
    return calibrate(_controllers()[1].skeleton, skeleton)


def outcome(number: int, body: Calibration | None = None) -> Outcome:
    """Return the result of a shot, on a body or the controllers' own."""
    request = shot(number, body)
    _controllers()
    begun = time.process_time()
    try:
        made = made_shot(request)
    except FootfallError as error:
        return Outcome(number, 0, len(request.beats), 0.0, (), 0.0, 0.0, 0.0, 0.0, error=str(error))
    seconds = time.process_time() - begun
    clip = made.performance.clip
    scene = request.scene or WalkScene()
    found = summarise_traces(measure_traces(clip, made.performance.contacts, scene.ground))
    bad = tuple(one.measure for one in found if one.verdict == "BAD")
    steps = 100 * np.linalg.norm(np.diff(clip.positions, axis=0), axis=2).max(axis=1)
    seams = list(seam_measures(made))
    everywhere = Shot(made.performance, (), tuple(range(30, len(clip) - 30, 60)))
    usual = float(np.percentile([one["knee_acceleration_rad_s2"] for one in seam_measures(everywhere)], 90))
    return Outcome(
        number,
        sum(one.status == "done" for one in made.beats),
        len(request.beats),
        deepest(made, request),
        bad,
        max((one["largest_step_cm"] for one in seams), default=0.0) / float(steps.max()),
        float(np.median([one["support_foot_cm_s"] or 0.0 for one in seams] or [0.0])),
        max((one["knee_acceleration_rad_s2"] for one in seams), default=0.0) / usual,
        clip.duration / seconds,
        tuple(sitting_times(made)),
        doubts=tuple(one.measure for one in found if one.verdict == "DOUBTFUL"),
    )


def sitting_times(made: Shot) -> Iterator[float]:
    """Yield the time from :data:`NEAR_SEAT_M` before each seat to its touch, seconds."""
    hips = CONTACT_JOINTS.index("hips")
    for act in made.acts:
        recording = act.recording
        if recording.tasks[0].action != "sit":
            continue
        used = recording.task_object(0)
        assert used.seat is not None
        seat = used.posed_collider.to_world(used.seat.position[None])[0, :2]
        away = np.array([float(np.linalg.norm(frame.position[0] - seat)) for frame in recording.frames])
        touches = np.array([frame.contacts[0, hips] for frame in recording.frames]) > CONTACT_THRESHOLD
        if touches.any() and (away[: np.argmax(touches)] > NEAR_SEAT_M).any():
            touch = int(np.argmax(touches))
            yield (touch - int(np.flatnonzero(away[:touch] > NEAR_SEAT_M)[-1])) / recording.model.rate


def made_shot(request: ShotRequest, memo: ShotMemo | None = None) -> Shot:
    """Return a shot by the shipped controllers, which reuses the finished parts of earlier versions.

    Raises:
        FootfallError: no beat could be done.
    """
    rollout = begun_shot(request, memo)
    while rollout.advance():
        pass
    return rollout.finish()


def begun_shot(request: ShotRequest, memo: ShotMemo | None = None) -> ShotRollout:
    """Return a shot in progress by the shipped controllers, which reuses the finished parts of earlier versions."""
    walks, acts = _controllers()
    return ShotRollout(walks, acts, request, memo=memo)


def deepest(made: Shot, request: ShotRequest) -> float:
    """Return the largest depth of a bone in an object that no task uses, meters."""
    clip = made.performance.clip
    body = BodyCapsules.from_skeleton(clip.skeleton)
    used = {beat.task.object_index for beat in request.beats if isinstance(beat, TaskBeat)}
    found, scale = 0.0, _scale(request.target)
    for number, one in enumerate(request.objects):
        if number not in used:
            placed = animated_collider([one] * len(clip), scale)
            found = max(found, float(body.bone_penetrations(clip, placed).max(initial=0.0)))
    return found


def _scale(body: Calibration | None) -> float:
    """Return the size of a body relative to the controllers'."""
    return 1.0 if body is None else scale_between(_controllers()[1].skeleton, body.target)


_LOADED: list[Any] = []


def _controllers() -> list[Any]:
    """Return the shipped controllers for walks and for tasks, read once per process."""
    if not _LOADED:
        _LOADED.extend((load_model(shipped_controller()), load_model(SHIPPED_CONTROLLER)))
    return _LOADED


def shot(number: int, body: Calibration | None = None) -> ShotRequest:
    """Return the shot with a number, scaled to a body; it is deterministic."""
    scale = _scale(body)
    draw = np.random.default_rng([number, 49])
    count = int(draw.integers(*STEPS))
    height, front = count * RISE_M, 3.0
    slots = _slots(height, front + count * TREAD_M, draw)
    beats: list[Beat] = []
    objects: list[InteractionObject] = []
    level = 0.0
    for kind in draw.choice(list(KINDS), int(draw.integers(*BEATS)), p=list(KINDS.values())):
        place = slots.pop()
        kind = "sit" if kind == "open" and place[2] > 0.0 else kind  # a door there would lead off the platform
        if place[2] != level and kind != "wait":
            beats.append(WalkBeat(scale * _stairs_way(front, count, level == 0.0)))
            level = float(place[2])
        if kind == "wait":
            beats.append(WaitBeat(float(draw.uniform(0.5, 2.0))))
            slots.append(place)
        elif kind == "walk":
            beats.append(WalkBeat(scale * place[None, :2], float(draw.uniform(0.9, 1.6))))
        else:
            objects.append(_thing(str(kind), place, draw))
            beats.append(_task(str(kind), len(objects) - 1, objects[-1], draw))
    ground = WalkScene(_ground(front, count, scale))
    return ShotRequest(beats, np.zeros(3), 0.0, ground, objects, target=body, seed=number)


def _slots(height: float, front: float, draw: np.random.Generator) -> list[Array]:
    """Return places (3) on the floor and on the platform, in random order."""
    floor = [[SLOT_M * column, SLOT_M * row - 4.0, 0.0] for column in (-2, -1, 1, 2) for row in (-1, 0, 1)]
    top = [[0.8 * side, front + SIDE_M / 2 + 1.2 * side, height] for side in (-1, 1)]
    return [np.array(one) for one in draw.permutation([*floor, *top])]


def _stairs_way(front: float, count: int, up: bool) -> Array:
    """Return the points (N, 2) of the way over the stairs."""
    way = np.array([[0.0, front - 1.0], [0.0, front + count * TREAD_M / 2], [0.0, front + count * TREAD_M + 0.7]])
    return way if up else way[::-1]


def _ground(front: float, count: int, scale: float) -> MeshScene:
    """Return a floor with a platform and the stairs up to it, in the size of a body."""
    boxes = [((-20.0, -20.0, -1.0), (20.0, 20.0, 0.0))]
    for step in range(count):
        start = front + step * TREAD_M
        boxes.append(((-1.0, start, 0.0), (1.0, front + count * TREAD_M, RISE_M * (step + 1))))
    back = front + count * TREAD_M
    boxes.append(((-SIDE_M / 2, back, 0.0), (SIDE_M / 2, back + SIDE_M, RISE_M * count)))
    return MeshScene.of_meshes([box_mesh(*(scale * np.array(corner) for corner in box)) for box in boxes])


def _thing(kind: str, place: Array, draw: np.random.Generator) -> InteractionObject:
    """Return the object of a beat, at a place (3)."""
    turn = rotation_about_up(np.array(draw.uniform(-np.pi, np.pi)))
    if kind == "sit":
        mesh = Chair(seat_height=float(draw.uniform(0.42, 0.5))).mesh()
        return InteractionObject(f"chair {place}", "seat", Collider.from_mesh(*mesh), place, turn)
    if kind == "open":
        door = Door(width=0.9)
        leaf = Collider.from_mesh(*door.leaf_mesh())
        return InteractionObject(f"door {place}", "door", leaf, place, turn, handle=door.affordance())
    return InteractionObject(f"box {place}", "box", Collider.from_mesh(*Box().mesh()), place, turn)


def _task(kind: str, index: int, thing: InteractionObject, draw: np.random.Generator) -> TaskBeat:
    """Return the task of a beat with its object."""
    if kind == "carry":
        away = 1.3 * facing_direction(np.array(draw.uniform(-np.pi, np.pi)))
        on_top = thing.position[2] > 0.0
        place = thing.position + np.append(0.5 * away if on_top else away, 0.0)
        return TaskBeat(InteractionTask("carry", index, position=place))
    return TaskBeat(InteractionTask(kind, index, duration=float(draw.uniform(0.5, 3.0))))
