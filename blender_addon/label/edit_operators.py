"""Correcting labels with buttons: contacts, gaits, actions, segments and strikes."""

import bpy

from ...core.labelling.semantics import actions, gaits
from ...core.message import Message
from ..ui.operator_base import FootfallOperator
from ..ui.plain import choice, integer
from ..ui.translations import CONTEXT
from . import edits
from .edit_range import edit_range
from .marks import SIDE_NAMES
from .operators import active_action, require_action, why_no_labels
from .titles import title_of

STRIKE_SIDE_ITEMS = (("L", "Left", "Left foot strikes the ground"), ("R", "Right", "Right foot strikes the ground"))


class _JointItems:
    """Enum items of the active action's contacts; Blender keeps pointers to the strings, so they must stay alive."""

    items: list[tuple[str, str, str]] = []


def _joint_items(_owner: object, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    action = active_action(context) if context else None
    _JointItems.items = [(s.name, s.name, "") for s in action.footfall.contacts] if action else []
    return _JointItems.items


class _LabelEdit(FootfallOperator):
    """A mix-in for operators that change the labels of the active armature's action."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_labels(context)


class _RangeEdit(_LabelEdit):
    """A mix-in for edits of the frames from ``start`` to ``end``, which default to the selected range."""

    start: integer("Start", "First frame of the label", options={"SKIP_SAVE"})
    end: integer("End", "Last frame of the label", options={"SKIP_SAVE"})

    def run(self, context: bpy.types.Context) -> str:
        armature, action = require_action(context)
        given = [self.properties.is_property_set(name) for name in ("start", "end")]
        if not all(given):
            start, end = edit_range(armature, action, context.scene)
            self.start, self.end = self.start if given[0] else start, self.end if given[1] else end
        self.change(armature, action)
        frames = (
            Message("frame {start}", start=self.start)
            if self.start == self.end
            else Message("frames {start} to {end}", start=self.start, end=self.end)
        )
        return Message("{message}: {frames}", message=self.message, frames=frames)

    @property
    def message(self) -> str:
        """Message that reports the edited frames."""
        raise NotImplementedError

    def change(self, armature: bpy.types.Object, action: bpy.types.Action) -> None:
        """Apply the change; if it is invalid, raise :class:`FootfallError` and change nothing."""
        raise NotImplementedError


class FOOTFALL_OT_add_contact(_RangeEdit, bpy.types.Operator):
    """Add a contact over the selected keys or markers, the preview range, or the current frame"""

    bl_idname = "footfall.add_contact"
    bl_label = "Add Contact"

    contact: choice("Contact", "Contact point to label", _joint_items)

    @property
    def message(self) -> str:
        return Message("Contact of '{contact}' was added", contact=self.contact)

    def change(self, armature: bpy.types.Object, action: bpy.types.Action) -> None:
        edits.paint_contact(armature, action, self.contact, self.start, self.end)


class FOOTFALL_OT_remove_contact(_RangeEdit, bpy.types.Operator):
    """Remove contact over the selected keys or markers, the preview range, or the current frame"""

    bl_idname = "footfall.remove_contact"
    bl_label = "Remove Contact"

    contact: choice("Contact", "Contact point to label", _joint_items)

    @property
    def message(self) -> str:
        return Message("Contact of '{contact}' was removed", contact=self.contact)

    def change(self, armature: bpy.types.Object, action: bpy.types.Action) -> None:
        edits.erase_contact(armature, action, self.contact, self.start, self.end)


class FOOTFALL_OT_set_gait(_RangeEdit, bpy.types.Operator):
    """Set the gait over the selected keys or markers, the preview range, or the current frame"""

    bl_idname = "footfall.set_gait"
    bl_label = "Set Gait"

    gait: choice(
        "Gait", "Gait to set", [(name, title_of(name), "") for name in gaits.GAIT_NAMES], translation_context=CONTEXT
    )

    @property
    def message(self) -> str:
        return f"Gait '{self.gait}'"

    def change(self, armature: bpy.types.Object, action: bpy.types.Action) -> None:
        edits.set_span(armature, action, "GAIT", self.gait, self.start, self.end)


class FOOTFALL_OT_set_action(_RangeEdit, bpy.types.Operator):
    """Set the activity over selected keys or markers, the preview range, or the current frame"""

    bl_idname = "footfall.set_action"
    bl_label = "Set Activity"

    action: choice(
        "Activity",
        "Activity to set",
        [(name, title_of(name), "") for name in actions.ACTION_NAMES],
        translation_context=CONTEXT,
    )

    @property
    def message(self) -> str:
        return Message("The activity is now '{action}'", action=self.action)

    def change(self, armature: bpy.types.Object, action: bpy.types.Action) -> None:
        edits.set_span(armature, action, "ACTION", self.action, self.start, self.end)


class _SegmentOperator(_LabelEdit):
    """A mix-in for operators on the active segment of the list."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        action = active_action(context)
        if reason is None and action is not None and action.footfall.active_segment >= len(action.footfall.segments):
            return "Select a segment in the list"
        return reason


class FOOTFALL_OT_split_segment(_SegmentOperator, bpy.types.Operator):
    """Split the active label segment in two at the current frame"""

    bl_idname = "footfall.split_segment"
    bl_label = "Split Segment"

    def run(self, context: bpy.types.Context) -> str:
        armature, action = require_action(context)
        index, frame = action.footfall.active_segment, context.scene.frame_current
        name = action.footfall.segments[index].name
        edits.split(armature, action, index, frame)
        return Message("The segment '{name}' was split at frame {frame}", name=name, frame=frame)


class FOOTFALL_OT_merge_segments(_SegmentOperator, bpy.types.Operator):
    """Merge the active segment with the next one of the same name, including the gap between"""

    bl_idname = "footfall.merge_segments"
    bl_label = "Merge Segments"

    def run(self, context: bpy.types.Context) -> str:
        armature, action = require_action(context)
        index = action.footfall.active_segment
        name, start = action.footfall.segments[index].name, action.footfall.segments[index].start
        edits.merge(armature, action, index)
        end = next(s.end for s in action.footfall.segments if s.name == name and s.start <= start <= s.end)
        return Message(
            "The segment '{name}' was merged and has frames {start} to {end}", name=name, start=start, end=end
        )


class _StrikeEdit(_LabelEdit):
    side: choice("Foot", "Foot that strikes the ground", STRIKE_SIDE_ITEMS)


class FOOTFALL_OT_add_foot_strike(_StrikeEdit, bpy.types.Operator):
    """Label a foot strike, the first frame of a foot contact, at the current frame"""

    bl_idname = "footfall.add_foot_strike"
    bl_label = "Add Foot Strike"

    def run(self, context: bpy.types.Context) -> str:
        frame = context.scene.frame_current
        edits.add_strike(*require_action(context), self.side, frame)
        return Message("Added a foot strike ({side}) at frame {frame}", side=SIDE_NAMES[self.side], frame=frame)


class FOOTFALL_OT_remove_foot_strike(_StrikeEdit, bpy.types.Operator):
    """Remove the label of the foot strike at the current frame"""

    bl_idname = "footfall.remove_foot_strike"
    bl_label = "Remove Foot Strike"

    def run(self, context: bpy.types.Context) -> str:
        frame = context.scene.frame_current
        edits.remove_strike(*require_action(context), self.side, frame)
        return Message("Removed the foot strike ({side}) at frame {frame}", side=SIDE_NAMES[self.side], frame=frame)


CLASSES = (
    FOOTFALL_OT_add_contact,
    FOOTFALL_OT_remove_contact,
    FOOTFALL_OT_set_gait,
    FOOTFALL_OT_set_action,
    FOOTFALL_OT_split_segment,
    FOOTFALL_OT_merge_segments,
    FOOTFALL_OT_add_foot_strike,
    FOOTFALL_OT_remove_foot_strike,
)
