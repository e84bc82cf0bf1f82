"""Realism of quadruped bakes: separation from their training clips by single features of motion."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.path.path import Path as WalkPath
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.features.locomotion import FEATURE_RATE_HZ
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.root_frame import root_track
from ..core.retarget.calibration import calibrate
from ..core.retarget.retarget import retarget
from ..core.rig.clip_file import read_clip
from ..training.quadruped.cycles import Cycle
from ..training.quadruped.network_body import network_body
from ..training.quadruped.preparation import read_animals
from .measures.realism import FeatureSpace, measure_realism, one_actor_gap
from .tables import Table, table

CYCLES_S: Final = 8.0
"""Time of a repeated keyframed cycle."""
WAY_M: Final = 12.0
LEAD_M: Final = 3.0
"""Distance at both ends of a bake for its start and stop."""
WORST: Final = 3
HEAD: Final = ("controller", "windows", "gap", "features beyond 0.1 / 0.9", "worst", "one clip against the others")


def realism_table(sources: dict[str, tuple[ControllerModel, Sequence[Clip]]]) -> Table:
    """Return the table of controllers compared with their sources.

    Args:
        sources: the controller and its source clips, on its body, by the row's name.
    """
    return table(
        list(HEAD), [_row(name, model, clips) for name, (model, clips) in sources.items()], "Realism beside those clips"
    )


def keyframed_sources(files: Sequence[Path]) -> list[Clip]:
    """Return keyframed gaits on the body of the first, repeated along +Y at the speeds of their stance paws."""
    animals = read_animals(files)
    return [
        _repeated(cycle, Clip(animals.body, FEATURE_RATE_HZ, cycle.roots, cycle.rotations)) for cycle in animals.cycles
    ]


def captured_sources(files: Sequence[Path], model: ControllerModel) -> list[Clip]:
    """Return captured clips on the body of a controller."""
    clips = [network_body(read_clip(file)) for file in files]
    return [retarget(clip, calibrate(clip.skeleton, model.skeleton)).resampled(FEATURE_RATE_HZ) for clip in clips]


def _repeated(cycle: Cycle, clip: Clip) -> Clip:
    """Return a cycle, with one period in a clip, repeated over ground."""
    times = np.arange(round(CYCLES_S * FEATURE_RATE_HZ)) / FEATURE_RATE_HZ
    roots, rotations, _ = cycle.at(times / cycle.seconds)
    roots[:, 1] += cycle.speed * times
    return Clip(clip.skeleton, FEATURE_RATE_HZ, roots, rotations, cycle.name)


def _row(name: str, model: ControllerModel, clips: Sequence[Clip]) -> list[object]:
    """Return a controller's row."""
    space = FeatureSpace.of(clips)
    found = [space.features(clip) for clip in clips]
    captured = np.concatenate(found)
    made = np.concatenate([space.features(_bake(model, _speed(clip))) for clip in clips])
    report = measure_realism(captured, made, space.names, WORST)
    actors = [clip.name for clip, rows in zip(clips, found, strict=True) for _ in rows]
    worst = "; ".join(f"{feature} {chance:.2f}" for feature, chance in report.worst)
    return [name, len(made), report.gap, report.extreme_count, worst, one_actor_gap(captured, actors)]


def _speed(clip: Clip) -> float:
    """Return the mean speed of a clip, m/s."""
    steps = np.linalg.norm(np.diff(root_track(clip, 0.2).positions, axis=0), axis=-1)
    return float(steps.sum() / clip.duration)


def _bake(model: ControllerModel, speed: float) -> Clip:
    """Return a straight walk at a speed, m/s, without its start and stop."""
    clip = make_walk(model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [0.0, WAY_M]])), speed)).clip
    gone = root_track(clip).positions[:, 1]
    inside = np.flatnonzero((gone > LEAD_M) & (gone < WAY_M - LEAD_M))
    return clip.cut(int(inside[0]), int(inside[-1]) + 1)
