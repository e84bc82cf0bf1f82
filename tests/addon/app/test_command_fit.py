"""The command ``fit-prop``."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from footfall.blender_addon.activities.interaction import object_fits
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import SIT, WALK, needs_clips
from footfall.tests.addon.support.command_call import called
from footfall.tests.addon.support.scenes import add_box

pytestmark = needs_clips


def fitted(*arguments: str) -> tuple[int, dict[str, Any]]:
    code, told, _ = called("fit-prop", *arguments)
    return code, told


def test_a_seat_is_fitted_moved_and_adapted_to(tmp_path: Path) -> None:
    actor, seat = import_bvh(SIT), add_box("Seat", (5, 5, 0.21), (0.5, 0.5, 0.42))
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "takes.blend"))
    whose = actor.name
    names = ("--prop", "Seat", "--armature", whose)
    code, told = fitted(*names, "--adapt")
    assert code == 1 and "select that armature" in told["errors"][0], told
    code, told = fitted(*names, "--interaction", "sit", "--save")
    (item,) = told["items"]
    assert code == 0 and "hips" in item["contacts"] and abs(item["height_above_floor_m"]) < 0.3, told
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "takes.blend"))
    actor, seat = bpy.data.objects[whose], bpy.data.objects["Seat"]
    assert np.linalg.norm(seat.matrix_world.translation) < 5 and set(item["contacts"]) == set(
        object_fits.contact_empties(seat)
    )
    seat.matrix_world = Matrix.Translation((0.0, 0.1, -0.05)) @ seat.matrix_world
    bpy.context.view_layer.update()
    code, told = fitted(*names, "--adapt")
    (item,) = told["items"]
    assert code == 0 and item["action"] == actor.animation_data.action.name and told["saved"] is None, told
    assert 0.08 < item["displacements_m"]["hips"] < 0.15 and item["jerk_ratio"] > 0 and item["frames"] > 100


def test_what_cannot_be_fitted_is_told() -> None:
    actor = import_bvh(WALK)
    add_box("Slab", (0, 0, 0), (3, 3, 0.05))
    bpy.context.view_layer.update()
    for thing, armature, words in (
        ("Slab", actor.name, "has no seat"),
        ("Nothing", actor.name, "no mesh 'Nothing'"),
        ("Slab", "Slab", "no armature 'Slab'"),
    ):
        code, told = fitted("--prop", thing, "--armature", armature, "--interaction", "sit")
        assert code == 1 and words in told["errors"][0] and told["items"][0]["status"] == "failed", told
    actor.animation_data_clear()
    code, told = fitted("--prop", "Slab", "--armature", actor.name, "--interaction", "sit")
    assert code == 1 and "has no action" in told["errors"][0]
