"""Controllers that need no training and attack with what their hands hold: their poses depend on the phase alone."""

from functools import cache

import numpy as np

from footfall.cli.walk import shipped_controller
from footfall.core.features.locomotion import output_layout, pose_rotations
from footfall.core.features.strikes import STRIKE_ACTIONS, input_layout, strike_features, strike_joints
from footfall.core.labelling import label_clip
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.models.pfnn import PfnnArchitecture, PfnnWeights
from footfall.core.motion import Clip
from footfall.core.motion.fingers import way_at_rest, with_finger
from footfall.core.motion.roles import FINGER_ROLES
from footfall.core.motion.root_frame import rotations_in_root_frame
from footfall.core.motion.rotations import mean_rotation
from footfall.core.motion.weapons import with_weapon
from footfall.core.retarget.fit import fit_clip
from footfall.tests.support.boxer import ROLES, boxer
from footfall.tests.support.swordsman import swordsman

CONTROL_PHASES = (0.0, 0.25, 0.5, 0.75)
OFFSET, BLADE = np.array([-0.08, 0.0, 0.0]), np.array([-0.3, -0.74, 0.0])


@cache
def cutter() -> ControllerModel:
    """The cut of :mod:`.swordsman` with a blade that has a bone."""
    skeleton = with_weapon(load_model(shipped_controller()).skeleton, "hand.R", OFFSET, BLADE)
    return by_phase(fit_clip(swordsman(), skeleton))


@cache
def fist() -> ControllerModel:
    """The punch of :mod:`.boxer` with a hand that closes."""
    skeleton, hands = load_model(shipped_controller()).skeleton, boxer().skeleton
    for role in ROLES:
        joint = hands.joint(role)
        way = way_at_rest(hands, hands.joint(FINGER_ROLES[role]), joint)
        skeleton = with_finger(skeleton, role, way, hands.tips[joint])
    return by_phase(fit_clip(boxer(), skeleton))


def by_phase(clip: Clip) -> ControllerModel:
    """A clip with one attack on the body that walks, through its poses at the phases of control points."""
    walks, skeleton = load_model(shipped_controller()), clip.skeleton
    joints = strike_joints(walks.joints, skeleton)
    reference = mean_rotation(rotations_in_root_frame(clip, joints))
    blows = LimbMotion.of(clip, 0.0).blows
    x, y, phase = strike_features(clip, label_clip(clip), blows, joints, reference, np.zeros(len(blows)))
    around = np.arange(max(blows[0].start - 2, 0), blows[0].stop - 2)
    rows = [around[0], *(around[np.abs(phase[around] - wanted).argmin()] for wanted in CONTROL_PHASES[1:])]
    poses = y[rows]
    layout = output_layout(joints)
    for group in ("root.velocity", "root.angular_velocity", "trajectory.position"):
        layout.view(poses, group)[:] = 0.0
    layout.view(poses, "contact")[:] = 1.0
    tensors = {
        name: np.zeros(shape, dtype=np.float32)
        for name, shape in PfnnWeights.shapes(x.shape[1], 2, y.shape[1], len(CONTROL_PHASES)).items()
    }
    tensors["b2"][:] = poses
    start = poses[0]
    return ControllerModel(
        architecture=PfnnArchitecture(hidden=2),
        tensors=tensors,
        input_layout=input_layout(joints),
        output_layout=layout,
        x_mean=x.mean(axis=0),
        x_std=np.ones(x.shape[1], dtype=np.float32),
        y_mean=np.zeros(y.shape[1], dtype=np.float32),
        y_std=np.ones(y.shape[1], dtype=np.float32),
        skeleton=skeleton,
        joints=joints,
        reference_rotations=reference.astype(np.float32),
        gaits=STRIKE_ACTIONS,
        rate=walks.rate,
        start={
            "position": layout.view(start, "pose.position"),
            "velocity": 0 * layout.view(start, "pose.velocity"),
            "rotation": pose_rotations(start, layout, reference).astype(np.float32),
            "phase": np.float32(0.0),
        },
    )
