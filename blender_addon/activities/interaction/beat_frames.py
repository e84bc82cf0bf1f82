"""Start and end frames set for a beat: as numbers, or as timeline markers."""

import bpy

from ....core.errors import FootfallError


def given_frame(beat: bpy.types.PropertyGroup, end: str, scene: bpy.types.Scene) -> int | None:
    """Return the frame set for a beat's start or end; ``None`` if none is set.

    Args:
        beat: the beat.
        end: ``"start"`` or ``"end"``.
        scene: the scene of its markers.

    Raises:
        FootfallError: the marker is gone.
    """
    if not getattr(beat, f"has_{end}"):
        return None
    name = getattr(beat, f"{end}_marker")
    if not name:
        return int(getattr(beat, f"{end}_frame"))
    marker = scene.timeline_markers.get(name)
    if marker is None:
        raise FootfallError("A beat refers to the marker '{name}', which was deleted: choose another one", name=name)
    return int(marker.frame)
