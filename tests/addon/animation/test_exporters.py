"""Bakes go out through Blender's own exporters, come back in, and every joint is where it was."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.benchmarks.scripted_rigs import RIGS
from footfall.tests.addon.support.empty_blender import empty_blender
from footfall.tests.addon.support.scenes import add_curve

NEAR = 0.2
"""Millimeters within which a joint is where it was."""
TURNED = 0.06
"""Degrees by which an empty's direction may be off: FBX keeps angles that are exact to 0.02 near a quarter turn."""
BENT = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.5, 0.6, 0.0)]


def own_character() -> bpy.types.Object:
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    return bpy.context.object


MAKERS: dict[str, Callable[[], bpy.types.Object]] = {
    "Footfall's character": own_character,
    "a rig with IK": RIGS["auto_rig_pro"],
}


class Baked:
    """A walk of three seconds on a new character, alone selected with its body, and where its joints are."""

    def __init__(self, kind: str) -> None:
        scene = bpy.context.scene
        scene.render.fps, scene.frame_start, scene.frame_end = 30, 1, 1
        armature = MAKERS[kind]()
        armature.footfall.controller, armature.footfall.path = "preset:locomotion", add_curve("POLY", BENT)
        assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
        assert bpy.ops.footfall.add_root_empty() == {"FINISHED"}
        root = next(thing for thing in bpy.data.objects if thing.get("footfall_root_of") == armature)
        self.frames, self.root = range(1, scene.frame_end + 1), root.name
        self.names = [bone.name for bone in armature.pose.bones]
        self.heads, self.roots = heads(armature, self.frames), matrices(root, self.frames)
        bpy.ops.object.select_all(action="DESELECT")
        for thing in (armature, root, *armature.children):
            thing.select_set(True)
        bpy.context.view_layer.objects.active = armature

    def empty_scene(self) -> None:
        """Another file at the same rate."""
        empty_blender()
        bpy.context.scene.render.fps = 30

    def error(self) -> float:
        """The largest distance of a joint of the imported armature from where it was, over all frames, millimeters."""
        armature = max(
            (thing for thing in bpy.data.objects if thing.type == "ARMATURE"), key=lambda one: len(one.data.bones)
        )
        index = {plain(bone.name): number for number, bone in enumerate(armature.pose.bones)}
        missing = [name for name in self.names if plain(name) not in index]
        assert not missing, missing
        found = heads(armature, self.frames)[:, [index[plain(name)] for name in self.names]]
        return 1000 * float(np.linalg.norm(found - self.heads, axis=-1).max())

    def root_errors(self) -> tuple[float, float]:
        """The distance of the root empty from where it was, millimeters, and its turn from its rotation, degrees."""
        empty = next(thing for thing in bpy.data.objects if plain(thing.name) == plain(self.root))
        off = np.linalg.norm(matrices(empty, self.frames)[:, :3] - self.roots[:, :3], axis=1).max(axis=0)
        return 1000 * float(off[3]), float(np.degrees(off[:3].max()))


def heads(armature: bpy.types.Object, frames: range) -> np.ndarray:
    """World positions of all bones' heads (F, B, 3), meters, as Blender evaluates them."""
    result = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        result.append([tuple(seen.matrix_world @ bone.head) for bone in seen.pose.bones])
    return np.array(result)


def matrices(thing: bpy.types.Object, frames: range) -> np.ndarray:
    """World matrices (F, 4, 4) of an object."""
    result = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        result.append(np.array(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world))
    return np.array(result)


