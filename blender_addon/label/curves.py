"""Phase and contacts as animated custom properties of the armature, where drivers can use them."""

from collections.abc import Iterator

import bpy
import numpy as np

from ...core.motion.rotations import Array
from .. import compat
from ..animation.fcurve_io.curves import write
from ..animation.fcurve_io.slots import slot_for
from .marks import Marks

PHASE = "footfall_phase"
ACTION_PHASE = "footfall_action_phase"
CURVE_GROUP = "Footfall"


def contact_property(name: str) -> str:
    """The custom property that holds a contact, e.g. ``footfall_contact_foot_L``."""
    return f"footfall_contact_{name.replace('.', '_')}"


def can_hold_properties(armature: bpy.types.Object) -> bool:
    """Whether custom properties can be added to the armature; those of overrides are lost when the file is saved."""
    return armature.library is None and armature.override_library is None


def write_curves(
    armature: bpy.types.Object, action: bpy.types.Action, marks: Marks, phase: Array, action_phase: Array
) -> None:
    """Animates the phases (F, a key a frame) and the contacts (keys where they change); what is right stays.

    Nothing where the armature is not this file's own. The action's phase has a curve where it is ever above 0.
    """
    slot = slot_for(armature, action)
    if slot is None or not can_hold_properties(armature):
        return
    channelbag = compat.ensure_channelbag(action, slot)
    changed = [_write(armature, channelbag, *curve) for curve in _wanted(marks, phase, action_phase)]
    changed.append(_remove_others(channelbag, marks, bool(action_phase.any())))
    if any(changed):
        armature.update_tag()  # or new properties are not evaluated


def _wanted(marks: Marks, phase: Array, action_phase: Array) -> Iterator[tuple[str, str, Array, Array, str]]:
    """Property, tooltip, frames, values and interpolation of each curve."""
    frames = np.arange(marks.first, marks.last + 1, dtype=np.float32)
    yield PHASE, "Phase in cycles: right strike 0, left strike 0.5", frames, phase, "LINEAR"
    if action_phase.any():
        yield ACTION_PHASE, "How far sitting down, standing up or striking has come", frames, action_phase, "LINEAR"
    for name in marks.sensors:
        down = marks.covered(span for span in marks.spans if span.kind == "CONTACT" and span.name == name)
        changes = np.concatenate([[0], np.flatnonzero(np.diff(down)) + 1])
        tooltip = f"Whether {name} touches what it is watched against"
        yield contact_property(name), tooltip, frames[changes], down[changes].astype(float), "CONSTANT"


def _write(
    armature: bpy.types.Object,
    channelbag: bpy.types.ActionChannelbag,
    name: str,
    tooltip: str,
    frames: Array,
    values: Array,
    interpolation: str,
) -> bool:
    """Writes a curve where it is not already so, in place where the frames are; true where something was written."""
    if name not in armature:
        armature[name] = 0.0
        armature.id_properties_ui(name).update(min=0.0, max=1.0, description=tooltip)
    path = f'["{name}"]'
    curve = channelbag.fcurves.find(path)
    if curve is not None and len(curve.keyframe_points) == len(frames):
        have = np.empty(2 * len(frames), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", have)
        if np.array_equal(have[0::2], frames):
            if np.array_equal(have[1::2], values.astype(np.float32)):
                return False
            have[1::2] = values
            curve.keyframe_points.foreach_set("co", have)
            curve.update()
            return True
    write(channelbag, path, CURVE_GROUP, frames, [values], interpolation)
    return True


def _remove_others(channelbag: bpy.types.ActionChannelbag, marks: Marks, acts: bool) -> bool:
    """Removes curves of contacts that are no longer looked for, and of an action's phase that is never above 0."""
    wanted = {f'["{name}"]' for name in (PHASE, *map(contact_property, marks.sensors))}
    if acts:
        wanted.add(f'["{ACTION_PHASE}"]')
    return _remove(channelbag, [curve for curve in _own(channelbag) if curve.data_path not in wanted])


def clear_curves(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Removes Footfall's curves from an action."""
    slot = slot_for(armature, action)
    channelbag = compat.find_channelbag(action, slot) if slot else None
    if channelbag is not None:
        _remove(channelbag, list(_own(channelbag)))


def _own(channelbag: bpy.types.ActionChannelbag) -> Iterator[bpy.types.FCurve]:
    return (curve for curve in channelbag.fcurves if curve.data_path.startswith('["footfall_'))


def _remove(channelbag: bpy.types.ActionChannelbag, curves: list[bpy.types.FCurve]) -> bool:
    for curve in curves:
        channelbag.fcurves.remove(curve)
    return bool(curves)
