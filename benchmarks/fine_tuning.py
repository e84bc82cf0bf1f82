"""Fine-tuning on a few minutes of clips in a style unknown to the shipped controller.

It measures the learned style on this machine, and the retention of the old gaits.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import numpy as np

from ..core.control.path.path import Path as WalkPath
from ..core.control.walk.path_walk import begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.errors import FootfallError
from ..core.evaluation import course_points
from ..core.features.locomotion import POSE_FEEDBACK_GROUPS
from ..core.models.model_file import ControllerModel, load_model
from ..core.motion.rotations import Array
from .courses import RATIOS, SKATE, measure_course
from .mocap import Mocap, measure_mocap
from .setup import Setup
from .tables import Part, table

TITLE = "Fine-tuning: a new style in minutes, and what is kept"
REACH: Final = 10
NAIVE: Final = ("replay_share=0",)
WINDOW: Final = 30
"""Frames of unrolled windows: half a second."""
HOP: Final = 10
ENDS: Final = 90
"""Frames at both ends of a walk for its start and stop."""
COURSES: Final = (("wave", 1.2), ("square", 1.2), ("wave", 3.0))

NOTES = """\
*Minutes* are all of `footfall train --base`: reading and fitting the clips, the controller's own replay, training.
*Pose error* is of the joints of held-out clips of the style, in the root's frame, over half a second on the network's
own poses."""


@dataclass(frozen=True, slots=True)
class Style:
    """A style unknown to the shipped controller.

    Attributes:
        name: name of the new gait.
        clips: clips of SPLIT.csv, by the beginnings of their paths.
        held_out: the clips that are excluded from training.
        speed: speed of the clips, m/s.
        settings: special settings for its clips.
    """

    name: str
    clips: tuple[str, ...]
    held_out: tuple[str, ...]
    speed: float
    settings: tuple[str, ...] = ()


STYLES: Final = (
    Style(
        "dribble",
        tuple(f"cmu_ccbase/basketball/06_{take}.bvh" for take in ("02", "03", "05", "10", "11", "12")),
        ("cmu_ccbase/basketball/06_03.bvh",),
        1.2,
        ("mirror=false",),  # all actors dribble with the right hand
    ),
    Style(
        "sneak",
        ("hdm05_asfamc/walk/HDM_",),
        ("hdm05_asfamc/walk/HDM_tr_sneak2StepsLStart_016", "hdm05_asfamc/walk/HDM_dg_sneak2StepsLStart_007"),
        0.8,
    ),
)


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    shipped = setup.model()
    mocap = measure_mocap(setup, shipped)
    old = list(setup.clips("walk", "run", "turn", split="test"))
    rows: list[list[object]] = []
    kept: list[list[object]] = []
    with TemporaryDirectory() as folder:
        for style in STYLES:
            tuned: dict[str, tuple[ControllerModel, float | None]] = {f"shipped ({style.name})": (shipped, None)}
            for name, settings in (("fine-tuned", ()), ("without replay", NAIVE)):
                path, minutes = train(setup, style, Path(folder) / f"{style.name} {name}", settings)
                tuned[f"{style.name}, {name}"] = (load_model(path), minutes)
            for name, (model, minutes) in tuned.items():
                measured = learnt(setup, style, shipped, model, Path(folder))
                rows.append([name, minutes, *measured, loss(model, old, Path(folder))])
                if model is not shipped or not kept:
                    kept += keeping(name, model, mocap)
            own = spread(setup, style, shipped, Path(folder))
            rows.append([f"{style.name}, its clips", None, None, own, None, None, None])
    head = ["controller", "minutes", "pose error cm", "style walk cm", "plain walk cm", "plain walk moved cm"]
    head.append("old loss")
    first = table(head, [*rows, ["reach", REACH, *[None] * 5]])
    head = ["controller", "course", "path error cm: mean / max", "skate cm/s: mean / p95", "detail", "toe lift", "jerk"]
    return [first, NOTES, table(head, kept)]


def chosen(setup: Setup, style: Style, held_out: bool) -> list[Path]:
    """Return the training clips of a style, or the held-out ones; raise :class:`FootfallError` without any."""
    found = [
        path
        for beginning in style.clips
        for path in sorted(setup.data.glob(f"{beginning}*"))
        if path.suffix.lower() == ".bvh"
    ]
    names = [(path, path.relative_to(setup.data).as_posix()) for path in found]
    result = [path for path, name in names if name.startswith(style.held_out) == held_out]
    if not result:
        raise FootfallError(f"The clips of the style '{style.name}' are not in '{setup.data}'.")
    return result


def train(setup: Setup, style: Style, run: Path, settings: Sequence[str] = ()) -> tuple[Path, float]:
    """Run the command line's ``train --base``; return the controller's file and the minutes.

    Raises:
        FootfallError: the command fails.
    """
    package = str(__package__).rpartition(".")[0]
    command = [sys.executable, "-m", package, "train", "--base", str(setup.model_path()), "--style", style.name]
    command += ["--run", str(run), "--json", "--clips", *map(str, chosen(setup, style, held_out=False))]
    command += [part for setting in (*style.settings, *settings) for part in ("--set", setting)]
    start = perf_counter()
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        raise FootfallError("The fine-tuning failed: its own message is above.")
    return run / "model.safetensors", (perf_counter() - start) / 60


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A clip as samples of a controller: x (F, n), y (F, m), phase (F), consecutive frames."""

    x: Array
    y: Array
    phase: Array


