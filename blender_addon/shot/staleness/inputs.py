"""The inputs of a bake as checksums by part, which show the parts that have changed since."""

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.jobs.bounded_files import ContentError, parse_json
from ....core.message import Message
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers.fingerprint import action_checksum
from ...animation.layers.sources import SourceKind
from ...scene.ground_choice import choose_ground
from ...scene.path_reader import is_path, read_path

CHANGES: Final = {
    "path": Message("Out of date: the path was changed after the bake"),
    "settings": Message("Out of date: a setting of the character was changed after the bake"),
    "events": Message("Out of date: a path event was changed after the bake"),
    "waypoints": Message("Out of date: a waypoint was changed after the bake"),
    "edits": Message("Out of date: a key pose, inserted clip or edited step was changed after the bake"),
    "tasks": Message("Out of date: a beat or its object was changed after the bake"),
    "partner": Message("Out of date: the partner or its motion was changed after the bake"),
    "ground": Message("Out of date: ground or obstacles were changed after the bake"),
    "rig": Message("Out of date: the rig, its bone map, scale or location was changed after the bake"),
    "keys": Message("Out of date: keys of the baked action were changed after the bake"),
}
"""Sentence about each part of the inputs, in the order of comparison."""
MANNER_SETTINGS: Final = (
    *("controller", "controller_file", "performer", "style", "seed", "performer_share", "start"),
    *("control_variation", "generator", "generator_file", "responsiveness"),
)
"""Settings of how a character walks, along its path or between its beats."""
WALK_SETTINGS: Final = (*MANNER_SETTINGS, "speed", "speed_from_radius", "ball", "ball_radius")
SETTINGS: Final[Mapping[SourceKind, Sequence[str]]] = {
    "WALK": WALK_SETTINGS,
    "SHOT": (
        *("interaction_controller_file", "strike_controller_file", "dance", "dance_file"),
        *("attachment", "ball", "ball_radius", *MANNER_SETTINGS),
    ),
}
"""Settings of a character that affect a bake, except its output."""
PARTS: Final[Mapping[SourceKind, Sequence[str]]] = {
    "WALK": ("path", "events", "waypoints", "ground"),
    "SHOT": ("tasks", "events", "partner", "ground"),
}
"""Additional parts of the inputs of some bakes."""
RESULTS: Final = frozenset(
    {
        *("rna_type", "issue", "result", "missed", "alignment_error", "confidence", "is_manual", "checked_controller"),
        *("check_result", "check_passed", "active_role", "list_filter", "previous_bone", "previous_control"),
        *("previous_bones", "title", "preset", "baked_action", "combination"),
        *("first_frame", "last_frame", "is_skipped"),
    }
)
"""Properties of groups that are results, not inputs."""
ROUNDED_DIGITS: Final = 5
"""Decimals for the comparison of numbers; coordinates recomputed by Blender differ in further ones."""


def store_inputs(armature: bpy.types.Object, scene: bpy.types.Scene, kind: SourceKind) -> None:
    """Store checksums of a bake's inputs immediately after the bake."""
    armature.footfall.bake_inputs = json.dumps({"kind": kind} | _checksums(armature, scene, kind))


def first_change(armature: bpy.types.Object, scene: bpy.types.Scene) -> Message | None:
    """Return a message about the first input that has changed since an armature's last bake; ``None`` if none has."""
    settings = armature.footfall
    if settings.baked_action is None or not settings.bake_inputs:
        return None
    try:
        kept = parse_json(settings.bake_inputs)
    except ContentError:
        return None
    if not isinstance(kept, Mapping) or kept.get("kind") not in PARTS:
        return None
    now = _checksums(armature, scene, kept["kind"])
    return next((CHANGES[part] for part in CHANGES if part in now and now[part] != kept.get(part)), None)


