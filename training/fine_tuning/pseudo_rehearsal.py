"""Pseudo-rehearsal: samples that a controller generates itself preserve its skills if its old clips are unavailable.

See Robins 1995. The samples are generated once, as a data set in the run's folder: ``replay/manifest.json`` and
``replay/shards/``.
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
from ...core.control.path.velocity_profile import CROUCH, plan_timing
from ...core.control.runtime.batch_state import BrokenControllerError
from ...core.control.runtime.response_bias import DEFAULT_RESPONSIVENESS
from ...core.control.walk.crouch_trial import crouch_response
from ...core.control.walk.follower_plan import FollowerPlan
from ...core.control.walk.path_following import PathFollower
from ...core.control.walk.performers import performer_shares
from ...core.control.walk.plan import upright_height
from ...core.errors import FootfallError
from ...core.features.locomotion import POSE_FEEDBACK_GROUPS
from ...core.jobs.atomic import write_atomically
from ...core.jobs.bounded_files import MAX_MANIFEST_BYTES, ContentError, read_json_object
from ...core.models.model_file import ControllerModel
from ...core.models.network import Float32, Memory, Network
from ...core.motion.proportions import ADULT_LEG_LENGTH_M
from ...core.motion.rotations import Array
from ...core.terrain.ground import Plane, Scene, StaticScene
from ...core.terrain.procedural import make_procedural_ground
from ...core.terrain.walk_scene import WalkScene
from ..data.dataset import Dataset
from ..data.manifest import FORMAT_VERSION, MANIFEST_NAME, DatasetSettings, skeleton_to_json
from ..data.shard_files import ARRAY_NAMES
from ..data.shards import save_array

REHEARSAL_VERSION: Final = 1
"""Version of the generated data; data of other versions are generated again."""
WALK_DURATION_S: Final = 15.0
"""Approximate duration of each character's walk."""
CHARACTERS_PER_BATCH: Final = 64
"""Number of simultaneously walking characters."""
VALIDATION_INTERVAL: Final = 10
"""Number of characters of which one is held out for validation."""
DISTURBANCE_PROBABILITY: Final = 1 / 180
"""Probability per frame of a disturbed pose, so that the controller also rehearses poses outside its own motion."""
DISTURBANCE_DEVIATION_RATIO: Final = 0.2
"""Standard deviation of a disturbance as a ratio of the pose's own (noise injection as in DART, Laskey et al. 2017)."""

SPEED_BANDS: Final = ((0.55, 0.5, 1.8), (0.15, 1.8, 2.6), (0.3, 2.6, 4.2))
"""Share of characters and speed range, m/s, of walking, of transitions between walking and running, and of running."""
ROUGH_GROUND_SHARE: Final = 0.4
"""Share of walking characters on rough ground, if the controller knows any."""
ROUGH_PATH_LENGTH_M: Final = 12.0
"""Length of a path on rough ground."""
GROUND_KINDS: Final = ("rocks", "stairs", "ramps", "dunes", "rubble", "kerbs")
"""Kinds of procedural ground."""
JUMP_SHARE: Final = 0.15
"""Share of the characters on level ground that jump."""
RARE_GAIT_SHARE: Final = 0.08
"""Share of characters for each gait that does not follow from speed: crouching, or styles learned before."""

ProgressCallback = Callable[[int, int], None]
"""Function called with finished frames and total frames; it may raise an exception to cancel."""


@dataclass(frozen=True, slots=True)
class RehearsalSettings:
    """Settings of the rehearsal data.

    Attributes:
        minutes: minutes of motion to generate.
        seed: seed of paths, speeds and terrains.
        style: the controller's new gait, which is not rehearsed.
        joint_weight: scale of the normalized poses in the controller's normalization.
    """

    minutes: float
    seed: int
    style: str
    joint_weight: float


