"""Four legs: paths, paws and slopes of the shipped controller, and of one of captured dogs, against their clips."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.path.path import Path as WalkPath
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.errors import FootfallError
from ..core.evaluation.feet import floating_heights, skate_speeds
from ..core.evaluation.footing import sole_heights
from ..core.evaluation.path_error import cross_track_error
from ..core.jobs.run_folder import RunFolder
from ..core.labelling import label_contacts
from ..core.labelling.presets import QUADRUPED_PRESET
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion import Clip
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.paws import paw_tracks
from ..core.motion.root_frame import root_track
from ..core.motion.rotations import Array
from ..core.retarget.stance_travel import add_stance_travel
from ..core.rig.clip_file import read_clip
from ..core.terrain.ground import Plane, Scene, StaticScene
from ..core.terrain.heightfield import Heightfield
from ..core.terrain.walk_scene import WalkScene
from ..training.quadruped.gait_table import PACE
from .quadruped_realism import captured_sources, keyframed_sources, realism_table
from .setup import ROOT, Setup
from .tables import Part, table

TITLE = "Four legs"
SHIPPED: Final = ROOT / "presets" / "controllers" / "quadruped.safetensors"
CAPTURED_RUN: Final = ROOT / ".cache" / "quadruped_captured"
CAPTURED_MINUTES: Final = 5.0
"""Training time of the controller of captured dogs, which is not shipped."""
KEYFRAMED: Final = (
    "quaternius_animals_cc0/quadruped/Husky_Walk.bvh",
    "quaternius_animals_cc0/quadruped/Husky_Gallop.bvh",
    "mesh2motion_cc0/quadruped/horse_Walk.bvh",
    "mesh2motion_cc0/quadruped/horse_Trot.bvh",
)
CAPTURED: Final = "tencent_dog/quadruped"
GAITS: Final = (("walk", 0.8), ("trot", 1.5), ("gallop", 2.2))
"""Commanded speeds, m/s."""
SETTLING_FRAMES: Final = 60
REPEATED: Final = 4
"""Repetitions of a keyframed cycle."""
CELL_M: Final = 0.02
NOTES = """\
Commanded 0.8 (walk), 1.5 (trot) and 2.2 m/s (gallop). *wave*: a sine of 1 m amplitude and 6 m length."""


@dataclass(frozen=True, slots=True)
class Paws:
    """Skate of paws, cm/s, and their float, mm, at every frame in contact; and the share of contact."""

    skate: float
    floating: float
    contact: float

    @staticmethod
    def of(clip: Clip, ground: Scene, standing: Clip | None = None) -> "Paws":
        """Measure a clip; a clip without any contact has no skate."""
        contacts = label_contacts(clip, QUADRUPED_PRESET)
        speeds = skate_speeds(paw_tracks(clip), contacts, clip.rate)
        above = floating_heights(sole_heights(clip, ground, standing), contacts)
        return Paws(
            100 * float(speeds.mean()) if len(speeds) else 0.0,
            1000 * float(above[np.isfinite(above)].mean()) if len(above) else 0.0,
            float((contacts > CONTACT_THRESHOLD).mean()),
        )


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    captured = sorted((setup.data / CAPTURED).glob("dog_quad_walkrun_*.bvh"))
    keyframed = [setup.data / name for name in KEYFRAMED]
    if not captured or not all(clip.is_file() for clip in keyframed):
        raise FootfallError(f"The clips of animals are not in '{setup.data}': name their folder with --data.")
    shipped, other = load_model(SHIPPED), load_model(_captured_controller(setup))
    rows = walk_rows("CC0, ships", shipped) + walk_rows("captured dogs", other)
    sources = [clip_row(clip.stem, _in_a_row(read_clip(clip))) for clip in keyframed]
    sources += [clip_row(clip.stem, read_clip(clip)) for clip in captured]
    head = ["controller", "path", "speed m/s", "kept m/s", "off path cm", "most cm"]
    head += ["skate cm/s, without locks", "locked", "float mm, without locks", "locked", "contact share"]
    beside = table(["clip", "skate cm/s", "float mm", "contact share"], sources, "Their clips, by the same code")
    realism = realism_table(
        {
            "CC0, ships": (shipped, keyframed_sources(keyframed)),
            "captured dogs": (other, captured_sources(captured, other)),
        }
    )
    return [table(head, rows), beside, realism, NOTES]


def walk_rows(name: str, model: ControllerModel) -> list[list[object]]:
    """Return a controller's rows: straight and waving paths at three speeds, a slope and stairs."""
    rows: list[list[object]] = []
    wave_x = np.linspace(0.0, 9.0, 181)
    courses = {
        "straight": np.array([[0.0, 0.0], [9.0, 0.0]]),
        "wave": np.column_stack([wave_x, np.sin(2 * np.pi * wave_x / 6.0)]),
    }
    for course, points in courses.items():
        for _, speed in GAITS:
            rows.append([name, course, *_walk_row(model, points, speed, Plane())])
    if PACE in model.gaits:
        rows.append([name, "straight, pace", *_walk_row(model, courses["straight"], GAITS[0][1], Plane(), PACE)])
        rows.append([name, "straight, pace", *_walk_row(model, courses["straight"], GAITS[1][1], Plane(), PACE)])
    line = np.array([[0.0, 0.0], [6.0, 0.0]])
    rows.append([name, "slope of 30 %", *_walk_row(model, line, 0.7, _ground(lambda x: 0.3 * np.clip(x - 1.5, 0, 3)))])
    stairs = _ground(lambda x: 0.12 * np.clip(np.floor((x - 1.5) / 0.3) + 1, 0, 5))
    rows.append([name, "5 steps of 12 / 30 cm", *_walk_row(model, line, 0.7, stairs)])
    return rows


