"""``fit-prop``: a seat, a box or a door under captured motion, and the motion adapted to it."""

import argparse

import bpy

from ....core.errors import FootfallError
from ....core.scene.object_fitting import OBJECT_ACTIONS
from ...activities.interaction.fit_operators import adapt_motion, fit_prop
from ...ui.operator_base import require_editable
from .job import Job
from .options import add_json
from .saving import add_saving, output_path, save

HELP = "Fit an object to a motion that uses it, or adapt the motion to the object."
EXAMPLES = """\
examples:
  blender -b takes.blend --command footfall fit-prop --prop Chair --armature Actor --interaction sit --save
  blender -b takes.blend --command footfall fit-prop --prop Chair --armature Actor --adapt --out adapted.blend

--adapt is for an object that was fitted before and has since been moved, scaled or given another mesh. It makes a new
action."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--prop", required=True, metavar="NAME", help="name of the mesh object")
    parser.add_argument(
        "--armature", required=True, metavar="NAME", help="name of the armature whose current action uses the object"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--interaction", choices=OBJECT_ACTIONS, help="move the object to the place that fits this type of motion"
    )
    what.add_argument(
        "--adapt", action="store_true", help="adapt the motion to the object in its current place, size and shape"
    )
    add_saving(parser)
    add_json(parser)


def run(options: argparse.Namespace, job: Job) -> None:
    """Fit an object to the motion or the motion to an object, and save the file."""
    context, goal = bpy.context, output_path(options)
    with job.item(prop=options.prop, armature=options.armature) as entry:
        thing, armature = _find_object(options.prop, "MESH"), _find_object(options.armature, "ARMATURE")
        require_editable(armature, "Armature")
        if options.adapt:
            adapted = adapt_motion(armature, thing, context.scene)
            job.changed = True
            entry |= {
                "message": f"adapted {adapted.frame_count} frames in the new action '{adapted.action.name}'",
                "action": adapted.action.name,
                "frames": adapted.frame_count,
                "displacements_m": adapted.displacements,
                "jerk_ratio": adapted.jerk_ratio,
                "warnings": list(adapted.warnings),
            }
        else:
            if armature.animation_data is None or armature.animation_data.action is None:
                raise FootfallError(
                    "The armature '{name}' has no action to which the object could be fitted: assign one, and save "
                    "the file",
                    name=armature.name,
                )
            fitted = fit_prop(armature, thing, options.interaction, context)
            job.changed = True
            entry |= {
                "message": f"fitted to frame {fitted.frame}, with contact points for "
                f"{', '.join(fitted.contact_roles) or 'no body part'}",
                "frame": fitted.frame,
                "contacts": list(fitted.contact_roles),
                "height_above_floor_m": fitted.height_above_floor,
            }
    save(goal, job)


def _find_object(name: str, kind: str) -> bpy.types.Object:
    thing = bpy.context.scene.objects.get(name)
    if thing is None or thing.type != kind:
        raise FootfallError(
            "There is no {type} '{name}' in the scene '{scene}': check the name",
            type=kind.lower(),
            name=name,
            scene=bpy.context.scene.name,
        )
    return thing