def generate_rehearsal(
    model: ControllerModel, folder: Folder, settings: RehearsalSettings, report: ProgressCallback | None = None
) -> Dataset:
    """Generate rehearsal data by letting a controller walk, or open existing data with the same settings.

    Args:
        model: the base controller, with its new style added.
        folder: the data set's folder.
        settings: settings of the rehearsal data.
        report: called with finished frames and total frames; may raise an exception to cancel.

    Raises:
        FootfallError: the controller cannot walk without further input.
        OSError: a file cannot be written.
    """
    about = {"version": REHEARSAL_VERSION, "controller": model.provenance.get("origin", {}), **asdict(settings)}
    kept = open_or_none(folder)
    if kept is not None and kept.manifest["replay"] == about:
        return kept
    shutil.rmtree(folder, ignore_errors=True)
    walks = list(_roll_out_walks(model, settings, report or (lambda done, total: None)))
    entries = [_write_shard(folder, number, walk) for number, walk in enumerate(walks)]
    manifest = {
        "format_version": FORMAT_VERSION,
        "replay": about,
        "settings": asdict(DatasetSettings(joint_weight=settings.joint_weight)),
        "rate": model.rate,
        "input_layout": model.input_layout.to_json(),
        "output_layout": model.output_layout.to_json(),
        "skeleton": skeleton_to_json(model.skeleton),
        "joints": list(model.joints),
        "reference_rotations": model.reference_rotations.tolist(),
        "gaits": list(model.gaits),
        "performers": list(model.performers),
        "clips": entries,
        "skipped": [],
    }
    text = json.dumps(manifest, allow_nan=False)
    write_atomically(folder / MANIFEST_NAME, text.encode(), follow_links=False)
    return Dataset(folder, json.loads(text))


def open_rehearsal(folder: Folder) -> Dataset:
    """Open the generated rehearsal data in a folder; raise :class:`FootfallError` if it is missing or damaged."""
    found = open_or_none(folder)
    if found is None:
        raise FootfallError(
            "The rehearsal clips of the controller in '{folder}' are missing or damaged: start a new run",
            folder=folder,
        )
    return found


def open_or_none(folder: Folder) -> Dataset | None:
    """Open the generated rehearsal data in a folder; return ``None`` if it is missing or damaged."""
    try:
        manifest = read_json_object(folder / MANIFEST_NAME, MAX_MANIFEST_BYTES)
        return Dataset(folder, manifest) if "replay" in manifest else None
    except (OSError, ContentError):
        return None


@dataclass(frozen=True, slots=True, eq=False)
class _RecordedWalk:
    """One character's samples: x (F, n), y (F, m), phase (F), and the frames with a disturbed pose."""

    x: Float32
    y: Float32
    phase: Float32
    disturbed_frames: NDArray[np.intp]


def _write_shard(folder: Folder, number: int, walk: _RecordedWalk) -> dict[str, Any]:
    """Write the samples of one character as a shard; return the shard's manifest entry."""
    name = f"walk-{number:04d}"
    shard = folder / "shards" / name
    shard.mkdir(parents=True)
    for array, values in zip(ARRAY_NAMES, (walk.x, walk.y, walk.phase), strict=True):
        save_array(shard / f"{array}.npy", values)
    edges = [0, *walk.disturbed_frames.tolist(), len(walk.phase)]
    sequences = [{"variant": "", "start": start, "stop": stop} for start, stop in pairwise(edges)]
    return {
        "file": name,
        "source": "",
        "licence": "",
        "credit": "",
        "minutes": 0.0,
        "split": "validation" if number % VALIDATION_INTERVAL == VALIDATION_INTERVAL - 1 else "training",
        "shard": name,
        "samples": len(walk.phase),
        "grounds": 0,
        "sequences": [one for one in sequences if one["stop"] > one["start"]],
    }


