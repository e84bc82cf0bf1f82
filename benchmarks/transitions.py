"""Transitions: reversals, corners and sharp random paths, by lean, sink, the largest move and the fastest joint."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..core.evaluation.motion_detail import joint_speeds, smooth_root_path
from ..core.evaluation.sharp_courses import SHARP_COURSE_NAMES, sharp_course_points
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.rotations import Array
from .baking import WalkTask, bake_all, off_path_cm
from .captured import captured_clip
from .measures.extremes import (
    MOVE_ROLES,
    deepest_sink,
    joint_accelerations,
    largest_joint_acceleration,
    largest_joint_speed,
    largest_lean,
    largest_moves,
    worst_shaking,
)
from .measures.sharp_paths import random_sharp_path
from .setup import Setup
from .tables import Part, table

TITLE = "Transitions"
SPEED: Final = 1.2
SEEDS: Final = 4
SHARP_SEEDS: Final = 5
SHARP_S: Final = 60.0
FAST_RAD_S: Final = 20.0
"""Largest allowed speed of a joint in any frame."""
PEOPLE: Final = (
    ("turn around", ("accad_male1/turn/Male1_B15_WalkTurnAround", "accad_male1/turn/Male1_B16_WalkTrunChange")),
    ("turn by 90 degrees",
     ("accad_male1/turn/Male1_B9_WalkToTurnLeft90", "accad_male1/turn/Male1_B12_WalkTurnRight90")),
    ("pivot turns", ("o3de_rin/turn/WalkPivotTurn1",)),
)  # fmt: skip

NOTES = f"""\
1.2 m/s; the worst of {SEEDS} seeds, over the whole bake from the first frame to the last; random paths of straight
pieces of 0.5 to 3 m that turn by any angle, {SHARP_SEEDS} of {SHARP_S:.0f} s. *Lean* is that of the line from hips to
neck from the vertical, *sink* the hips below their median height."""


@dataclass(frozen=True, eq=False)
class Turned:
    """A clip of turns, and its path (N, 2), meters."""

    clip: Clip
    path: Array


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    next(setup.clips("turn"))  # raises an error without data
    model = setup.model()
    rows = [transition_row(name.replace("_", " "), bake_turns(model, [name])) for name in SHARP_COURSE_NAMES]
    rows.append(transition_row("random sharp paths", bake_sharp_paths(model)))
    for title, names in PEOPLE:
        clips = [captured_clip(setup.data, name, model.skeleton, model.rate) for name in names]
        rows.append(transition_row(f"mocap: {title}", [Turned(clip, _own_path(clip)) for clip in clips]))
    head = ["course", "lean deg", "sink cm", "largest move cm: hips", "head", "hand", "foot"]
    head += ["joints rad/s: p99", "largest", "of", "frames over 20 %", "joint acceleration rad/s^2: p99", "largest"]
    return [table([*head, "shaking %", "cross-track mean cm", "max cm"], rows), NOTES]


def bake_turns(model: ControllerModel, names: Sequence[str], seeds: int = SEEDS) -> list[Turned]:
    """Return bakes of sharp courses, each with some seeds.

    Args:
        model: the controller.
        names: members of :data:`.sharp_courses.SHARP_COURSE_NAMES`.
        seeds: number of seeds.
    """
    paths = [(sharp_course_points(name), seed) for name in names for seed in range(seeds)]
    return _baked(model, paths)


def bake_sharp_paths(model: ControllerModel, seeds: int = SHARP_SEEDS, seconds: float = SHARP_S) -> list[Turned]:
    """Return bakes of random sharp paths.

    Args:
        model: the controller.
        seeds: number of paths.
        seconds: time of each.
    """
    return _baked(model, [(random_sharp_path(seed, seconds * SPEED), seed) for seed in range(seeds)])


def transition_row(title: str, turns: Sequence[Turned]) -> list[object]:
    """Return the row of some clips: the worst of all."""
    clips = [turned.clip for turned in turns]
    fastest = max((largest_joint_speed(clip) for clip in clips), key=lambda extreme: extreme.value)
    hardest = max((largest_joint_acceleration(clip) for clip in clips), key=lambda extreme: extreme.value)
    off = [off_path_cm(turned.clip, turned.path) for turned in turns]
    return [
        title,
        max(largest_lean(clip).value for clip in clips),
        max(deepest_sink(clip).value for clip in clips),
        *largest_move_texts(clips),
        float(np.percentile(np.concatenate([joint_speeds(clip).ravel() for clip in clips]), 99)),
        fastest.value,
        fastest.role,
        100 * fast_share(clips),
        float(np.percentile(np.concatenate([joint_accelerations(clip).ravel() for clip in clips]), 99)),
        hardest.value,
        100 * max(worst_shaking(clip).value for clip in clips),
        float(np.concatenate(off).mean()),
        float(np.concatenate(off).max()),
    ]


def fast_share(clips: Sequence[Clip]) -> float:
    """Return the share of frames with a joint faster than :data:`FAST_RAD_S`."""
    return float(np.concatenate([(joint_speeds(clip) > FAST_RAD_S).any(axis=1) for clip in clips]).mean())


def largest_move_texts(clips: Sequence[Clip]) -> list[str]:
    """Return the largest moves of hips, head, hands and feet over some clips, with their frames."""
    texts = []
    for part in dict.fromkeys(role.split(".")[0] for role in MOVE_ROLES):
        moves = [move for clip in clips for role, move in largest_moves(clip).items() if role.split(".")[0] == part]
        worst = max(moves, key=lambda move: move.value)
        texts.append(f"{worst.value:.1f} ({worst.frame})")
    return texts


def _baked(model: ControllerModel, paths: Sequence[tuple[Array, int]]) -> list[Turned]:
    """Return bakes of paths with their seeds."""
    clips = bake_all(model, [WalkTask(path, SPEED, seed) for path, seed in paths])
    return [Turned(clip, path) for clip, (path, _) in zip(clips, paths, strict=True)]


def _own_path(clip: Clip) -> Array:
    """Return the smoothed path (F, 2) of a captured clip, meters."""
    return smooth_root_path(clip.positions[:, clip.skeleton.joint("hips"), :2], clip.rate)
