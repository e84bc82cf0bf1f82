"""Controllers trained quickly on each source of motion, and their uprightness on every rig."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Final

import numpy as np

from ..core.errors import FootfallError
from ..core.models.model_file import load_model
from ..core.motion import Clip
from ..core.motion.heel import flat_foot_frames
from ..core.motion.rotations import Array
from ..core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ..core.rig.clip_file import read_clip
from ..tools.build.environments import BLENDERS, is_ready
from .postures import RATE, sole_roll, standing_ups, tilts
from .setup import Setup
from .tables import Part, table

TITLE = "Controllers of every source on every rig"
SCRIPT: Final = FilePath(__file__).with_name("own_controllers_in_blender.py")
SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "CMU (ASF, AMC)": tuple(f"cmu_asfamc/{clips}" for clips in ("walk/16_*.bvh", "turn/16_*.bvh")),
    "CMU (CC_Base)": ("cmu_ccbase/walk/07_*.bvh",),
    "CMU (3ds Max)": ("cmu_3dsmax/walk/131_01.bvh",),
    "CMU (Daz)": ("cmu_daz/walk/16_*.bvh",),
    "CMU (expmap)": ("cmu_expmap/walk/*.bvh",),
    "ACCAD": tuple(f"accad_male1/{kind}/*.bvh" for kind in ("walk", "turn", "idle")),
    "O3DE": tuple(f"o3de_rin/{kind}/Walk*.bvh" for kind in ("walk", "turn")),
    "HDM05": tuple(f"hdm05_asfamc/{clips}.bvh" for clips in ("walk/HDM_bd_*", "turn/HDM_bd_*", "turn/HDM_bk_*")),
    "SkillMimic": ("skillmimic_ballplay/run/*.bvh", "skillmimic_ballplay/basketball/*run*.bvh"),
    "Xsens": ("jl_mm_xsens/run/*.bvh",),
    "Mesh2Motion": tuple(f"mesh2motion_human_cc0/{clips}.bvh" for clips in ("walk/*", "run/*", "idle/Idle_*")),
    "KayKit": ("kaykit_cc0/walk/Walking_[ABC].bvh", "kaykit_cc0/idle/Idle.bvh"),
    "Animated Drawings": ("animated_drawings/walk/zombie.bvh",),
}
"""Walks, or else runs, of one actor or of one skeleton, by source."""
MINUTES: Final = 2.0
WALKING_M_S: Final = 0.4
TRUNK: Final = ("hips", "chest", "head")
PATH: Final = ((0.0, 0.0), (0.5, -3.0), (0.0, -6.0))
"""Points of the walk, meters."""

NOTES: Final = """\
Degrees, the worst of {rigs} rigs: mean pitch over a baked walk against that of the clips, each from how its own figure
stands, and the roll of soles where they lie flat. Each controller is trained for two minutes on one core, on the
seconds of walking that its source has; below a minute it is no walker yet."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table; raise :class:`FootfallError` without a Blender or if it fails."""
    ready = [environment for environment in BLENDERS.values() if is_ready(environment)]
    if not ready:
        raise FootfallError("No Blender is set up here: python build.py dev sets them up.")
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, "BLENDER_USER_RESOURCES": folder}
        learned = [train(name, setup.data, FilePath(folder)) for name in SOURCES]
        trained = {file.parent.name: json.loads((file.parent / "posture.json").read_text("utf-8")) for file in learned}
        command = [str(ready[-1].python), "-P", str(SCRIPT), *map(str, learned)]
        child = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=variables)
    if child.returncode:
        raise FootfallError("Baking in Blender failed: its own message is above.")
    entries = [json.loads(line) for line in child.stdout.splitlines() if line.startswith('{"')]
    return parts_of(entries, trained)


