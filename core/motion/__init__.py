"""Skeletons, clips, rotations, forward kinematics, resampling, mirroring and BVH files."""

from .clip import Clip
from .skeleton import Skeleton

__all__ = ["Clip", "Skeleton"]
