"""While a ghost is shown, the character's own mesh is hidden; undo and saved files never lose it."""

from pathlib import Path

import bpy

from footfall.blender_addon.ui.hidden_bodies import HIDDEN_KEY
from footfall.blender_addon.ui.viewport_preview import ViewportPreview


def add_person() -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    return bpy.context.object


def test_a_preview_hides_the_mesh_of_its_character_alone() -> None:
    first, second = add_person(), add_person()
    preview = ViewportPreview()
    preview.hide_bodies(first.name)
    assert first.children[0].hide_get() and not second.children[0].hide_get() and not first.hide_get()
    preview.hide_bodies(second.name)
    assert second.children[0].hide_get() and not first.children[0].hide_get()
    preview.stop()
    assert not first.children[0].hide_get() and not second.children[0].hide_get()
    assert HIDDEN_KEY not in first.children[0] and HIDDEN_KEY not in second.children[0]


def test_what_the_user_hid_stays_hidden() -> None:
    armature = add_person()
    armature.children[0].hide_set(True)
    preview = ViewportPreview()
    preview.hide_bodies(armature.name)
    preview.stop()
    assert armature.children[0].hide_get()


def test_files_are_saved_with_visible_meshes(tmp_path: Path) -> None:
    armature = add_person()
    preview = ViewportPreview()
    preview.hide_bodies(armature.name)
    file = tmp_path / "previewed.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    assert armature.children[0].hide_get(), "the preview goes on"
    preview.stop()
    bpy.ops.wm.open_mainfile(filepath=str(file))
    (body,) = (obj for obj in bpy.data.objects if obj.type == "MESH")
    assert not body.hide_get() and HIDDEN_KEY not in body


def test_a_deleted_character_is_no_trouble() -> None:
    armature = add_person()
    preview = ViewportPreview()
    preview.hide_bodies(armature.name)
    body = armature.children[0]
    bpy.data.objects.remove(armature)
    preview.stop()
    assert not body.hide_get()
