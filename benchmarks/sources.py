"""Every clip as a training clip: the errors of all sources on one network skeleton."""

import tempfile
from pathlib import Path
from typing import Final

import numpy as np

from ..core.jobs.source_table import SourceRow, read_table
from ..core.motion import Skeleton
from ..core.motion.rotations import rotate
from ..core.retarget.calibration import calibrate
from ..core.retarget.fit import fit_clip
from ..core.retarget.rest_pose import is_standing
from ..core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ..core.rig.clip_file import read_clip
from ..training.data.build import build_dataset
from ..training.data.manifest import DatasetSettings
from .setup import Setup
from .tables import Part, table

TITLE = "Every source on one network skeleton"
RATE: Final = 60.0
WALKS: Final = ("walk", "idle", "turn")

NOTES = """\
One data set of all clips of the shared mocap, of both splits, whatever their skeleton, unmirrored. *Off by*: the
worst calibration residual, degrees between bones' directions, and whose it is; collar bones and feet are built
differently in every body and are left so."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    with tempfile.TemporaryDirectory() as folder:
        dataset = build_dataset(sorted(setup.data.rglob("*.bvh")), Path(folder), DatasetSettings(mirror=False))
        sources = read_table(Path(folder))
    rows = [_row(setup.data, source, dataset.skeleton) for source in sources]
    rows.append(["all", sum(one.clips for one in sources), None, sum(one.minutes for one in sources), *[None] * 4])
    head = ["source", "clips", "left out", "minutes", "its zero pose stands", "off by", "lean: pelvis", "chest"]
    return [table(head, rows), NOTES]


def _row(data: Path, source: SourceRow, skeleton: Skeleton) -> list[object]:
    clips = [
        read_clip(file).resampled(RATE)
        for kind in WALKS
        for file in sorted((data / source.folder / kind).glob("*.bvh"))
    ]
    off = f"{source.residual:.1f} {source.role}" if source.clips else None
    base = [source.folder, source.clips, len(source.left_out), source.minutes]
    if not clips or not source.clips:
        return [*base, None, off, None, None]
    stance = standing_pose(standing_scatter(clip) for clip in clips)
    leans: dict[str, list[float]] = {"hips": [], "chest": []}
    for clip in clips:
        made = fit_clip(clip, calibrate(clip.skeleton, skeleton, source_stance=stance))
        for role, known in leans.items():
            up = rotate(made.world[1][:, skeleton.roles[role]], np.eye(3)[2])
            known.append(float(np.degrees(np.arccos(np.clip(up[:, 2], -1.0, 1.0))).mean()))
    standing = "yes" if is_standing(clips[0].skeleton) else "no"
    return [*base, standing, off, *(float(np.mean(known)) for known in leans.values())]
