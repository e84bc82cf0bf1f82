"""Captured clips on the body that takes are made on."""

from dataclasses import replace
from pathlib import Path

from ...core.features.locomotion import RATE
from ...core.labelling import Labels, label_clip
from ...core.motion import Clip
from ...core.retarget.calibration import calibrate
from ...core.retarget.fit import fit_clip
from ...core.retarget.rest_pose import stands
from ...core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ...core.rig.clip_file import read_clip
from ..data.network_skeleton import Body


def captured(path: Path, body: Body) -> tuple[Clip, Labels]:
    """A clip and its labels on a body, at 60 Hz, its feet on the plane z = 0; raises :class:`FootfallError`."""
    clip = read_clip(path).resampled(RATE)
    labels = label_clip(clip)
    stance = None if stands(clip.skeleton) else standing_pose([standing_scatter(clip)])
    calibration = replace(calibrate(clip.skeleton, body.skeleton, stance=stance), hinges=body.hinges)
    return fit_clip(clip, calibration, labels=labels), labels