def _roll_out_walks(
    model: ControllerModel, settings: RehearsalSettings, report: ProgressCallback
) -> Iterator[_RecordedWalk]:
    """Yield the recorded walks of characters that the controller leads along random paths.

    Raises:
        FootfallError: the controller breaks down.
    """
    try:
        yield from _record_walks(model, settings, report)
    except BrokenControllerError as error:
        raise FootfallError(
            "The controller cannot walk by itself without falling apart, so its skills cannot be rehearsed: "
            "name the data set of its old clips"
        ) from error


def _record_walks(
    model: ControllerModel, settings: RehearsalSettings, report: ProgressCallback
) -> Iterator[_RecordedWalk]:
    """Yield the recorded walks of characters that the controller leads along random paths."""
    count = max(VALIDATION_INTERVAL, round(60 * settings.minutes / WALK_DURATION_S))
    seconds = 60 * settings.minutes / count
    generators = (np.random.default_rng([settings.seed, number]) for number in range(count))
    plans = [_draw_plan(model, rng, seconds, settings) for rng in generators]
    frames = round((1.5 * seconds + 3.0) * model.rate)
    total = -(-count // CHARACTERS_PER_BATCH) * frames
    for first in range(0, count, CHARACTERS_PER_BATCH):
        followers = PathFollower(model, plans[first : first + CHARACTERS_PER_BATCH])
        recorder = _RecordingNetwork(model, followers, np.random.default_rng([settings.seed, count + first]), settings)
        followers.runtime.network = recorder
        for frame in range(frames):
            if not followers.advance(1):
                break
            if frame % 60 == 0:
                report(first // CHARACTERS_PER_BATCH * frames + frame, total)
        yield from recorder.recorded_walks()


class _RecordingNetwork:
    """A crowd's network that records inputs and outputs, and disturbs poses at random."""

    def __init__(
        self, model: ControllerModel, followers: PathFollower, rng: np.random.Generator, settings: RehearsalSettings
    ) -> None:
        self._model, self._followers, self._rng = model, followers, rng
        self._network: Network = followers.runtime.network
        self._pose_columns = np.concatenate(
            [
                np.arange(where.start, where.stop)
                for where in (model.input_layout.slices[name] for name in POSE_FEEDBACK_GROUPS)
            ]
        )
        self._deviation = DISTURBANCE_DEVIATION_RATIO * settings.joint_weight
        self._frames: list[tuple[NDArray[np.intp], Float32, Float32, Array, NDArray[np.bool_]]] = []

    def begin(self, count: int) -> Memory:
        return self._network.begin(count)

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        disturbed = self._rng.random(len(x)) < DISTURBANCE_PROBABILITY
        x = np.array(x, dtype=np.float32)
        noise = self._deviation * self._rng.standard_normal((int(disturbed.sum()), len(self._pose_columns)))
        x[np.ix_(disturbed, self._pose_columns)] += noise.astype(np.float32)
        y, memory = self._network.step(x, phase, memory)
        self._frames.append((self._followers.active_rows, x, y, np.array(phase, dtype=float), disturbed))
        return y, memory

    def recorded_walks(self) -> Iterator[_RecordedWalk]:
        """Yield the recorded samples of each character."""
        model = self._model
        for number in self._frames[0][0]:
            found = [(frame, int(np.searchsorted(frame[0], number))) for frame in self._frames if number in frame[0]]
            x, y, phase, disturbed = (np.array([frame[part][row] for frame, row in found]) for part in (1, 2, 3, 4))
            yield _RecordedWalk(
                (x * model.x_std + model.x_mean).astype(np.float32),
                (y * model.y_std + model.y_mean).astype(np.float32),
                phase.astype(np.float32),
                np.flatnonzero(disturbed),
            )


def _draw_plan(
    model: ControllerModel, rng: np.random.Generator, seconds: float, settings: RehearsalSettings
) -> FollowerPlan:
    """Return a plan for a random walk of about ``seconds``."""
    size = model.skeleton.leg_length / ADULT_LEG_LENGTH_M
    style = _draw_style(model.gaits, rng, settings.style)
    shares = [share for share, _, _ in SPEED_BANDS]
    _, slow, fast = SPEED_BANDS[0 if style else int(rng.choice(len(SPEED_BANDS), p=shares))]
    speed = float(rng.uniform(slow, fast)) * size
    length, ground = speed * seconds, Plane()
    if model.trained_on_terrain and fast <= SPEED_BANDS[0][2] and rng.random() < ROUGH_GROUND_SHARE:
        length, ground = (
            min(length, ROUGH_PATH_LENGTH_M),
            _make_ground(int(rng.integers(len(GROUND_KINDS))), settings.seed),
        )
    path = Path(_draw_path_points(rng, length))
    level = 0.0 if isinstance(ground, Plane) else MAX_GROUND_HEIGHT_M
    profile = TerrainProfile.from_path(path, WalkScene(ground), level, size)
    if "jump" in model.gaits and isinstance(ground, Plane) and not style and rng.random() < JUMP_SHARE:
        profile = replace(profile, is_obstacle=_draw_jumps(rng, profile.arc_lengths))
    upright = upright_height(model)
    crouch = crouch_response(model) if style == CROUCH else None
    if crouch is not None and not crouch.is_learned:
        crouch = None
    timing = plan_timing(path, speed, model.rate, profile, upright, gaits=model.gaits, style=style, crouch=crouch)
    drawn = str(rng.choice(model.performers)) if model.performers else ""
    performer = performer_shares(model, drawn, drawn_share=0.0, seed=0)
    return FollowerPlan(
        path,
        profile,
        timing,
        speed,
        ground,
        seed=int(rng.integers(1, 1 << 30)),
        performer=performer,
        variation=None,
        responsiveness=DEFAULT_RESPONSIVENESS,
        accompaniment=None,
    )


MAX_GROUND_HEIGHT_M: Final = 3.0
"""Height above all procedural ground, from which rays are cast down to it."""


def _draw_style(gaits: Sequence[str], rng: np.random.Generator, new_style: str) -> str:
    """Return a random style; an empty string lets the gait follow from the speed."""
    rare = [name for name in gaits if name not in ("stand", "walk", "run", "jump", new_style)]
    place = int(rng.random() / RARE_GAIT_SHARE)
    return rare[place] if place < len(rare) else ""


@cache
def _make_ground(kind: int, seed: int) -> Scene:
    """Return procedural ground of a kind; each ground is generated once per process."""
    return StaticScene(make_procedural_ground(GROUND_KINDS[kind], seed, 2 * ROUGH_PATH_LENGTH_M + 4.0, 0.05))


def _draw_path_points(rng: np.random.Generator, length: float) -> Array:
    """Return a random path (N, 2) from the origin: straight parts, bends and corners."""
    step, headings = 0.1, [float(rng.uniform(-np.pi, np.pi))]
    while step * len(headings) < length:
        curvature = float(rng.choice([0.0, rng.normal(0.0, 0.5)]))
        corner = float(rng.choice([0.0, rng.uniform(-2.2, 2.2)], p=[0.7, 0.3]))
        part = int(rng.uniform(1.0, 4.0) / step)
        headings += (headings[-1] + corner + curvature * step * np.arange(1, part + 1)).tolist()
    headings = np.array(headings[: max(round(length / step), 2)])
    steps = step * np.stack([np.cos(headings), np.sin(headings)], axis=-1)
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def _draw_jumps(rng: np.random.Generator, lengths: Array) -> NDArray[np.bool_]:
    """Return a mask (K) of the path segments with a jump over an obstacle of 20 to 60 cm, every few meters."""
    jumps = np.zeros(len(lengths), dtype=bool)
    place = float(rng.uniform(2.0, 4.0))
    while place < lengths[-1] - 2.0:
        jumps |= (lengths > place) & (lengths < place + rng.uniform(0.2, 0.6))
        place += float(rng.uniform(4.0, 8.0))
    return jumps
