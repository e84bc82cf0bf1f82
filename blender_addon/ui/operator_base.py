"""Checks of every operator before it runs, and the report of user errors."""

from typing import ClassVar, Final

import bpy

from ...core.errors import FootfallError
from ...core.message import Message
from ..units import METERS_ONLY, is_in_meters
from .translations import translate_report

GUIDE_TYPES: Final = ("CURVE", "GREASEPENCIL", "EMPTY")
"""Types of objects that direct characters: paths and waypoints."""


def active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active armature, or the armature of the active mesh, path or waypoint; ``None`` without one."""
    active = context.object
    if active is None or active.type == "ARMATURE":
        return active
    return active.find_armature() or _character_guided_by(active, context.scene)


def _character_guided_by(guide: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """Return the first character in the scene that has this object as its path or waypoint."""
    if guide.type not in GUIDE_TYPES or guide.users < 2:  # it is in a collection, without a setting that refers to it
        return None
    # Panels and overlays call this at each redraw, in scenes of any size.
    last = bpy.data.objects.get(_LastCharacter.name) if scene.name == _LastCharacter.scene else None
    if last is not None and _is_guided_by(last, guide):
        return last
    found = next((thing for thing in scene.objects if thing.type == "ARMATURE" and _is_guided_by(thing, guide)), None)
    _LastCharacter.scene, _LastCharacter.name = (scene.name, found.name) if found else ("", "")
    return found


class _LastCharacter:
    """The character found last, by name, as Blender may free objects at any time."""

    scene: ClassVar[str] = ""
    name: ClassVar[str] = ""


def _is_guided_by(armature: bpy.types.Object, guide: bpy.types.Object) -> bool:
    """Return whether an object is the path or a waypoint of an armature."""
    settings = armature.footfall
    return settings.path == guide or any(mark.empty == guide for mark in settings.waypoints)


def require_armature(context: bpy.types.Context) -> bpy.types.Object:
    """Return the active armature; raise :class:`FootfallError` if there is none."""
    armature = active_armature(context)
    if armature is None:
        raise FootfallError("Select an armature first")
    return armature


def why_no_armature(context: bpy.types.Context) -> str | None:
    """Return the reason why operators on the active armature cannot run now; ``None`` if they can."""
    armature = active_armature(context)
    if armature is None:
        return "Select an armature"
    if context.object.mode == "EDIT":  # its undo steps keep the edited object alone
        return "Leave Edit Mode first"
    return None


def why_not_animatable(context: bpy.types.Context) -> str | None:
    """Return the reason why no action can be assigned to the active armature now; ``None`` if one can."""
    reason = why_no_armature(context)
    armature = active_armature(context)
    if reason is None and armature is not None and not armature.is_editable:
        return Message("'{name}' is linked from another file: make a library override first", name=armature.name)
    return reason


def require_present(name: str, scene: bpy.types.Scene) -> bpy.types.Object:
    """Return the armature with a full name in a scene; raise :class:`FootfallError` if it was deleted."""
    armature = next((one for one in scene.objects if one.name_full == name), None)
    if armature is None:
        raise FootfallError("The armature '{name}' was deleted: nothing was baked", name=name)
    return armature


def require_editable(block: bpy.types.ID, type_name: str) -> None:
    """Raise :class:`FootfallError` if a data-block cannot be changed because it is linked from another file."""
    if not block.is_editable:
        raise FootfallError(
            "{kind} '{name}' is linked from another file and cannot be changed: make it local first",
            kind=type_name,
            name=block.name,
        )


def is_in_scene(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Return whether an object is in a scene; a deleted one remains in the file while a setting refers to it."""
    # Linked objects may have the name of a local one.
    return scene.objects.get(obj.name) == obj or (obj.library is not None and scene in obj.users_scene)


def require_in_scene(obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Raise :class:`FootfallError` if an object was deleted from a scene; see :func:`is_in_scene`."""
    if not is_in_scene(obj, scene):
        raise FootfallError("'{name}' is no longer in the scene: choose another one", name=obj.name)


def needs_viewport(title: str) -> FootfallError:
    """Return the error for a script that calls an operator which needs the user's mouse and keys."""
    return FootfallError("'{operator}' needs the mouse and the keyboard: start it in a 3D viewport", operator=title)


class FootfallOperator:
    """A mix-in for operators: ``run`` does the work, and a :class:`FootfallError` is reported to the user.

    ``why_not`` returns the reason for a disabled operator in a few words, or ``None``.
    """

    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}
    needs_meters: ClassVar[bool] = False
    """True for work that needs a scene in meters."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        """Return the reason why the operator cannot run now; ``None`` if it can."""
        return why_no_armature(context)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = METERS_ONLY if cls.needs_meters and not is_in_meters(context.scene) else cls.why_not(context)
        if reason is not None:
            cls.poll_message_set(translate_report(reason))
        return reason is None

    def run(self, context: bpy.types.Context) -> str:
        """Do the work and return a sentence for the report; raise :class:`FootfallError` before changing anything."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            message = self.run(context)
        except FootfallError as error:
            return self.report_error(error)
        self.report({"INFO"}, translate_report(message))
        return {"FINISHED"}

    def report_error(self, error: FootfallError) -> set[str]:
        """Report an error to the user and cancel the operator, which has changed nothing."""
        self.report({"ERROR"}, translate_report(str(error)))
        return {"CANCELLED"}
