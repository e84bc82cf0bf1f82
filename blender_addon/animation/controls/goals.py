"""The target poses of the controls, which give the body the pose of a clip."""

from dataclasses import dataclass

import numpy as np

from ....core.errors import FootfallError
from ....core.motion import Clip
from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ..fcurve_io import Rig
from .control import Control


@dataclass(frozen=True, eq=False)
class ControlTargets:
    """A clip's body in relation to an armature.

    Attributes:
        rig: the armature at rest.
        clip: motion of its body: joints have the names of its bones, and their zero pose is its rest pose in the world.

    Raises:
        FootfallError: a joint of the clip is not a bone of the armature.
    """

    rig: Rig
    clip: Clip

    def __post_init__(self) -> None:
        missing = next((name for name in self.clip.skeleton.names if name not in self.rig.index), None)
        if missing is not None:
            raise FootfallError(
                "Armature '{armature}' has no bone '{bone}', but the motion needs it: map the bones again",
                armature=self.rig.armature_name,
                bone=missing,
            )

    def bone(self, role: str) -> str:
        """Return the name of the bone with a role."""
        return self.clip.skeleton.names[self.clip.skeleton.roles[role]]

    def joint(self, role: str) -> tuple[Array, Array, Array]:
        """Return world positions (F, 3), world rotations (F, 4) and world position at rest (3) of a role's joint."""
        joint = self.clip.skeleton.roles[role]
        positions, rotations = self.clip.world
        return positions[:, joint], rotations[:, joint], self.rig.heads[self.rig.index[self.bone(role)]]

    def pose(self, control: Control) -> Array:
        """Return the target pose matrices (F, 4, 4) of a control, in armature space without scale."""
        bone = self.rig.index[control.bone]
        _, turn, _ = self.joint(control.role)
        at, _, at_rest = self.joint(control.pivot_role)
        heads = at + rot.rotate(turn, np.broadcast_to(self.rig.heads[bone] - at_rest, at.shape))
        turned = rot.multiply(rot.inverse(self.rig.rotation), rot.multiply(turn, self.rig.rest_rotations[bone]))
        result = np.tile(np.eye(4), (len(at), 1, 1))
        result[:, :3, 3] = self.rig.to_armature(heads)
        result[:, :3, :3] = rot.to_matrix(turned)
        return result

    def pose_at_head(self, heads: Array) -> Array:
        """Return pose matrices (F, 4, 4), in armature space, of a bone whose head is at world positions (F, 3)."""
        result = np.tile(np.eye(4), (len(heads), 1, 1))
        result[:, :3, 3] = self.rig.to_armature(heads)
        return result