def train(source: str, data: FilePath, folder: FilePath) -> FilePath:
    """Train the controller of a source, write its figure's posture beside it, and return its file.

    Raises:
        FootfallError: the training fails, or the clips are missing.
    """
    clips = [file for pattern in SOURCES[source] for file in sorted(data.glob(pattern))]
    run = folder / source
    command = [sys.executable, "-m", "footfall", "train", "--preset", "quick", "--set", f"time_limit={MINUTES}"]
    command += ["--set", "threads=1", "--jobs", "1", "--run", str(run), "--quiet", "--clips", *map(str, clips)]
    if not clips or subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        raise FootfallError("No controller of '{source}': its clips are missing, or see above.", source=source)
    pitches = captured_pitches([read_clip(file) for file in clips])
    seconds = load_model(run / "model.safetensors").provenance["samples"] / RATE
    (run / "posture.json").write_text(json.dumps({"pitches": pitches, "seconds": seconds}), encoding="utf-8")
    return run / "model.safetensors"


def pitch(up: Sequence[float] | Array) -> float:
    """Return the forward lean, degrees, of an up direction (3) in the root's frame."""
    return float(np.degrees(np.arctan2(up[1], up[2])))


def captured_pitches(clips: Iterable[Clip]) -> dict[str, float]:
    """Return the pitch, degrees, of each part of the trunk in an actor's walk, relative to the figure's standing."""
    clips = [clip.resampled(RATE) for clip in clips]
    stance = standing_pose([standing_scatter(clip) for clip in clips])
    found = [mean_ups(clip, standing_ups(clip.skeleton, stance)) for clip in clips]
    weights = [frames for _, frames in found]
    parts = [part for part in TRUNK if all(part in one for one, _ in found)]
    return {part: pitch(np.average([one[part] for one, _ in found], axis=0, weights=weights)) for part in parts}


def mean_ups(clip: Clip, ups: Mapping[str, Array]) -> tuple[dict[str, Array], int]:
    """Return the mean up direction (3) of each part of the trunk over travelling frames, and their number."""
    steps = np.gradient(clip.root_positions[:, :2], axis=0) * clip.rate
    walks = np.linalg.norm(steps, axis=1) > WALKING_M_S
    chosen = walks if walks.any() else np.ones(len(clip), dtype=bool)
    parts = [part for part in TRUNK if part in clip.skeleton.roles]
    return {part: tilts(clip, ups, part)[chosen].mean(axis=0) for part in parts}, int(walks.sum()) or 1


def sole_tilt(clip: Clip, ups: Mapping[str, Array]) -> float | None:
    """Return the larger roll, degrees, of both soles in flat contact, if any."""
    rolls, roles = list[float](), clip.skeleton.roles
    for side in "LR":
        if f"foot.{side}" in roles and f"toe.{side}" in roles:
            flat = flat_foot_frames(clip, roles[f"foot.{side}"], roles[f"toe.{side}"])
            rolls += [abs(sole_roll(clip, ups, side, flat))] if len(flat) else []
    return max(rolls, default=None)


def parts_of(entries: Iterable[Mapping[str, Any]], trained: Mapping[str, Mapping[str, Any]]) -> list[Part]:
    """Return the table, sentences about failures, and the notes.

    Args:
        entries: the script's measurements, one entry for each controller and rig.
        trained: results of :func:`train`, by source.
    """
    worst: dict[str, dict[str, float]] = {name: {} for name in trained}
    failed, rigs = list[str](), set[str]()
    for entry in entries:
        rigs.add(entry["character"])
        if "error" in entry:
            failed.append(f"{entry['source']} on {entry['character']}: {entry['error']}")
            continue
        captured, row = trained[entry["source"]]["pitches"], worst[entry["source"]]
        found = {part: abs(pitch(up) - captured[part]) for part, up in entry["ups"].items() if part in captured}
        found |= {} if entry["sole"] is None else {"sole": entry["sole"]}
        row |= {part: max(value, row.get(part, 0.0)) for part, value in found.items()}
    head = ["source", "seconds", "pelvis", "chest", "head", "sole"]
    rows = [
        [name, round(told["seconds"]), *(worst[name].get(part) for part in (*TRUNK, "sole"))]
        for name, told in trained.items()
    ]
    return [table(head, rows), *failed, NOTES.format(rigs=len(rigs))]
