"""Sensitivity: the same request with slightly moved places must give the same take."""

import contextlib
import io
import json
import pickle
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..cli import main as command_line
from ..core.control.interaction.task import InteractionTask
from ..core.control.shot.beats import Beat, TaskBeat, WalkBeat
from ..core.control.shot.shot import ShotRequest
from ..core.errors import FootfallError
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from ..core.motion.rotations import Array
from .setup import Setup
from .shots import SHOTS, made_shot, shot
from .tables import Part, table

TITLE = "Sensitivity to places"
HAIR_M: Final = 1e-7
"""Largest change of each coordinate."""
RUNS: Final = 2
"""Changed requests of each case."""
TURNS_DEG: Final = (0.0, 23.7)
"""Angles by which each scene is turned: along the axes, and with no round coordinate."""
TOLD_M: Final = 0.001
"""Least difference of a joint's position that counts."""
UNEVEN_M: Final = 0.001
"""Distance by which each place of a random shot is moved first, so that no coordinate is round."""
SHOT_RUNS: Final = 20
"""Changed requests of each random shot."""
BAKED: Final = 5
"""Random shots of which one changed request is made, although its places are rounded to the same."""

CHAIR: Final = {"name": "Chair", "size": [0.45, 0.45, 0.45], "position": [0.4, 2.6], "rotation": 0}
CRATE: Final = {"name": "Crate", "size": [0.3, 0.3, 0.3], "position": [1.0, 2.0, 0.6]}
STAND: Final = {"name": "Stand", "size": [0.5, 0.5, 0.6], "position": [1.0, 2.0]}
TABLE: Final = {"name": "Table", "size": [1.2, 0.6, 0.7], "position": [-1.5, 3.0]}
BLOCK: Final = {"name": "Block", "size": [0.7, 0.7, 0.9], "position": [0.0, 2.0]}
CASES: Final[Mapping[str, tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]]] = {
    "sit between two walks": (
        [CHAIR],
        [
            {"action": "walk", "target": [1.5, 1.0]},
            {"action": "sit", "object": "Chair", "duration": 1},
            {"action": "walk", "target": [-1.5, 0.5]},
        ],
    ),
    "carry to a table": ([CRATE, STAND, TABLE], [{"action": "carry", "object": "Crate", "target": "Table"}]),
    "push, then walk": (
        [BLOCK],
        [{"action": "push", "object": "Block", "target": [0.0, 3.5]}, {"action": "walk", "target": [2.0, 2.0]}],
    ),
}
"""Objects and tasks by name."""

