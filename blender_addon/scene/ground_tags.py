"""What objects are to a walk, as animators say it: a custom property with one word."""

from collections.abc import Iterable
from typing import Final

import bpy

from ...core.errors import FootfallError

PROPERTY: Final = "footfall_ground"
WALKABLE: Final = "walkable"
JUMP_OVER: Final = "jump over"
AVOID: Final = "avoid"
CEILING: Final = "ceiling"
IGNORED: Final = "ignored"
TAGS: Final = {
    WALKABLE: ("Walkable", "Characters walk and climb on it, and duck under it", "SNAP_FACE"),
    JUMP_OVER: ("Jump Over", "Characters jump over it instead of climbing it", "TRACKING_FORWARDS"),
    AVOID: ("Avoid", "Characters go round it, or stop in front of it", "CANCEL"),
    CEILING: ("Ceiling", "Characters duck under it, but never walk on it", "TRIA_UP"),
    IGNORED: ("Ignored", "Characters take no notice of it, even in a collection of ground", "HIDE_ON"),
}
"""Each tag's title, what it means, and its icon."""


def tag_of(thing: bpy.types.Object) -> str | None:
    """An object's tag; ``None`` where it has none, or one that is no tag: see :func:`wrong_tag`."""
    text = _text(thing)
    return text if text in TAGS else None


def wrong_tag(thing: bpy.types.Object) -> str | None:
    """What an object has as a tag that is none, such as a slip of the pen."""
    text = _text(thing)
    return text if text and text not in TAGS else None


def set_tag(thing: bpy.types.Object, tag: str | None) -> None:
    """Tags an object, or takes its tag away.

    Raises:
        FootfallError: the object is linked from another file.
    """
    if not thing.is_editable:
        raise FootfallError(
            f"'{thing.name}' is linked from another file, where its tag would have to be: put it into a collection of "
            "this file and choose that as the ground, or make a library override."
        )
    if thing.override_library is not None:
        # Blender does not save custom properties of overrides; it does save texts.
        thing.footfall_ground_tag = "none" if tag is None and PROPERTY in thing else tag or ""
    elif tag is not None:
        thing[PROPERTY] = tag
    elif PROPERTY in thing:
        del thing[PROPERTY]
    thing.update_tag()


def _text(thing: bpy.types.Object) -> str:
    own = thing.footfall_ground_tag if thing.override_library is not None else ""
    text = str(own or thing.get(PROPERTY, "")).strip().lower().replace("_", " ")
    return "" if text == "none" else text


def in_words(things: Iterable[bpy.types.Object]) -> str:
    """Objects by their names, of many the first ones."""
    names = [f"'{thing.name}'" for thing in things]
    return ", ".join(names) if len(names) < 4 else f"{', '.join(names[:2])} and {len(names) - 2} more"


def register() -> None:
    """Gives every object the text that overrides keep their tag in."""
    bpy.types.Object.footfall_ground_tag = bpy.props.StringProperty(
        description="What an overridden object is to a walk", options={"HIDDEN"}, override={"LIBRARY_OVERRIDABLE"}
    )


def unregister() -> None:
    """Takes everything back that :func:`register` did."""
    del bpy.types.Object.footfall_ground_tag
