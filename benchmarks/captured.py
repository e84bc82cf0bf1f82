"""Captured clips of any shared source on the controller's skeleton, as the mocap rows of the measures of motion."""

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
"""Categories of a source whose clips show how its actor stands."""


def captured_clip(data: Path, name: str, skeleton: Skeleton, rate: float) -> Clip:
    """Return a captured clip on a skeleton.

    Args:
        data: folder of the mocap.
        name: the clip's file in it, such as ``cmu_asfamc/walk/35_03``.
        skeleton: the skeleton that takes it over.
        rate: frames per second.

    Raises:
        FootfallError: the clip is not there.
    """
    file = data / f"{name}.bvh"
    if not file.is_file():
        raise FootfallError(f"The real clip '{file}' is not there: name the folder of the mocap with --data.")
    clip = read_clip(file).resampled(rate)
    stance = None if is_standing(clip.skeleton) else actor_stance(data / name.split("/")[0])
    return fit_clip(clip, calibrate(clip.skeleton, skeleton, source_stance=stance))


@cache
def actor_stance(source: Path) -> Array:
    """Return the standing pose (J, 4) of a source whose zero pose does not stand.

    Args:
        source: its folder.
    """
    files = [file for kind in STANCE_CATEGORIES for file in sorted((source / kind).glob("*.bvh"))]
    return standing_pose(standing_scatter(read_clip(file)) for file in files)
