"""Readers of the extension, which run inside Blender: FBX, files of runs, and texts kept in a ``.blend`` file."""

import json
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from footfall.core.jobs.bounded_files import ContentError

from ..reader import BLENDER, Reader
from .corpus import contents, walk, written
from .runs import LINES, STATE, _run

REQUEST: Final = {"arguments": ["--preset", "quick", "--epochs", "3"], "pid": 1, "process": "1-2"}
POSES: Final = {
    "positions": [[0, 0, 0]],
    "rotations": [[1, 0, 0, 0]],
    "interaction": "sit",
    "armature": "a",
    "action": "b",
}
CONTACTS: Final = {"contacts": {"hips": {"intervals": [[0, 3]], "point": [0, 0, 0]}}}


@cache
def _registered() -> Any:
    """Return ``bpy`` with the add-on registered, and an armature in the file."""
    import os

    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="footfall-fuzz-")
    import bpy

    import footfall

    footfall.register()
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Body", bpy.data.armatures.new("Body")))
    return bpy


def _fbx() -> bytes:
    """Return an FBX file of an armature of two bones that turns."""
    bpy = _registered()
    scene = bpy.context.scene
    body = bpy.data.objects.new("Actor", bpy.data.armatures.new("Actor"))
    scene.collection.objects.link(body)
    bpy.context.view_layer.objects.active = body
    bpy.ops.object.mode_set(mode="EDIT")
    for number, name in enumerate(("hips", "spine")):
        bone = body.data.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, number), (0, 0, number + 1)
    body.data.edit_bones["spine"].parent = body.data.edit_bones["hips"]
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame in (1, 5, 10):
        body.pose.bones["spine"].rotation_quaternion = (1, frame / 50, 0, 0)
        body.pose.bones["spine"].keyframe_insert("rotation_quaternion", frame=frame)
    scene.frame_end = 10

    def write(path: Path) -> None:
        bpy.ops.export_scene.fbx(filepath=str(path), object_types={"ARMATURE"}, add_leaf_bones=False)

    return written(write, "clip.fbx")


def _read_fbx(path: Path) -> object:
    _registered()
    from footfall.blender_addon.rig.motion_files import read_motions

    return read_motions(path)


def _describe_run(path: Path) -> object:
    """Read a run as the panel does, without what keeps any damage from it."""
    _registered()
    from footfall.blender_addon.train import runs
    from footfall.core.jobs.run_folder import RunFolder

    runs.clear()
    return runs.describe_run(RunFolder(path.parent), 10.0)


def _read_request(path: Path) -> object:
    _registered()
    from footfall.blender_addon.train.run_request import RunRequest
    from footfall.core.jobs.run_folder import RunFolder

    return RunRequest.read(RunFolder(path.parent))


def _text(path: Path) -> str:
    """Return the text as a property of a ``.blend`` file may hold it."""
    with path.open("rb") as file:
        return file.read(1 << 24).decode("utf-8", "replace").replace("\0", "")


def _read_texts(path: Path) -> object:
    """Read a text as every one that is kept in a file."""
    bpy = _registered()
    if not path.is_file():
        return None
    from footfall.blender_addon.animation import bake_report, likeness_report
    from footfall.blender_addon.animation.layers.bake_record import PreviousState
    from footfall.blender_addon.app.override_text import from_json_data
    from footfall.core.jobs.bounded_files import parse_json

    text = _text(path)
    bake_report.parse_quality_rows.cache_clear()
    likeness_report.parse_likeness_rows.cache_clear()
    reports = bake_report.parse_quality_rows(text), likeness_report.parse_likeness_rows(text)
    read = *reports, PreviousState.from_json(text)
    settings = bpy.data.objects["Body"].footfall
    with suppress(ValueError, TypeError, AttributeError, OverflowError):  # Those that `restore_overrides` tells of.
        from_json_data(settings, parse_json(text))
    return read


def _read_pose(path: Path) -> object:
    _registered()
    if not path.is_file():
        return None
    from footfall.blender_addon.shot.key_poses.store import decode_pose
    from footfall.core.motion.rotations import IDENTITY

    return decode_pose(_text(path), walk().skeleton, IDENTITY, 1)


def _pose() -> bytes:
    _registered()
    from footfall.blender_addon.shot.key_poses.store import encode_pose
    from footfall.core.motion.rotations import IDENTITY

    return encode_pose(walk().cut(0, 1), IDENTITY, ["head"]).encode()


def _read_fit(path: Path) -> object:
    bpy = _registered()
    if not path.is_file():
        return None
    from footfall.blender_addon.activities.interaction.object_fits import FIT_PROPERTY, read_stored_fit
    from footfall.blender_addon.scene.fitted_objects import read_fit_data, source_names

    body = bpy.data.objects["Body"]
    body[FIT_PROPERTY] = _text(path)
    return read_fit_data(body), source_names(body), read_stored_fit(body, walk())


def _overrides() -> bytes:
    _registered()
    import bpy

    from footfall.blender_addon.app.override_text import to_json_data

    return json.dumps(to_json_data(bpy.data.objects["Body"].footfall)).encode()


def _quality() -> bytes:
    row = {"measure": "foot_sliding", "mean": 0.1, "p95": 0.2, "worst": 0.3, "mocap_median": 0.1, "frame": 3}
    return json.dumps([{**row, "body_part": "foot.L", "verdict": "good"}]).encode()


READERS: Final = (
    Reader("fbx", "clip.fbx", "bytes", contents(_fbx), _read_fbx, BLENDER),
    Reader("run-in-the-panel", "progress.jsonl", "jsonl", _run(LINES), _describe_run, BLENDER),
    Reader("state-in-the-panel", "state.json", "json", _run(json.dumps(STATE).encode()), _describe_run, BLENDER),
    Reader("request", "request.json", "json", contents(lambda: json.dumps(REQUEST).encode()), _read_request, BLENDER),
    Reader(
        "texts-of-a-bake", "text.json", "json", contents(_overrides, _quality), _read_texts, BLENDER, (ContentError,)
    ),
    Reader("key-pose", "pose.json", "json", contents(_pose), _read_pose, BLENDER),
    Reader("fit", "fit.json", "json", contents(lambda: json.dumps(POSES | CONTACTS).encode()), _read_fit, BLENDER),
)
