"""Phase and contacts as animated custom properties of the armature, for drivers."""

from collections.abc import Iterator

import bpy
import numpy as np

from ...core.motion.rotations import Array
from .. import compat
from ..animation.fcurve_io.curves import write_channel
from ..animation.fcurve_io.slots import slot_for
from .marks import EditableLabels

PHASE_PROPERTY = "footfall_phase"
ACTIVITY_PHASE_PROPERTY = "footfall_action_phase"
CURVE_GROUP = "Footfall"


def contact_property(name: str) -> str:
    """Return the name of a contact's custom property, such as ``footfall_contact_foot_L``."""
    return f"footfall_contact_{name.replace('.', '_')}"


def can_hold_properties(armature: bpy.types.Object) -> bool:
    """Return whether custom properties can be added to an armature and saved.

    Custom properties of library overrides are lost when the file is saved.
    """
    return armature.library is None and armature.override_library is None


def write_curves(
    armature: bpy.types.Object, action: bpy.types.Action, editable: EditableLabels, phase: Array, activity_phase: Array
) -> None:
    """Key the phases (F) on each frame, and the contacts at changes; curves that are already right are kept.

    Linked armatures get no curves. The action phase has a curve only if it is above 0 in some frame.
    """
    slot = slot_for(armature, action)
    if slot is None or not can_hold_properties(armature):
        return
    channelbag = compat.ensure_channelbag(action, slot)
    changed = [
        _write_if_changed(armature, channelbag, *curve) for curve in _expected_curves(editable, phase, activity_phase)
    ]
    changed.append(_remove_obsolete(channelbag, editable, bool(activity_phase.any())))
    if any(changed):
        armature.update_tag()  # without this, new properties are not evaluated


def _expected_curves(
    editable: EditableLabels, phase: Array, activity_phase: Array
) -> Iterator[tuple[str, str, Array, Array, str]]:
    """Yield name of property, tooltip, frames, values and interpolation for each curve that should exist."""
    frames = np.arange(editable.first_frame, editable.last_frame + 1, dtype=np.float32)
    yield (
        PHASE_PROPERTY,
        "Phase of the gait cycle: 0 at the right foot strike, 0.5 at the left foot strike",
        frames,
        phase,
        "LINEAR",
    )
    if activity_phase.any():
        yield (
            ACTIVITY_PHASE_PROPERTY,
            "Progress of sitting down, standing up or attacking, from 0 to 1",
            frames,
            activity_phase,
            "LINEAR",
        )
    for name in editable.contact_feet:
        down = editable.covered_mask(span for span in editable.spans if span.kind == "CONTACT" and span.name == name)
        changes = np.concatenate([[0], np.flatnonzero(np.diff(down)) + 1])
        tooltip = f"Contact of {name}: 1 while it touches, 0 otherwise"
        yield contact_property(name), tooltip, frames[changes], down[changes].astype(float), "CONSTANT"


def _write_if_changed(
    armature: bpy.types.Object,
    channelbag: bpy.types.ActionChannelbag,
    name: str,
    tooltip: str,
    frames: Array,
    values: Array,
    interpolation: str,
) -> bool:
    """Write a curve unless it is already right, reusing its keys if the frames match; return whether it was written."""
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
    write_channel(channelbag, path, CURVE_GROUP, frames, [values], interpolation)
    return True


def _remove_obsolete(
    channelbag: bpy.types.ActionChannelbag, editable: EditableLabels, has_activity_phase: bool
) -> bool:
    """Remove curves of undetected contacts and of an unused action phase; return whether any were removed."""
    wanted = {f'["{name}"]' for name in (PHASE_PROPERTY, *map(contact_property, editable.contact_feet))}
    if has_activity_phase:
        wanted.add(f'["{ACTIVITY_PHASE_PROPERTY}"]')
    return _remove(channelbag, [curve for curve in _footfall_curves(channelbag) if curve.data_path not in wanted])


def clear_curves(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Remove all of Footfall's curves from an action."""
    slot = slot_for(armature, action)
    channelbag = compat.find_channelbag(action, slot) if slot else None
    if channelbag is not None:
        _remove(channelbag, list(_footfall_curves(channelbag)))


def _footfall_curves(channelbag: bpy.types.ActionChannelbag) -> Iterator[bpy.types.FCurve]:
    return (curve for curve in channelbag.fcurves if curve.data_path.startswith('["footfall_'))


def _remove(channelbag: bpy.types.ActionChannelbag, curves: list[bpy.types.FCurve]) -> bool:
    for curve in curves:
        channelbag.fcurves.remove(curve)
    return bool(curves)
