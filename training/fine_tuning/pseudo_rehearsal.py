"""Self-replay: a controller walks about by itself, and what it answers is practised while it learns something new, so
that it is not forgotten where the clips it was made from are not at hand (Robins 1995's pseudo-rehearsal).

The answers lie in the run's folder as a data set, made once: ``replay/manifest.json`` and ``replay/shards/``.
"""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path as Folder
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.control.path.path import Path
from ...core.control.path.terrain_profile import TerrainProfile
from ...core.control.path.velocity_profile import plan_timing
from ...core.control.walk.path_following import PathFollower, WalkPlan
from ...core.errors import FootfallError
from ...core.features.locomotion import POSE_INPUTS
from ...core.jobs.atomic import write_atomically
from ...core.models.model_file import ControllerModel
from ...core.models.network import Float32, Memory, Network
from ...core.motion.proportions import ADULT_LEG
from ...core.motion.rotations import Array
from ...core.terrain.ground import Plane, Scene, Still
from ...core.terrain.procedural import procedural
from ...core.terrain.walk_scene import Surroundings
from ..data.dataset import FORMAT, Dataset, DatasetSettings, skeleton_to_json
from ..data.shards import ARRAYS, save_array

VERSION: Final = 1
SECONDS: Final = 15.0
"""How long each character walks, about."""
TOGETHER: Final = 64
"""Characters that walk at a time."""
HELD_OUT: Final = 10
"""One character of so many is left to validate on."""
KICKED: Final = 1 / 180
"""How likely a frame has its pose disturbed, ..."""
KICK: Final = 0.2
"""... by so many of its deviations: what is learnt anew leads to poses that the controller never came to."""

SPEEDS: Final = ((0.55, 0.5, 1.8), (0.15, 1.8, 2.6), (0.3, 2.6, 4.2))
"""How often characters walk, go between walking and running, and run; and at which speeds, m/s."""
CLIMBING: Final = 0.4
"""Share of the walkers who go over rough ground, where the controller knows any, ..."""
CLIMB: Final = 12.0
"""... and metres of it."""
GROUNDS: Final = ("rocks", "stairs", "ramps", "dunes", "rubble", "kerbs")
JUMPING: Final = 0.15
"""Share of the others who jump."""
RARE: Final = 0.08
"""Share that goes in each gait that speeds do not lead to: crouched, or in styles learnt before."""
UPRIGHT: Final = 1.12

Report = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What is to be replayed.

    Attributes:
        minutes: of motion.
        seed: draws ways, speeds and grounds.
        style: the gait that is new to the controller, in which nobody goes.
        joint_weight: how much less the deviation of poses weighs in the controller's normalisation.
    """

    minutes: float
    seed: int
    style: str
    joint_weight: float


def rehearse(model: ControllerModel, folder: Folder, rehearsal: Rehearsal, report: Report | None = None) -> Dataset:
    """Lets a controller walk about, or opens what it did before, where it is the same that is wanted.

    Args:
        model: the controller, grown by its new style.
        folder: where the data set is or will be.
        rehearsal: what is wanted.
        report: called with frames done and frames in all, about; may raise to cancel.

    Raises:
        FootfallError: the controller cannot walk by itself.
        OSError: something cannot be written.
    """
    about = {"version": VERSION, "controller": model.provenance.get("origin", {}), **asdict(rehearsal)}
    kept = _opened(folder)
    if kept is not None and kept.manifest["replay"] == about:
        return kept
    shutil.rmtree(folder, ignore_errors=True)
    walks = list(_walks(model, rehearsal, report or (lambda done, total: None)))
    entries = [_write(folder, number, walk) for number, walk in enumerate(walks)]
    manifest = {
        "format_version": FORMAT,
        "replay": about,
        "settings": asdict(DatasetSettings(joint_weight=rehearsal.joint_weight)),
        "rate": model.rate,
        "input_layout": model.input_layout.to_json(),
        "output_layout": model.output_layout.to_json(),
        "skeleton": skeleton_to_json(model.skeleton),
        "joints": list(model.joints),
        "reference_rotations": model.reference_rotations.tolist(),
        "gaits": list(model.gaits),
        "clips": entries,
        "skipped": [],
    }
    text = json.dumps(manifest, allow_nan=False)
    write_atomically(folder / "manifest.json", text.encode())
    return Dataset(folder, json.loads(text))


def open_rehearsal(folder: Folder) -> Dataset:
    """What was replayed; raises :class:`FootfallError` where it is not there."""
    found = _opened(folder)
    if found is None:
        raise FootfallError(f"What the controller practises is not in '{folder}', or damaged: start the run anew.")
    return found


def _opened(folder: Folder) -> Dataset | None:
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        return Dataset(folder, manifest) if "replay" in manifest else None
    except (OSError, ValueError, TypeError):
        return None


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """One character's samples: x (F, n), y (F, m), phase (F), and the frames at which its pose was disturbed."""

    x: Float32
    y: Float32
    phase: Float32
    kicks: NDArray[np.intp]