NOTES = """\
Each scene, along the axes and turned by 23.7 degrees, twice with every place moved at random by up to 1e-7 m on each
axis, and the hundred random shots 20 times: takes with any joint *over 1 mm* from the take as it was, the *worst*
distance, and the largest change of length. Places are rounded to 0.1 mm, so that almost all moved shots are the same
request, which is made for the first five shots alone; moved by more, or across a step of the rounding, a take may be
another."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows: list[list[object]] = []
    for name, (objects, tasks) in CASES.items():
        for turn in TURNS_DEG:
            before = take(objects, tasks, turn, None)
            takes = [take(objects, tasks, turn, np.random.default_rng([run, 5])) for run in range(RUNS)]
            rows.append([name, f"{turn:g}", *_changes(before, takes)])
    with ProcessPoolExecutor() as pool:
        shots = list(pool.map(shot_changes, range(SHOTS)))
    over = sum(one.over for one in shots)
    rows.append(
        [
            f"{SHOTS} shots; other requests: {sum(one.others for one in shots)}, shots of them over 1 mm: "
            f"{sum(one.over > 0 for one in shots)}",
            "-",
            f"{over} of {SHOTS * SHOT_RUNS}",
            f"{1000 * max(one.worst for one in shots):.3f}",
            max(one.longer for one in shots),
        ]
    )
    return [table(["scene", "turned, deg", "over 1 mm", "worst mm", "frames"], rows), NOTES]


@dataclass(frozen=True, slots=True)
class ShotChanges:
    """The changes of a shot whose places are moved by a hair.

    ``others`` counts moved requests that are not the same after rounding, ``over`` those with a joint over 1 mm away;
    ``worst`` is the largest distance, meters, ``longer`` the largest change of length, frames.
    """

    others: int
    over: int
    worst: float
    longer: int


def shot_changes(number: int) -> ShotChanges:
    """Return the changes of a random shot over all its moved requests; one that is rounded to the same is not made."""
    request = moved_shot(shot(number), np.random.default_rng([number, 6]), UNEVEN_M)
    moved = [moved_shot(request, np.random.default_rng([run, 5])) for run in range(1, SHOT_RUNS + 1)]
    counts = Counter(map(_places, moved))
    others = {_places(one): one for one in moved if _places(one) != _places(request)}
    made = others | ({_places(request): moved[0]} if number < BAKED else {})
    if not made:
        return ShotChanges(0, 0, 0.0, 0)
    before = made_shot(request).performance.clip
    clips = {key: made_shot(one).performance.clip for key, one in made.items()}
    apart = {key: largest_distance(before, one) for key, one in clips.items()}
    longer = max(abs(len(one) - len(before)) for one in clips.values())
    over = sum(counts[key] for key, one in apart.items() if one > TOLD_M)
    return ShotChanges(sum(counts[key] for key in others), over, max(apart.values()), longer)


def _places(request: ShotRequest) -> bytes:
    """Return all that a shot is made from and that was moved, after rounding."""
    same = request.rounded()
    return pickle.dumps((same.beats, same.position, [one.position for one in same.objects]))


def _changes(before: Clip, takes: Sequence[Clip]) -> list[object]:
    """Return the number of takes that differ from one, the largest distance, mm, and the largest change in length."""
    apart = [largest_distance(before, after) for after in takes]
    longer = max(abs(len(after) - len(before)) for after in takes)
    return [f"{sum(one > TOLD_M for one in apart)} of {len(takes)}", f"{1000 * max(apart):.3f}", longer]


def moved_shot(request: ShotRequest, generator: np.random.Generator, largest: float = HAIR_M) -> ShotRequest:
    """Return a shot with all its places moved at random, by at most a distance, meters, along each axis."""

    def moved(place: Array) -> Array:
        hair = generator.uniform(-largest, largest, 2)
        return np.asarray(place, dtype=float) + np.append(hair, np.zeros(len(place) - 2))

    def moved_task(task: InteractionTask) -> InteractionTask:
        return task if task.position is None else replace(task, position=moved(task.position))

    beats: list[Beat] = []
    for beat in request.beats:
        if isinstance(beat, TaskBeat):
            beats.append(TaskBeat(moved_task(beat.task)))
        elif isinstance(beat, WalkBeat):
            beats.append(replace(beat, points=np.array([moved(point) for point in beat.points])))
        else:
            beats.append(beat)
    objects = [replace(one, position=moved(one.position)) for one in request.objects]
    return replace(request, beats=beats, position=moved(request.position), objects=objects)


def take(
    objects: Sequence[Mapping[str, Any]],
    tasks: Sequence[Mapping[str, Any]],
    turn_deg: float,
    generator: np.random.Generator | None,
) -> Clip:
    """Return the take of a scene that is turned about the origin, with slightly and randomly moved places."""

    def placed(place: Sequence[float]) -> list[float]:
        x, y, *z = place
        cos, sin = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
        moved: Array = np.array([cos * x - sin * y, sin * x + cos * y])
        if generator is not None:
            moved = moved + generator.uniform(-HAIR_M, HAIR_M, 2)
        return [*map(float, moved), *z]

    scene = {
        "character": {"position": placed([0.0, 0.0]), "direction": turn_deg},
        "objects": [
            one | {"position": placed(one["position"]), "rotation": one.get("rotation", 0) + turn_deg}
            for one in map(dict, objects)
        ],
        "tasks": [
            one | ({"target": placed(one["target"])} if isinstance(one.get("target"), list) else {})
            for one in map(dict, tasks)
        ],
    }
    with _folder() as folder:
        (folder / "scene.json").write_text(json.dumps(scene), encoding="utf-8")
        said = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            command_line(["interact", "--scene", str(folder / "scene.json"), "--out", str(folder / "take.bvh")])
        if not (folder / "take.bvh").is_file():
            raise FootfallError("The take of a scene was not made: {said}", said=said.getvalue())
        return read_bvh(folder / "take.bvh")


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def largest_distance(before: Clip, after: Clip) -> float:
    """Return the largest distance, meters, between the same joint of two takes in the same frame."""
    frames = min(len(before), len(after))
    return float(np.linalg.norm(before.positions[:frames] - after.positions[:frames], axis=-1).max())
