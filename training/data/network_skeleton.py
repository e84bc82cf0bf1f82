"""The network skeleton of an existing controller, to which clips are retargeted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.control.path.path import Path
from ...core.control.runtime.pose_decoder import standing_rotations
from ...core.control.walk.path_walk import begin_walk
from ...core.control.walk.plan import WalkRequest
from ...core.errors import FootfallError
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.models.model_file import ControllerModel, load_model
from ...core.motion import Skeleton
from ...core.motion.roles import LOCOMOTION_ROLES
from ...core.motion.rotations import Array
from ...core.retarget.hinges import hinge_axes
from .clip_cache import PACKAGE_FOLDER
from .manifest import DatasetError

WALKING_CONTROLLER: Final = PACKAGE_FOLDER / "presets" / "controllers" / "locomotion.safetensors"
"""The shipped walking controller."""
HINGE_RUN_SPEED_M_S = 3.0
HINGE_RUN_LENGTH_M = 10.0
HINGE_RUN_FRAMES = 240
"""Length of the run from which hinge axes are measured; running bends elbows and knees most."""


@dataclass(frozen=True, eq=False)
class NetworkSkeleton:
    """Skeleton, pose joints and gaits of a controller, which determine the samples for its network.

    Attributes:
        joints: names of the pose joints (P).
        reference_rotations: (P, 4) reference rotations of these joints in the root's frame.
        hinges: axes (3) about which elbows and knees bend, by role of the joint in whose frame they are.
        gaits: names of the gaits, in the order of the network's inputs.
        style: gait given to all frames of the clips; empty to use the labels' gaits.
        performers: names of the performers, in the order of the network's inputs.
        standing: (J, 4) world rotations of a standing pose; ``None`` if unknown.
        start: positions (P, 3), meters, and rotations (P, 4) of the pose joints in the standing pose, in the root's
            frame.
    """

    skeleton: Skeleton
    joints: tuple[str, ...]
    reference_rotations: Array
    hinges: Mapping[str, Array]
    gaits: tuple[str, ...]
    style: str = ""
    performers: tuple[str, ...] = ()
    standing: Array | None = None
    start: tuple[Array, Array] | None = None

    @staticmethod
    def of_walking() -> "NetworkSkeleton":
        """Return the skeleton of the shipped walking controller, for controllers that hand over to it."""
        return NetworkSkeleton.of(load_model(WALKING_CONTROLLER))

    @staticmethod
    def of(model: ControllerModel, style: str = "") -> "NetworkSkeleton":
        """Return the network skeleton of a controller; a new style, if given, is added to its gaits.

        The hinge axes are measured in a run that the controller generates.

        Raises:
            FootfallError: the controller runs at another rate than the features.
        """
        require_rate(model)
        running = begin_walk(
            model, WalkRequest(Path(np.array([[0.0, 0.0], [0.0, HINGE_RUN_LENGTH_M]])), HINGE_RUN_SPEED_M_S)
        )
        running.advance(HINGE_RUN_FRAMES)
        hinges = hinge_axes(running.decode_walk())
        gaits = (*model.gaits, style) if style and style not in model.gaits else tuple(model.gaits)
        return NetworkSkeleton(
            model.skeleton,
            model.joints,
            model.reference_rotations.astype(float),
            hinges,
            gaits,
            style,
            model.performers,
            standing_rotations(model),
            (model.start["position"], model.start["rotation"]) if "rotation" in model.start else None,
        )


def require_rate(model: ControllerModel) -> None:
    """Raise :class:`FootfallError` if a controller runs at another rate than the features."""
    if model.rate != FEATURE_RATE_HZ:
        raise FootfallError(
            "The controller runs at {rate} frames per second, but training samples have {needed}: choose a "
            "controller with that rate",
            rate=f"{model.rate:g}",
            needed=f"{FEATURE_RATE_HZ:g}",
        )


def without_excluded(joints: tuple[str, ...], skeleton: Skeleton, excluded: Iterable[str]) -> tuple[str, ...]:
    """Return the joints that are not excluded; raise :class:`DatasetError` for excluding unknown or required joints."""
    excluded = set(excluded)
    needed = {skeleton.names[skeleton.joint(role)] for role in LOCOMOTION_ROLES}
    for name in sorted(excluded):
        if name not in skeleton.names:
            raise DatasetError(
                "The joint '{name}' cannot be excluded, because the skeleton does not have it: choose from {names}",
                name=name,
                names=", ".join(skeleton.names),
            )
        if name in needed:
            raise DatasetError(
                "The joint '{name}' cannot be excluded, because walking needs it: choose another joint", name=name
            )
    return tuple(name for name in joints if name not in excluded)
