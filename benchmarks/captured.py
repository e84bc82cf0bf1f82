"""Captured clips of any shared source on the controller's skeleton, for the mocap rows of motion measures."""

from functools import cache
from pathlib import Path
from typing import Final

from ..core.errors import FootfallError
from ..core.motion import Clip, Skeleton
from ..core.motion.rotations import Array
from ..core.retarget.calibration import calibrate
from ..core.retarget.fit import fit_clip
from ..core.retarget.rest_pose import is_standing
from ..core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ..core.rig.clip_file import read_clip

STANCE_CATEGORIES: Final = ("idle", "walk")
"""Categories of a source with clips that show the stance of its actor."""


def captured_clip(data: Path, name: str, skeleton: Skeleton, rate: float) -> Clip:
    """Return a captured clip on a skeleton.

    Args:
        data: folder of the mocap.
        name: the clip's file in the data, such as ``cmu_asfamc/walk/35_03``.
        skeleton: target skeleton.
        rate: frames per second.

    Raises:
        FootfallError: the clip is missing.
    """
    file = data / f"{name}.bvh"
    if not file.is_file():
        raise FootfallError(f"The real clip '{file}' is not there: name the folder of the mocap with --data.")
    clip = read_clip(file).resampled(rate)
    stance = None if is_standing(clip.skeleton) else actor_stance(data / name.split("/")[0])
    return fit_clip(clip, calibrate(clip.skeleton, skeleton, source_stance=stance))


@cache
def actor_stance(source: Path) -> Array:
    """Return the standing pose (J, 4) of a source without a standing zero pose.

    Args:
        source: its folder.
    """
    files = [file for kind in STANCE_CATEGORIES for file in sorted((source / kind).glob("*.bvh"))]
    return standing_pose(standing_scatter(read_clip(file)) for file in files)