def shot_checksum(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """Return a checksum over a character's beats, their objects and the ground."""
    return json.dumps({part: one for part, one in _checksums(armature, scene, "SHOT").items() if part != "keys"})


def _checksums(armature: bpy.types.Object, scene: bpy.types.Scene, kind: SourceKind) -> dict[str, str]:
    """Return a checksum for each part of the inputs."""
    settings = armature.footfall
    readers: dict[str, Callable[[], object]] = {
        "rig": lambda: _rig_state(armature),
        "keys": lambda: action_checksum(settings.baked_action) if settings.baked_action else "",
        "settings": lambda: _settings_state(armature, scene, SETTINGS[kind]),
        "edits": lambda: _edits_state(armature),
        "path": lambda: _path_state(settings.path),
        "events": lambda: [_group_state(one) for one in settings.path_events],
        "waypoints": lambda: [_group_state(one) for one in settings.waypoints],
        "ground": lambda: _ground_state(armature, scene),
        "tasks": lambda: [_beats_state(one) for one in (armature, *_partners_of(armature))],
        "partner": lambda: [_recorded_state(one) for one in _partners_of(armature)],
    }
    return {part: _checksum(readers[part]()) for part in ("rig", "keys", "settings", "edits", *PARTS[kind])}


def _checksum(state: object) -> str:
    return f"{zlib.crc32(repr(state).encode()):08x}"


def _edits_state(armature: bpy.types.Object) -> list[object]:
    groups = "key_poses", "inserted_clips", "edited_steps", "retimed_stretches"
    return [_group_state(one) for group in groups for one in getattr(armature.footfall, group)]


def _partners_of(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the partners of a character's beats, once each."""
    found = (one.partner for one in armature.footfall.interaction_tasks)
    return list(dict.fromkeys(one for one in found if one is not None))


def _beats_state(armature: bpy.types.Object) -> list[object]:
    return [(_group_state(one), _played_state(one)) for one in armature.footfall.interaction_tasks]


def _played_state(beat: bpy.types.PropertyGroup) -> str:
    """Return the motion that a beat plays; empty for one without an action."""
    return "" if beat.action is None else action_checksum(beat.action)


def _recorded_state(partner: bpy.types.Object) -> str:
    """Return the motion of a partner without beats; empty for one with beats."""
    data = partner.animation_data
    action = None if data is None or partner.footfall.interaction_tasks else data.action
    return "" if action is None else action_checksum(action)


def _settings_state(armature: bpy.types.Object, scene: bpy.types.Scene, names: Iterable[str]) -> list[object]:
    settings = armature.footfall
    start = scene.frame_start if settings.start == "SCENE" else None
    return [_plain(getattr(settings, name)) for name in names] + [
        _group_state(settings.output),
        scene_rate(scene),
        start,
    ]


def _group_state(group: bpy.types.PropertyGroup) -> list[object]:
    """Return the values of a property group, leaving out results."""
    values: list[object] = []
    for prop in group.bl_rna.properties:
        if prop.identifier in RESULTS:
            continue
        value = getattr(group, prop.identifier)
        if prop.type == "COLLECTION":
            values.append([_group_state(one) for one in value])
        elif isinstance(value, bpy.types.PropertyGroup):
            values.append(_group_state(value))
        else:
            values.append(_plain(value))
    return values


def _plain(value: object) -> object:
    """Convert a property's value so that equal values give equal text."""
    if isinstance(value, bpy.types.Object):
        return value.name_full, _still_place(value), _shape_state(value)
    if isinstance(value, bpy.types.ID):
        return value.name_full
    if isinstance(value, float):
        return round(value, ROUNDED_DIGITS)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return sorted(value) if isinstance(value, set) else list(value)
    return value


def _still_place(thing: bpy.types.Object) -> list[object]:
    """Return the transforms of an object and its parents, as far as they are not animated."""
    chain: list[object] = []
    above: bpy.types.Object | None = thing
    while above is not None:
        data = above.animation_data
        animated = data is not None and (data.action is not None or data.nla_tracks or data.drivers)
        chain.append(above.name_full if animated else _rounded(np.array(above.matrix_basis)))
        above = above.parent
    return chain


def _shape_state(thing: bpy.types.Object) -> object:
    """Return a summary of an object's shape: a path's points, or a mesh's vertex count and bounding box."""
    if is_path(thing):
        return _path_state(thing)
    if thing.type != "MESH":
        return None
    return len(thing.data.vertices), _rounded(np.array([tuple(corner) for corner in thing.bound_box]))


def _path_state(path: bpy.types.Object | None) -> object:
    if path is None:
        return None
    if path.type != "CURVE":
        try:
            return _rounded(read_path(path).places)
        except FootfallError as error:
            return str(error)
    if path.mode == "EDIT":
        path.update_from_editmode()
    splines = []
    for spline in path.data.splines:
        if spline.type == "BEZIER":
            columns = [_column(spline.bezier_points, name, 3) for name in ("co", "handle_left", "handle_right")]
            radii = _column(spline.bezier_points, "radius", 1)
        else:
            columns, radii = [_column(spline.points, "co", 4)], _column(spline.points, "radius", 1)
        splines.append((spline.type, spline.use_cyclic_u, *columns, radii))
    return path.name_full, _still_place(path), splines


def _column(points: bpy.types.bpy_prop_collection, name: str, width: int) -> bytes:
    values = np.empty(width * len(points), dtype=np.float32)
    points.foreach_get(name, values)
    return _rounded(values.astype(float))


def _ground_state(armature: bpy.types.Object, scene: bpy.types.Scene) -> list[str]:
    """Return the state of ground and obstacles, leaving out their own motion."""
    choice = choose_ground(armature, scene, bpy.context.view_layer)
    used = [thing for thing in bpy.data.objects if thing.session_uid in choice.object_uses]
    return sorted(
        repr((thing.name_full, choice.object_uses[thing.session_uid], _still_place(thing), _shape_state(thing)))
        for thing in used
    )


def _rig_state(armature: bpy.types.Object) -> list[object]:
    bones = armature.data.bones
    rest = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get("matrix_local", rest)
    moved = armature.footfall.output.root_motion == "OBJECT"
    place = _rounded(np.array(armature.scale)) if moved else _still_place_of(armature)
    return [_group_state(armature.footfall.rig), _rounded(rest.astype(float)), place]


def _still_place_of(armature: bpy.types.Object) -> object:
    """Return the transforms that place an armature's object; its action moves only the bones."""
    above = [] if armature.parent is None else _still_place(armature.parent)
    return _rounded(np.array(armature.matrix_basis)), above


def _rounded(values: np.ndarray) -> bytes:
    """Return rounded numbers as bytes, with -0.0 as 0.0."""
    return (np.round(values, ROUNDED_DIGITS) + 0.0).tobytes()
