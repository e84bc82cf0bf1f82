"""The body that a controller knows: clips that it is to learn from later are fitted to it, and not to each other."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...core.control.path.path import Path
from ...core.control.walk.path_walk import PathWalk
from ...core.errors import FootfallError
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.models.model_file import ControllerModel
from ...core.motion import Skeleton
from ...core.motion.rotations import Array
from ...core.retarget.hinges import hinge_axes

HINGE_RUN_SPEED_M_S = 3.0
HINGE_RUN_LENGTH_M = 10.0
HINGE_RUN_FRAMES = 240
"""A run bends elbows and knees; of one that goes nowhere so much is looked at."""


@dataclass(frozen=True, eq=False)
class NetworkSkeleton:
    """What samples of a controller's network are cut with.

    Attributes:
        skeleton: the network's.
        joints: names of the pose joints (P).
        reference: (P, 4), their reference rotations in the root's frame.
        hinges: axes (3) about which elbows and knees bend, by role.
        gaits: names, in order.
        style: the gait that clips are in throughout; empty where they are in gaits that labels know.
    """

    skeleton: Skeleton
    joints: tuple[str, ...]
    reference_rotations: Array
    hinges: Mapping[str, Array]
    gaits: tuple[str, ...]
    style: str = ""

    @staticmethod
    def of(model: ControllerModel, style: str = "") -> "NetworkSkeleton":
        """Return a controller's, which is to learn a style or knows it; how its elbows and knees bend is seen where it
        runs.

        Raises:
            FootfallError: it runs at another rate than clips are cut at.
        """
        require_rate(model)
        running = PathWalk(model, Path(np.array([[0.0, 0.0], [0.0, HINGE_RUN_LENGTH_M]])), HINGE_RUN_SPEED_M_S)
        running.advance(HINGE_RUN_FRAMES)
        hinges = hinge_axes(running.decode_walk())
        gaits = (*model.gaits, style) if style and style not in model.gaits else tuple(model.gaits)
        return NetworkSkeleton(
            model.skeleton, model.joints, model.reference_rotations.astype(float), hinges, gaits, style
        )


def require_rate(model: ControllerModel) -> None:
    """Raise :class:`FootfallError` where a controller runs at another rate than clips are cut at."""
    if model.rate != FEATURE_RATE_HZ:
        raise FootfallError(
            f"The controller runs at {model.rate:g} frames a second and clips become samples at {FEATURE_RATE_HZ:g}: choose one "
            "of that rate."
        )
