"""Removing and moving the active item of a list of settings."""

from typing import Any, ClassVar

import bpy

from ...core.message import Message
from .operator_base import FootfallOperator, require_armature, why_no_armature, why_not_animatable


class CharacterListOperator(FootfallOperator):
    """A mix-in for operators on a list in the active armature's settings.

    Attributes:
        collection: the name of the list's property.
        active: the name of the property with the active item's index.
        least: smallest number of items with which the operator can run.
        too_short: the reason to show if there are fewer items.
    """

    collection: ClassVar[str]
    active: ClassVar[str]
    least: ClassVar[int] = 0
    too_short: ClassVar[str] = ""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_not_animatable(context) or cls.why_too_short(context)

    @classmethod
    def why_too_short(cls, context: bpy.types.Context) -> str | None:
        """Return the reason why the list has too few items for the operator; ``None`` if it has enough."""
        return cls.too_short if len(cls.items(context)) < cls.least else None

    @classmethod
    def items(cls, context: bpy.types.Context) -> Any:
        return getattr(require_armature(context).footfall, cls.collection)

    @classmethod
    def active_index(cls, context: bpy.types.Context) -> int:
        """Return the index of the active item, limited to the last item."""
        return min(getattr(require_armature(context).footfall, cls.active), len(cls.items(context)) - 1)

    @classmethod
    def set_active(cls, context: bpy.types.Context, index: int) -> None:
        """Set the active item."""
        setattr(require_armature(context).footfall, cls.active, index)

    @classmethod
    def insert_item(cls, context: bpy.types.Context) -> bpy.types.PropertyGroup:
        """Add an item after the active one, make it active, and return it."""
        items = cls.items(context)
        items.add()
        index = min(getattr(require_armature(context).footfall, cls.active) + 1, len(items) - 1)
        items.move(len(items) - 1, index)
        cls.set_active(context, index)
        return items[index]


class RemoveOperator(CharacterListOperator):
    """A mix-in that removes the active item."""

    least = 1
    too_short = "The list is empty"

    def remove_active(self, context: bpy.types.Context) -> int:
        """Remove the active item; return the number of remaining items."""
        items, index = self.items(context), self.active_index(context)
        items.remove(index)
        self.set_active(context, max(index - 1, 0))
        return len(items)


class GoToFrameOperator(CharacterListOperator):
    """A mix-in that shows the frame of the active item; it also works for a linked character."""

    bl_options: ClassVar[set[str]] = {"REGISTER"}
    least = 1
    too_short = "The list is empty"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_armature(context) or cls.why_too_short(context)

    def run(self, context: bpy.types.Context) -> str:
        item = self.items(context)[self.active_index(context)]
        context.scene.frame_set(item.frame)
        return Message("Frame {frame}", frame=item.frame)


class MoveOperator(CharacterListOperator):
    """A mix-in that moves the active item by one place; its operator has the property ``down``."""

    least = 2
    too_short = "The list has fewer than two items, so there is nothing to move"

    def move_active(self, context: bpy.types.Context) -> tuple[int, int]:
        """Move the active item; return its new number, counted from 1, and the number of items."""
        items, index = self.items(context), self.active_index(context)
        other = min(max(index + (1 if getattr(self, "down") else -1), 0), len(items) - 1)  # noqa: B009 - Blender's
        items.move(index, other)
        self.set_active(context, other)
        return other + 1, len(items)
