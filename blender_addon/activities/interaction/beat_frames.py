"""Given frames of a beat: by number, or by a marker of the timeline."""

import bpy

from ....core.errors import FootfallError


def given_frame(beat: bpy.types.PropertyGroup, end: str, scene: bpy.types.Scene) -> int | None:
    """Return the given frame of a beat's start or end; ``None`` where it is as it comes.

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
        raise FootfallError("The marker '{name}' of a beat is gone: choose another one", name=name)
    return int(marker.frame)
