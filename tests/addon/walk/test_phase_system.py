"""A walk of the system of local motion phases in Blender: along paths, over stairs, on rigs, and what is refused."""

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.walk.bake import WalkBake
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.rig.store import rig_map_of, store_rig_map
from footfall.blender_addon.scene.ground_tags import WALKABLE, set_tag
from footfall.core.motion import Clip
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.phase_statue import HAND, save_phase_statue
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_curve, add_plane

pytestmark = needs_clips

LINE = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)]
STEP_M = 0.15


@pytest.fixture(scope="module")
def phase_statue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a controller gated by local phases of the feet and the right hand, which glides in one pose."""
    file = tmp_path_factory.mktemp("phases") / "phase_statue.safetensors"
    save_phase_statue(WALK, file)
    return file


def add_character(file: Path) -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller="file", filepath=str(file)) == {"FINISHED"}
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", LINE)
    return armature


def baked(armature: bpy.types.Object) -> Clip:
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    return read_action(armature, armature.animation_data.action, bpy.context.scene)[0]


def add_stairs() -> None:
    """A floor, and two steps up to a landing half-way along the path."""
    set_tag(add_plane(20.0), WALKABLE)
    for number, begin in enumerate((1.6, 2.0), start=1):
        height = STEP_M * number
        middle = (begin / 2 + 3.0, 0.0, height / 2)
        set_tag(add_box(f"Step {number}", middle, (6.0 - begin, 3.0, height)), WALKABLE)
    bpy.context.view_layer.update()


@pytest.mark.every_blender
def test_it_bakes_along_a_path_like_any_other_controller(phase_statue: Path) -> None:
    armature = add_character(phase_statue)
    clip = baked(armature)
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    assert np.linalg.norm(hips[-1, :2] - LINE[-1][:2]) < 0.6
    assert np.abs(hips[:, 1]).max() < 0.3
    assert {segment.kind for segment in armature.animation_data.action.footfall.segments} >= {"CONTACT", "GAIT"}
    assert armature.footfall.quality_summary


def test_it_walks_up_steps(phase_statue: Path) -> None:
    add_stairs()
    clip = baked(add_character(phase_statue))
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    assert hips[-1, 2] - hips[0, 2] == pytest.approx(2 * STEP_M, abs=0.05)
    assert np.linalg.norm(hips[-1, :2] - LINE[-1][:2]) < 0.6


def test_its_responsiveness_is_the_character_s(phase_statue: Path) -> None:
    armature = add_character(phase_statue)
    armature.footfall.responsiveness = 1.0
    assert WalkBake(armature, bpy.context).walk.plan.responsiveness == 1.0


def test_a_rig_without_the_bone_of_a_sensor_is_refused_in_a_sentence(phase_statue: Path) -> None:
    armature = import_bvh(WALK)
    settings = armature.footfall
    settings.controller, settings.controller_file = "file", str(phase_statue)
    settings.path = add_curve("POLY", LINE)
    whole = rig_map_of(armature)
    store_rig_map(armature, replace(whole, bones={role: bone for role, bone in whole.bones.items() if role != HAND}))
    said = refusal_of(bpy.ops.footfall.bake_shot)
    assert f"needs {HAND}, but the rig has no bones for them" in said


def test_the_one_that_ships_is_in_the_list_and_walks_up_steps() -> None:
    add_stairs()
    bpy.ops.footfall.add_character(controller="preset:phase_system")
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", LINE)
    clip = baked(armature)
    hips, roles = clip.positions[:, clip.skeleton.joint("hips")], clip.skeleton.roles
    assert np.linalg.norm(hips[-1, :2] - LINE[-1][:2]) < 0.4
    feet = clip.positions[:, [roles["foot.L"], roles["foot.R"]], 2]
    assert feet[-1].min() - feet[0].min() == pytest.approx(2 * STEP_M, abs=0.03), "both feet are on the landing"
