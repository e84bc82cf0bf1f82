"""The bridge between Blender's armatures and actions and core's skeletons and clips.

The skeleton's zero pose is the armature's rest pose with joint frames along the world's axes: a joint's world rotation
``G`` turns rest offsets into the world, and the pose bone's world matrix is ``translation(P) @ G @ R``, ``R`` being the
bone's rest rotation in the world. So a bone's own (basis) rotation is ``inverse(R) r R`` for the joint's rotation ``r``
relative to its parent, and F-curves are read and written in numpy without stepping through frames.
Constraints and drivers are not evaluated.
"""

from .previous_action import keep_and_assign
from .reader import read_action
from .rig import Rig, read_rig

__all__ = ["Rig", "keep_and_assign", "read_action", "read_rig"]
