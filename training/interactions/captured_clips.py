"""Captured clips on the body that takes are made on."""

from dataclasses import replace
from pathlib import Path

from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.labelling import Labels, label_clip
from ...core.motion import Clip
from ...core.retarget.calibration import calibrate
from ...core.retarget.fit import fit_clip
from ...core.retarget.rest_pose import is_standing
from ...core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ...core.rig.clip_file import read_clip
from ..data.network_skeleton import NetworkSkeleton


def load_captured_clip(path: Path, network_skeleton: NetworkSkeleton) -> tuple[Clip, Labels]:
    """Return a clip and its labels on a body, at 60 Hz, its feet on the plane z = 0; raises :class:`FootfallError`."""
    clip = read_clip(path).resampled(FEATURE_RATE_HZ)
    labels = label_clip(clip)
    stance = None if is_standing(clip.skeleton) else standing_pose([standing_scatter(clip)])
    calibration = replace(
        calibrate(clip.skeleton, network_skeleton.skeleton, source_stance=stance), hinges=network_skeleton.hinges
    )
    return fit_clip(clip, calibration, labels=labels), labels
