"""A copy of the armature in a separate scene, posed and evaluated by Blender."""

from collections.abc import Iterable, Mapping
from types import TracebackType

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ....core.motion.rotations import Array
from .control_spaces import BoneInheritance, ControlSpace


class RigSandbox:
    """A copy of the armature without its action, with working constraints and drivers.

    With a copy, no change of the user's data can remain, and neither the armature's meshes nor other parts of the scene
    are evaluated. Use as a context manager.
    """

    def __init__(self, armature: bpy.types.Object) -> None:
        frame = bpy.context.scene.frame_current
        self.evaluation_count = 0
        self._scene = bpy.data.scenes.new("Footfall")
        self._copy = armature.copy()
        self._data: bpy.types.Armature | None = None
        self._scene.collection.objects.link(self._copy)
        self._scene.frame_current = frame
        self._copy.hide_viewport = False
        data = armature.data
        if isinstance(data, bpy.types.Armature) and data.pose_position == "REST":
            posed = data.copy()
            posed.pose_position = "POSE"
            self._copy.data = self._data = posed
        animation = self._copy.animation_data
        if animation is not None:
            animation.use_tweak_mode = False
            animation.use_nla = False
            animation.action = None

    def __enter__(self) -> "RigSandbox":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        bpy.data.objects.remove(self._copy)
        if self._data is not None:
            bpy.data.armatures.remove(self._data)
        bpy.data.scenes.remove(self._scene)

    @property
    def bones(self) -> bpy.types.bpy_prop_collection:
        """Pose bones of the copied armature."""
        return self._copy.pose.bones

    def set_property(self, bone: str, name: str, value: float) -> None:
        """Set a pose bone's custom property, keeping the property's type."""
        kept = self.bones[bone][name]
        self.bones[bone][name] = type(kept)(value)
        self._copy.update_tag(refresh={"OBJECT", "DATA", "TIME"})

    def set_influence(self, bone: str, constraint: str, value: float) -> None:
        """Set the influence of a pose bone's constraint."""
        self.bones[bone].constraints[constraint].influence = value
        self._copy.update_tag(refresh={"OBJECT", "DATA"})

    def set_pose(self, bone: str, location: Array, rotation: Array) -> None:
        """Set a pose bone's local rotation (4) and location (3); its scale is unchanged."""
        pose_bone = self.bones[bone]
        scale = pose_bone.scale.copy()
        pose_bone.matrix_basis = Matrix.LocRotScale(Vector(location), Quaternion(rotation), None)
        pose_bone.scale = scale

    def evaluate(self) -> None:
        """Evaluate the constraints and drivers of the copy."""
        self._scene.view_layers[0].update()
        self.evaluation_count += 1

    @property
    def evaluated_bones(self) -> bpy.types.bpy_prop_collection:
        """The evaluated pose bones as of the last update."""
        return self._copy.evaluated_get(self._scene.view_layers[0].depsgraph).pose.bones

    def matrices(self, names: Iterable[str]) -> dict[str, Array]:
        """Return the matrices (4, 4) of bones in armature space, as of the last update."""
        posed = self.evaluated_bones
        return {name: np.array(posed[name].matrix, dtype=float) for name in names}

    def spaces(self, inheritance: Mapping[str, BoneInheritance]) -> dict[str, ControlSpace]:
        """Return the channel spaces of bones, as of the last update."""
        posed = self.evaluated_bones
        result: dict[str, ControlSpace] = {}
        for name, way in inheritance.items():
            parent = posed[name].parent
            result[name] = way.space_under(None if parent is None else np.array(parent.matrix, dtype=float))
        return result
