"""Real armatures are guessed: Rigify's metarigs and generated rigs, and what Blender imports."""

import bpy
import numpy as np
import pytest

from footfall.core.rig.rig_guess import RigGuess, RigTree, guess_map
from footfall.core.rig.rig_map import RigMap, bind_rig_map, shipped_rig_maps
from footfall.tests.addon.support.clips import DATA


def tree_of(armature: bpy.types.Object, named: bool) -> RigTree:
    bones = list(armature.data.bones)
    index = {bone.name: place for place, bone in enumerate(bones)}
    names = tuple(index) if named else tuple(f"Bone.{place:03}" for place in range(len(bones)))
    parents = tuple(index[bone.parent.name] if bone.parent else -1 for bone in bones)
    heads, tails = (
        np.array([armature.matrix_world @ getattr(bone, end) for bone in bones]) for end in ("head_local", "tail_local")
    )
    return RigTree(names, parents, heads, tails, np.array([bone.use_deform for bone in bones]))


def unnamed(armature: bpy.types.Object) -> dict[str, str]:
    """The roles found by shape alone, to the bones' real names."""
    names = [bone.name for bone in armature.data.bones]
    guess = guess_map(tree_of(armature, named=False), {})
    return {role: names[int(bone.removeprefix("Bone."))] for role, bone in guess.rig_map.bones.items()}


def metarig(kind: str) -> bpy.types.Object:
    bpy.ops.preferences.addon_enable(module="rigify")
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    return bpy.context.object


def shown_by_shape(truth: RigMap) -> dict[str, str]:
    """The roles that a shape shows: eyes are known by their names alone."""
    return {role: bone for role, bone in truth.bones.items() if role not in ("eye.L", "eye.R")}


def right(found: dict[str, str], truth: RigMap) -> float:
    wanted = shown_by_shape(truth)
    return float(np.mean([found.get(role, "").replace("DEF-", "ORG-") == bone for role, bone in wanted.items()]))


def guessed(armature: bpy.types.Object) -> RigGuess:
    return guess_map(tree_of(armature, named=True))


@pytest.mark.parametrize(
    ("kind", "stem"),
    (
        ("basic_human", "rigify_metarig"),
        ("human", "rigify_metarig"),
        ("basic_quadruped", "rigify_quadruped_metarig"),
    ),
)
def test_metarigs(kind: str, stem: str) -> None:
    armature = metarig(kind)
    truth = bind_rig_map(shipped_rig_maps()[stem], [bone.name for bone in armature.data.bones])
    assert guessed(armature).preset == stem, kind
    assert guessed(armature).rig_map.bones == truth.bones, kind
    found = unnamed(armature)
    wrong = {role: found.get(role) for role, bone in shown_by_shape(truth).items() if found.get(role) != bone}
    assert not wrong, (kind, wrong)


@pytest.mark.parametrize(("kind", "stem"), (("basic_human", "rigify"), ("basic_quadruped", "rigify_quadruped")))
def test_generated_rigs(kind: str, stem: str) -> None:
    before = metarig(kind)
    bpy.ops.pose.rigify_generate()
    armature = next(other for other in bpy.data.objects if other.type == "ARMATURE" and other != before)
    truth = shipped_rig_maps()[stem]
    guess = guessed(armature)
    assert guess.preset == stem and guess.rig_map.bones == truth.bones
    assert guess.rig_map.controls == truth.controls and guess.rig_map.ik == truth.ik
    assert guess.rig_map.translation_bone == truth.translation_bone
    assert right(unnamed(armature), truth) >= (1.0 if stem == "rigify" else 0.6), unnamed(armature)


CAT = pytest.param("cat", marks=pytest.mark.all_only("a horse's rig is generated, which takes less"))


@pytest.mark.parametrize("kind", ("horse", CAT))
def test_rigifys_other_animals(kind: str) -> None:
    before = metarig(kind)
    truth = bind_rig_map(shipped_rig_maps()[f"rigify_{kind}_metarig"], [bone.name for bone in before.data.bones])
    assert guessed(before).preset == f"rigify_{kind}_metarig" and guessed(before).rig_map.bones == truth.bones | {
        role: bone for role, bone in guessed(before).rig_map.bones.items() if role.startswith("eye")
    }
    bpy.ops.pose.rigify_generate()
    armature = next(other for other in bpy.data.objects if other.type == "ARMATURE" and other != before)
    guess, truth = guessed(armature), shipped_rig_maps()[f"rigify_{kind}"]
    assert guess.preset == f"rigify_{kind}" and set(truth.bones.items()) <= set(guess.rig_map.bones.items())
    controls = {*truth.controls.values(), *(limb.control for limb in truth.ik.values()), truth.translation_bone.bone}
    assert controls <= set(armature.data.bones.keys())


@pytest.mark.parametrize(
    ("file", "stem", "least"),
    (
        ("mocap/kaykit_cc0/source/Knight.glb", "kaykit", 1.0),
        ("mocap/cmu_ccbase/walk/06_01.bvh", "ccbase", 1.0),
        ("mocap/cmu_asfamc/walk/35_01.bvh", "cmu_asf", 0.8),
        ("mocap/animated_drawings/idle/wave_hello.bvh", "animated_drawings", 1.0),
    ),
)
def test_imported_files(file: str, stem: str, least: float) -> None:
    if not (DATA / file).is_file():
        pytest.skip(f"needs the shared data's {file}")
    if file.endswith("glb"):
        bpy.ops.import_scene.gltf(filepath=str(DATA / file))
    else:
        bpy.ops.import_anim.bvh(filepath=str(DATA / file))
    armature = next(other for other in bpy.data.objects if other.type == "ARMATURE")
    truth = bind_rig_map(shipped_rig_maps()[stem], [bone.name for bone in armature.data.bones])
    assert guessed(armature).preset == stem, file
    assert right(unnamed(armature), truth) >= least, (file, unnamed(armature))
