"""The body of a controller: its calibration to other bodies."""

from ...models.controller_model import ControllerModel
from ...motion import Skeleton
from ...retarget.calibration import Calibration, calibrate
from .pose_decoder import standing_rotations


def calibrate_controller(model: ControllerModel, target: Skeleton) -> Calibration:
    """Return the calibration from a controller's skeleton, in its standing pose, to another skeleton.

    Raises:
        FootfallError: a joint that locomotion needs has no counterpart.
    """
    return calibrate(model.skeleton, target, source_stance=standing_rotations(model), controller="SOURCE")
