"""A clip on the network's skeleton: one skeleton for many actors and rigs, one controller for all of them."""

from ..labelling import Labels
from ..motion import Clip, Skeleton
from ..motion.proportions import has_toes
from .calibration import Calibration, calibrate
from .retarget import retarget, sole_height


def fit_clip(clip: Clip, skeleton: Skeleton | Calibration, ground: float = 0.0, labels: Labels | None = None) -> Clip:
    """Return the clip's motion on another skeleton, standing on the plane ``z = ground``.

    Args:
        clip: the motion.
        skeleton: whose motion it becomes; or how the clip's own skeleton is calibrated to it.
        labels: the clip's labels: where feet stand, they stand as still as the clip's own.

    Raises:
        FootfallError: a joint of the skeleton that locomotion needs has no counterpart.
    """
    calibration = skeleton if isinstance(skeleton, Calibration) else calibrate(clip.skeleton, skeleton)
    contacts = None
    if labels is not None:
        contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
    fitted = retarget(clip, calibration, contacts)
    part = "toe" if has_toes(fitted.skeleton) else "foot"
    drop = sole_height(fitted.skeleton, fitted.positions, fitted.rate, part) - ground
    roots = fitted.root_positions - [0.0, 0.0, drop]
    return Clip(fitted.skeleton, fitted.rate, roots, fitted.rotations, fitted.name)