def _write(folder: Folder, number: int, walk: _Walk) -> dict[str, Any]:
    """Writes a character's samples as a shard; returns its entry in the manifest."""
    name = f"walk-{number:04d}"
    shard = folder / "shards" / name
    shard.mkdir(parents=True)
    for array, values in zip(ARRAYS, (walk.x, walk.y, walk.phase), strict=True):
        save_array(shard / f"{array}.npy", values)
    edges = [0, *walk.kicks.tolist(), len(walk.phase)]
    sequences = [{"variant": "", "start": start, "stop": stop} for start, stop in pairwise(edges)]
    return {
        "file": name,
        "source": "",
        "licence": "",
        "credit": "",
        "minutes": 0.0,
        "split": "validation" if number % HELD_OUT == HELD_OUT - 1 else "training",
        "shard": name,
        "samples": len(walk.phase),
        "grounds": 0,
        "sequences": [one for one in sequences if one["stop"] > one["start"]],
    }


def _walks(model: ControllerModel, rehearsal: Rehearsal, report: Report) -> Iterator[_Walk]:
    """What characters do who are sent along ways drawn by chance."""
    count = max(HELD_OUT, round(60 * rehearsal.minutes / SECONDS))
    seconds = 60 * rehearsal.minutes / count
    chances = (np.random.default_rng([rehearsal.seed, number]) for number in range(count))
    ways = [_way(model, chance, seconds, rehearsal) for chance in chances]
    frames = round((1.5 * seconds + 3.0) * model.rate)
    total = -(-count // TOGETHER) * frames
    for first in range(0, count, TOGETHER):
        followers = PathFollower(model, ways[first : first + TOGETHER])
        recorder = _Recorder(model, followers, np.random.default_rng([rehearsal.seed, count + first]), rehearsal)
        followers.runtime.network = recorder
        for frame in range(frames):
            if not followers.advance(1):
                break
            if frame % 60 == 0:
                report(first // TOGETHER * frames + frame, total)
        yield from recorder.walks()


class _Recorder:
    """The network of a crowd, and what it was asked and answered; now and then it disturbs a pose."""

    def __init__(
        self, model: ControllerModel, followers: PathFollower, chance: np.random.Generator, rehearsal: Rehearsal
    ) -> None:
        self._model, self._followers, self._chance = model, followers, chance
        self._network: Network = followers.runtime.network
        self._poses = np.concatenate(
            [np.arange(where.start, where.stop) for where in (model.input_layout.slices[name] for name in POSE_INPUTS)]
        )
        self._deviation = KICK * rehearsal.joint_weight
        self._frames: list[tuple[NDArray[np.intp], Float32, Float32, Array, NDArray[np.bool_]]] = []

    def begin(self, count: int) -> Memory:
        """See :class:`Network`."""
        return self._network.begin(count)

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """See :class:`Network`."""
        kicked = self._chance.random(len(x)) < KICKED
        x = np.array(x, dtype=np.float32)
        noise = self._deviation * self._chance.standard_normal((int(kicked.sum()), len(self._poses)))
        x[np.ix_(kicked, self._poses)] += noise.astype(np.float32)
        y, memory = self._network.step(x, phase, memory)
        if not np.isfinite(y).all():
            raise FootfallError(
                "The controller breaks down when it walks by itself, so what it can do cannot be practised: name the "
                "data set of its old clips."
            )
        self._frames.append((self._followers.active_rows, x, y, np.array(phase, dtype=float), kicked))
        return y, memory

    def walks(self) -> Iterator[_Walk]:
        """Each character's samples."""
        model = self._model
        for number in self._frames[0][0]:
            found = [(frame, int(np.searchsorted(frame[0], number))) for frame in self._frames if number in frame[0]]
            x, y, phase, kicked = (np.array([frame[part][row] for frame, row in found]) for part in (1, 2, 3, 4))
            yield _Walk(
                (x * model.x_std + model.x_mean).astype(np.float32),
                (y * model.y_std + model.y_mean).astype(np.float32),
                phase.astype(np.float32),
                np.flatnonzero(kicked),
            )


def _way(model: ControllerModel, chance: np.random.Generator, seconds: float, rehearsal: Rehearsal) -> WalkPlan:
    """A way drawn by chance, of about so many seconds."""
    size = model.skeleton.leg_length / ADULT_LEG
    style = _style(model.gaits, chance, rehearsal.style)
    shares = [share for share, _, _ in SPEEDS]
    _, slow, fast = SPEEDS[0 if style else int(chance.choice(len(SPEEDS), p=shares))]
    speed = float(chance.uniform(slow, fast)) * size
    length, ground = speed * seconds, Plane()
    if model.knows_terrain and fast <= SPEEDS[0][2] and chance.random() < CLIMBING:
        length, ground = min(length, CLIMB), _ground(int(chance.integers(len(GROUNDS))), rehearsal.seed)
    path = Path(_points(chance, length))
    level = 0.0 if isinstance(ground, Plane) else TALL
    profile = TerrainProfile.from_path(path, Surroundings(ground), level, size)
    if "jump" in model.gaits and isinstance(ground, Plane) and not style and chance.random() < JUMPING:
        profile = replace(profile, is_obstacle=_obstacles(chance, profile.arc_lengths))
    upright = UPRIGHT * float(model.start["position"][:, 2].max())
    timing = plan_timing(path, speed, model.rate, profile, upright, gaits=model.gaits, style=style)
    return WalkPlan(path, profile, timing, speed, ground, int(chance.integers(1, 1 << 30)))


TALL: Final = 3.0
"""Made ground is lower than so many metres where it is looked for from above."""


def _style(gaits: Sequence[str], chance: np.random.Generator, new: str) -> str:
    rare = [name for name in gaits if name not in ("stand", "walk", "run", "jump", new)]
    place = int(chance.random() / RARE)
    return rare[place] if place < len(rare) else ""


@cache
def _ground(kind: int, seed: int) -> Scene:
    return Still(procedural(GROUNDS[kind], seed, 2 * CLIMB + 4.0, 0.05))


def _points(chance: np.random.Generator, length: float) -> Array:
    """A way (N, 2) from the origin: straight parts, bends and corners."""
    step, headings = 0.1, [float(chance.uniform(-np.pi, np.pi))]
    while step * len(headings) < length:
        curvature = float(chance.choice([0.0, chance.normal(0.0, 0.5)]))
        corner = float(chance.choice([0.0, chance.uniform(-2.2, 2.2)], p=[0.7, 0.3]))
        part = int(chance.uniform(1.0, 4.0) / step)
        headings += (headings[-1] + corner + curvature * step * np.arange(1, part + 1)).tolist()
    headings = np.array(headings[: max(round(length / step), 2)])
    steps = step * np.stack([np.cos(headings), np.sin(headings)], axis=-1)
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def _obstacles(chance: np.random.Generator, lengths: Array) -> NDArray[np.bool_]:
    """Where (K) along a way something is to be jumped over: every few metres, from 20 to 60 cm of it."""
    jumps = np.zeros(len(lengths), dtype=bool)
    place = float(chance.uniform(2.0, 4.0))
    while place < lengths[-1] - 2.0:
        jumps |= (lengths > place) & (lengths < place + chance.uniform(0.2, 0.6))
        place += float(chance.uniform(4.0, 8.0))
    return jumps
