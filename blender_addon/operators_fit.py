"""Objects put under one's own clips, and clips adapted to other objects: material for one's own interactions."""

import bpy
import numpy as np

from ..core.errors import FootfallError
from ..core.scene.augmentation import augmented, jerk
from ..core.scene.fitting import floor_of, off_floor
from . import object_fits
from .carried_things import object_tracks
from .clip_bridge.reader import scene_rate
from .errand_settings import ACTIONS, WITH_THING
from .guard import FootfallOperator, active_armature, require_armature, why_no_armature, why_not_animatable
from .labels import write_labels
from .layers import Destination, write
from .output import write_output
from .redraw import redraw
from .rig_store import rig_map_of

HOVERS = 0.02
"""Metres by which an object is off the floor before it is said."""


def chosen_thing(context: bpy.types.Context) -> bpy.types.Object | None:
    """The mesh besides the active armature's own that is selected; ``None`` where there is not just one."""
    armature = active_armature(context)
    meshes = [
        one
        for one in context.selected_objects
        if one.type == "MESH" and one.find_armature() is None and one.parent != armature
    ]
    return meshes[0] if len(meshes) == 1 else None


class _OnMotion(FootfallOperator):
    """A mix-in: needs the active armature's action, and one mesh."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_armature(context)
        if reason is not None:
            return reason
        armature = require_armature(context)
        if armature.animation_data is None or armature.animation_data.action is None:
            return "The armature has no action: import a clip"
        if chosen_thing(context) is None:
            return "Select one mesh, the object, and then the armature"
        return None


class FOOTFALL_OT_fit_object(_OnMotion, bpy.types.Operator):
    """Put the selected object under the active armature's action: a seat under its hips, a box between its hands, a
    door's handle to its hand. Contact points are made that hang on the object; it may then be moved or scaled
    """

    bl_idname = "footfall.fit_object"
    bl_label = "Fit Object to Clip"

    action: bpy.props.EnumProperty(
        items=[item for item in ACTIONS if item[0] in WITH_THING], name="Action", description="What is done with it"
    )

    def run(self, context: bpy.types.Context) -> str:
        armature, thing = require_armature(context), chosen_thing(context)
        assert thing is not None
        fit, read, clip, first = object_fits.fitted(armature, thing, self.action, context.scene)
        moving = fit.moving(clip)
        thing.matrix_world = object_fits.matrix_at(read, moving, fit.frame)
        context.view_layer.update()
        roles = object_fits.store(thing, armature, fit, clip, read)
        if self.action == "carry":
            matrices = [object_fits.matrix_at(read, moving, frame) for frame in range(len(clip))]
            write(thing, object_tracks(thing, matrices), first, Destination(), f"{thing.name}_carried")
        said = [f"'{thing.name}' fits frame {fit.frame + first}", f"touched by {', '.join(roles) or 'nothing'}"]
        over = off_floor(fit, floor_of(clip))
        if abs(over) > HOVERS and self.action != "carry":
            said.append(f"it is {abs(over) * 100:.0f} cm {'over' if over > 0 else 'under'} the floor: scale it")
        return "; ".join(said)


class FOOTFALL_OT_adapt_to_object(_OnMotion, bpy.types.Operator):
    """Adapt the motion that the selected object was put under to the object as it is now, moved, scaled or another
    mesh, and to its contact points: a new action is made; old ones are kept
    """

    bl_idname = "footfall.adapt_to_object"
    bl_label = "Augment"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_not_animatable(context) or super().why_not(context)
        if reason is None:
            thing = chosen_thing(context)
            if thing is None or object_fits.STORED not in thing:
                return "Use Fit Object to Clip first"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        armature, thing = require_armature(context), chosen_thing(context)
        assert thing is not None
        whose, name = object_fits.source_names(thing)
        action = bpy.data.actions.get(name)
        if action is None or whose != armature.name_full:
            raise FootfallError(f"'{thing.name}' was put under action '{name}' of '{whose}': select that armature.")
        clip, first, labels = object_fits.motion_of(armature, action, context.scene)
        fit = object_fits.stored_fit(thing, clip)
        placed, points = object_fits.as_it_is(thing, fit)
        if not points:
            raise FootfallError(f"'{thing.name}' has no contact points any more: use Fit Object to Clip again.")
        made = augmented(clip, fit.contacts, points, placed)
        moved = {
            role: np.linalg.norm((made.positions - clip.positions)[:, clip.skeleton.role(role)], axis=-1).max()
            for role in points
        }
        contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
        written = write_output(
            armature, rig_map_of(armature), made, first, f"{name}_on_{thing.name}", contacts, labels.ground
        )
        if written.record.kind != "RANGE":
            write_labels(armature, written.record.action, labels, first)
        redraw()
        said = [f"Adapted {len(made)} frames at {scene_rate(context.scene):g} fps to '{thing.name}'"]
        said += [f"{role} moved by {100 * far:.0f} cm" for role, far in moved.items() if far > 0.005]
        said.append(f"{jerk(made) / max(jerk(clip), 1e-9):.2f} times the jerk")
        return "; ".join([*said, *written.warnings])


CLASSES = (FOOTFALL_OT_fit_object, FOOTFALL_OT_adapt_to_object)