def clip_row(name: str, clip: Clip) -> list[object]:
    """Return the row of a clip on level ground at the height of its paws."""
    level = float(np.percentile(paw_tracks(clip)[..., 2].min(axis=1), 20))
    paws = Paws.of(clip, Plane(level))
    return [name, paws.skate, paws.floating, paws.contact]


def _walk_row(model: ControllerModel, points: Array, speed: float, ground: Scene, style: str = "") -> list[object]:
    """Return the numbers of one walk."""
    walk = begin_walk(model, WalkRequest(WalkPath(points), speed, WalkScene(ground), style=style))
    while walk.advance(ADVANCE_CHUNK_FRAMES):
        pass
    free, made = walk.decode_walk(), walk.finish()
    roots = root_track(made.clip, 0.3).positions[SETTLING_FRAMES:-SETTLING_FRAMES]
    off = 100 * cross_track_error(roots, points)
    kept = np.linalg.norm(np.diff(roots, axis=0), axis=-1) * made.clip.rate
    before, after = Paws.of(free, ground, made.standing_clip), Paws.of(made.clip, ground, made.standing_clip)
    middle = float(np.median(kept))
    skates = (before.skate, after.skate, before.floating, after.floating)
    return [speed, middle, float(off.mean()), float(off.max()), *skates, after.contact]


def _ground(height: Callable[[Array], Array]) -> StaticScene:
    """Return a ground with a height (N) as a function of x (N), meters."""
    x = np.arange(-2.0, 9.0, CELL_M)
    return StaticScene(Heightfield(np.tile(height(x), (round(4.0 / CELL_M), 1)), CELL_M, np.array([-2.0, -2.0])))


def _in_a_row(clip: Clip) -> Clip:
    """Return repetitions of an in-place cycle, with the travel inferred from its stance paws."""
    index = np.tile(np.arange(len(clip) - 1), REPEATED)
    repeated = Clip(clip.skeleton, clip.rate, clip.root_positions[index], clip.rotations[index], clip.name)
    return add_stance_travel(repeated)


def _captured_controller(setup: Setup) -> Path:
    """Return the controller of captured dogs, trained if it is missing."""
    from ..training.config.config import TrainingConfig
    from ..training.loop.session import train

    run = RunFolder(CAPTURED_RUN)
    if not run.model_path.exists():
        clips: Sequence[Path] = [
            clip for clip in sorted((setup.data / CAPTURED).glob("*.bvh")) if "jump" not in clip.stem
        ]
        config = TrainingConfig.from_preset("quadruped").with_overrides([f"time_limit={CAPTURED_MINUTES}"])
        train(run, config, clips=clips, workers=1)
    return run.model_path