def plain(name: str) -> str:
    """A name as formats leave it that know letters, digits and underlines only."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def has(module: str, operator: str) -> bool:
    return operator in dir(getattr(bpy.ops, module))


def need(*operators: str) -> None:
    """Skip the test where this Blender lacks one of the operators, such as `wm.usd_export`."""
    for name in operators:
        if not has(*name.split(".")):
            pytest.skip(f"this Blender has no bpy.ops.{name}")


def survives(
    baked: Baked,
    file: Path,
    write: Callable[[str, Baked], object],
    *readers: Callable[[str], object],
    root: bool = True,
) -> None:
    """Fail where a walk does not come back as it went, by each of some importers."""
    write(str(file), baked)
    for read in readers:
        baked.empty_scene()
        read(str(file))
        off, (root_off, turned) = baked.error(), baked.root_errors() if root else (0.0, 0.0)
        said = f"joints {off:.4f} mm, root {root_off:.4f} mm, {turned:.4f} degrees"
        print(f"{file.name}, Blender {bpy.app.version_string}: {said}")
        assert off < NEAR and root_off < NEAR and turned < TURNED, said


of_each_character = pytest.mark.parametrize("kind", MAKERS)


def write_fbx(file: str, _baked: Baked, simplify: float = 0.0) -> None:
    bpy.ops.export_scene.fbx(
        filepath=file,
        use_selection=True,
        object_types={"ARMATURE", "MESH", "EMPTY"},
        add_leaf_bones=False,
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=False,
        bake_anim_simplify_factor=simplify,
    )


@of_each_character
def test_fbx(kind: str, tmp_path: Path) -> None:
    need("export_scene.fbx")
    importers = [("wm", "fbx_import"), ("import_scene", "fbx")]
    readers = [getattr(getattr(bpy.ops, module), name) for module, name in importers if has(module, name)]
    survives(
        Baked(kind),
        tmp_path / "walk.fbx",
        write_fbx,
        *(lambda file, read=read: read(filepath=file, anim_offset=0.0) for read in readers),
    )


def test_fbx_that_simplifies_moves_feet(tmp_path: Path) -> None:
    need("export_scene.fbx", "import_scene.fbx")
    baked, file = Baked("Footfall's character"), str(tmp_path / "simple.fbx")
    write_fbx(file, baked, simplify=1.0)
    baked.empty_scene()
    bpy.ops.import_scene.fbx(filepath=file, anim_offset=0.0)
    off = baked.error()
    print(f"simple.fbx (Simplify 1.0), Blender {bpy.app.version_string}: joints {off:.2f} mm")
    assert off > 1.0, "the manual says so"


@of_each_character
def test_gltf(kind: str, tmp_path: Path) -> None:
    need("export_scene.gltf", "import_scene.gltf")

    def write(file: str, _baked: Baked) -> None:
        bpy.ops.export_scene.gltf(
            filepath=file,
            use_selection=True,
            export_animation_mode="ACTIVE_ACTIONS",
            export_force_sampling=True,
            export_optimize_animation_size=False,
        )

    survives(Baked(kind), tmp_path / "walk.glb", write, lambda file: bpy.ops.import_scene.gltf(filepath=file))


def write_usd(file: str, _baked: Baked) -> None:
    bpy.ops.wm.usd_export(
        filepath=file, selected_objects_only=True, export_animation=True, export_custom_properties=True
    )


@of_each_character
def test_usd(kind: str, tmp_path: Path) -> None:
    need("wm.usd_export", "wm.usd_import")
    survives(Baked(kind), tmp_path / "walk.usdc", write_usd, lambda file: bpy.ops.wm.usd_import(filepath=file))


def test_contacts_go_along_in_usd(tmp_path: Path) -> None:
    need("wm.usd_export")
    file = tmp_path / "walk.usda"
    write_usd(str(file), Baked("Footfall's character"))
    text = file.read_text(encoding="utf-8")
    for name in ("footfall_foot_contact_L", "footfall_foot_contact_R", "footfall_contact_toe_R", "footfall_phase"):
        assert f"userProperties:{name}.timeSamples" in text, name


@of_each_character
def test_bvh(kind: str, tmp_path: Path) -> None:
    need("export_anim.bvh", "import_anim.bvh")

    def write(file: str, baked: Baked) -> None:
        bpy.ops.export_anim.bvh(filepath=file, frame_start=baked.frames[0], frame_end=baked.frames[-1])

    def read(file: str) -> None:
        bpy.ops.import_anim.bvh(filepath=file, axis_forward="Y", axis_up="Z")

    survives(Baked(kind), tmp_path / "walk.bvh", write, read, root=False)