def cuts(model: ControllerModel, clips: Sequence[Path], style: str, folder: Path) -> Iterator[Cut]:
    """Yield clips as samples of a controller, in one of its styles or in the gaits of their labels."""
    from ..training.data.build import build_dataset
    from ..training.data.manifest import DatasetSettings
    from ..training.data.network_skeleton import NetworkSkeleton

    settings = DatasetSettings(mirror=False, validation_share=0.0)
    dataset = build_dataset(clips, folder / "cuts", settings, 1, network_skeleton=NetworkSkeleton.of(model, style))
    for clip in dataset.clips:
        x, y, phase = dataset.samples(clip)
        yield Cut(np.array(x), np.array(y), np.array(phase))


def learnt(setup: Setup, style: Style, shipped: ControllerModel, model: ControllerModel, folder: Path) -> list[object]:
    """Return the pose error on held-out clips, and the distances of walks from the style and the shipped walk, cm."""
    knows = style.name if style.name in model.gaits else ""
    errors = [pose_errors(model, cut) for cut in cuts(model, chosen(setup, style, held_out=True), knows, folder)]
    real = [cut.y for cut in cuts(model, chosen(setup, style, held_out=False), knows, folder)]
    like = statistics(places(model, np.concatenate(real)))
    plain, before = walk(model, "", style.speed), walk(shipped, "", style.speed)
    return [
        100 * float(np.concatenate(errors).mean()),
        apart(walk(model, knows, style.speed), like) if knows else None,
        apart(plain, like),
        apart(plain, before),
    ]


def spread(setup: Setup, style: Style, model: ControllerModel, folder: Path) -> float:
    """Return the mean distance of single clips of a style from all of them together, cm."""
    real = [places(model, cut.y) for cut in cuts(model, chosen(setup, style, held_out=False), "", folder)]
    like = statistics(np.concatenate(real))
    return float(np.mean([apart(statistics(one), like) for one in real]))


def pose_errors(model: ControllerModel, cut: Cut) -> Array:
    """Return the mean distance of joints from the clip's (W), meters, over windows with pose feedback.

    Trajectory and phase are the clip's.
    """
    network, inputs, outputs = model.network(), model.input_layout, model.output_layout
    starts = np.arange(0, len(cut.phase) - WINDOW + 1, HOP)
    x, memory, errors = cut.x[starts].copy(), network.begin(len(starts)), []
    for frame in range(WINDOW):
        y, memory = network.step((x - model.x_mean) / model.x_std, cut.phase[starts + frame], memory)
        y = y * model.y_std + model.y_mean
        miss = places(model, y) - places(model, cut.y[starts + frame])
        errors.append(np.linalg.norm(miss, axis=-1).mean(axis=-1))
        x = cut.x[np.minimum(starts + frame + 1, len(cut.x) - 1)].copy()
        for name in POSE_FEEDBACK_GROUPS:
            inputs.view(x, name)[:] = outputs.view(y, name)
    return np.mean(errors, axis=0)


def walk(model: ControllerModel, style: str, speed: float) -> Array:
    """Return the :func:`statistics` of a straight walk, without its start and stop."""
    walking = begin_walk(model, WalkRequest(WalkPath(course_points("straight")), speed, style=style))
    while walking.advance(walking.total_frames):
        pass
    return statistics(places(model, walking.trace.frames.output[ENDS:-ENDS]))


def places(model: ControllerModel, y: Array) -> Array:
    """Return the joint positions (F, P, 3) in the root's frame, meters, of outputs (F, m)."""
    return model.output_layout.view(np.asarray(y), "pose.position")


def statistics(poses: Array) -> Array:
    """Return the means and deviations (2, P, 3) of joint positions (F, P, 3)."""
    return np.stack([poses.mean(axis=0), poses.std(axis=0)])


def apart(one: Array, other: Array) -> float:
    """Return the distance between two :func:`statistics`, cm.

    Root mean square over means and deviations, mean over the joints.
    """
    return 100 * float(np.sqrt(np.square(one - other).sum(axis=(0, 2)) / 2).mean())


def loss(model: ControllerModel, clips: Sequence[Path], folder: Path) -> float:
    """Return the mean squared error, normalized, of the outputs for clips in the gaits of their labels."""
    network, squares = model.network(), []
    for cut in cuts(model, clips, "", folder):
        y, _ = network.step((cut.x - model.x_mean) / model.x_std, cut.phase, network.begin(len(cut.x)))
        squares.append(np.square(y - (cut.y - model.y_mean) / model.y_std).mean(axis=1))
    return float(np.concatenate(squares).mean())


def keeping(name: str, model: ControllerModel, mocap: Mocap) -> Iterator[list[object]]:
    """Yield the rows of the path courses, to compare walking and running before and after."""
    for place, speed in COURSES:
        report = measure_course(model, place, mocap, speed)
        own, found = report["own"], report["found"]
        error = f"{own['cross_track_mean_cm']:.1f} / {own['cross_track_max_cm']:.1f}"
        skate = f"{found[SKATE[0]]:.1f} / {found[SKATE[1]]:.1f}"
        detail, lift, _, jerk = (own[key] for key in RATIOS)
        yield [name, f"{place} at {speed:g} m/s", error, skate, detail, lift, jerk]
