"""Walk surfaces: tags for the use of objects in a walk, each a custom property with a word."""

from collections.abc import Iterable
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.message import Message

TAG_PROPERTY: Final = "footfall_walk_surface"
WALKABLE: Final = "walkable"
JUMP_OVER: Final = "jump over"
OBSTACLE: Final = "obstacle"
CEILING: Final = "ceiling"
IGNORED: Final = "ignored"
TAGS: Final = {
    WALKABLE: ("Walkable", "Walk and climb on the object, and duck under it", "SNAP_FACE"),
    JUMP_OVER: ("Jump Over", "Jump over the object instead of climbing it", "TRACKING_FORWARDS"),
    OBSTACLE: ("Obstacle", "Walk around the object, or stop in front of it", "CANCEL"),
    CEILING: ("Ceiling", "Duck under the object, but never walk on it", "TRIA_UP"),
    IGNORED: ("Ignored", "Ignore the object, even if it is in the ground collection", "HIDE_ON"),
}
"""Each tag's title, meaning and icon."""


def tag_of(obj: bpy.types.Object) -> str | None:
    """Return an object's tag; ``None`` if it has none, or an unknown one (see :func:`unknown_tag`)."""
    text = _tag_text(obj)
    return text if text in TAGS else None


def unknown_tag(obj: bpy.types.Object) -> str | None:
    """Return an object's tag if it is unknown, such as a misspelled one."""
    text = _tag_text(obj)
    return text if text and text not in TAGS else None


def set_tag(obj: bpy.types.Object, tag: str | None) -> None:
    """Set the tag of an object, or remove it.

    Raises:
        FootfallError: the object is linked from another file.
    """
    if not obj.is_editable:
        raise FootfallError(
            "'{name}' is linked from another file, so its walk surface cannot be set: put the object into a "
            "ground collection of this file, or make a library override",
            name=obj.name,
        )
    if obj.override_library is not None:
        # Blender does not save custom properties of overrides, but does save texts.
        obj.footfall_walk_surface_text = "none" if tag is None and TAG_PROPERTY in obj else tag or ""
    else:
        if TAG_PROPERTY in obj:
            del obj[TAG_PROPERTY]
        if tag is not None:
            obj[TAG_PROPERTY] = tag
    obj.update_tag()


def _tag_text(obj: bpy.types.Object) -> str:
    own = obj.footfall_walk_surface_text if obj.override_library is not None else ""
    text = str(own or obj.get(TAG_PROPERTY, "")).strip().lower().replace("_", " ")
    return "" if text == "none" else text


def list_objects(objects: Iterable[bpy.types.Object]) -> str:
    """Return the names of objects as text, cut off after the first few."""
    names = [f"'{thing.name}'" for thing in objects]
    return (
        ", ".join(names)
        if len(names) < 4
        else Message("{names} and {count} more", names=", ".join(names[:2]), count=len(names) - 2)
    )


def register() -> None:
    """Register the text property that stores the tags of overridden objects."""
    bpy.types.Object.footfall_walk_surface_text = bpy.props.StringProperty(
        description="Walk surface of an object with a library override",
        options={"HIDDEN"},
        override={"LIBRARY_OVERRIDABLE"},
    )


def unregister() -> None:
    del bpy.types.Object.footfall_walk_surface_text
