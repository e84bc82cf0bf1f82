"""The rig map in its panel: guess, edit, presets, check, calibrate, what is drawn."""

from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from footfall.blender_addon.rig import (
    operators,
    preset_operators,
    presets,
    roles,
    store,
)
from footfall.blender_addon.rig import (
    panel as panel_rig,
)
from footfall.blender_addon.rig.character import add_character
from footfall.core.retarget.calibration import MAX_LIMB_RESIDUAL_DEG
from footfall.core.rig.rig_map import shipped_rig_maps
from footfall.tests.addon.support.armatures import make_armature
from footfall.tests.addon.support.cmu_person import cmu_person
from footfall.tests.addon.support.refusals import refusal_of, refused

ICONS = {item.identifier for item in bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items}

Guessed = tuple[bpy.types.Object, bpy.types.PropertyGroup]
"""An armature, and its rig map."""


class Layout:
    """Accepts what ``UILayout`` accepts and writes down what a user would see."""

    def __init__(self, seen: list[str] | None = None) -> None:
        self.seen: list[str] = [] if seen is None else seen

    def inner(self, align: bool = False) -> "Layout":
        return Layout(self.seen)

    row = column = box = inner

    def split(self, factor: float, align: bool = False) -> "Layout":
        assert 0.0 < factor < 1.0
        return self.inner()

    def separator(self, factor: float = 1.0) -> None:
        pass

    def label(self, text: str = "", icon: str = "NONE", translate: bool = True) -> None:
        assert icon in ICONS, icon
        self.seen.append(text)

    def prop(self, data, name: str, text: str | None = None, icon: str = "NONE", **switches: bool) -> None:
        assert name in data.bl_rna.properties, f"{data} has no {name}"
        assert icon in ICONS, icon
        assert switches.keys() <= {"expand", "toggle", "emboss"}
        self.seen.append(f"<{name}>")

    def prop_search(self, data, name: str, owner, collection: str, text: str | None = None) -> None:
        getattr(owner, collection)
        self.prop(data, name)

    def operator(self, name: str, text: str | None = None, icon: str = "NONE", emboss: bool = True):
        assert icon in ICONS, icon
        kind = getattr(bpy.ops.footfall, name.removeprefix("footfall.")).get_rna_type()
        self.seen.append(f"[{kind.name if text is None else text}]")
        return SimpleNamespace(**dict.fromkeys(kind.properties.keys()))

    def operator_menu_enum(self, name: str, choice: str, text: str | None = None, icon: str = "NONE") -> None:
        assert choice in vars(self.operator(name, icon=icon))

    def menu(self, name: str, text: str) -> None:
        assert hasattr(bpy.types, name)
        self.seen.append(f"{{{text}}}")

    def template_list(
        self, kind: str, _identifier: str, data, items: str, active_data, active: str, rows: int, maxrows: int
    ) -> None:
        assert hasattr(bpy.types, kind) and active in active_data.bl_rna.properties and 0 < rows <= maxrows
        for item in getattr(data, items):
            getattr(panel_rig, kind).draw_item(None, bpy.context, self, data, item, 0, active_data, active)


def drawn(panel: type) -> list[str]:
    layout = Layout()
    panel.draw(SimpleNamespace(layout=layout), bpy.context)
    return layout.seen


def listed(rig) -> list[str]:
    """The roles that the list shows."""
    listing = SimpleNamespace(filter_name="", bitflag_filter_item=1)
    shown, _ = panel_rig.FOOTFALL_UL_rig_roles.filter_items(listing, bpy.context, rig, "roles")
    return [row.name for row, flag in zip(rig.roles, shown, strict=True) if flag]


def person(name: str = "Person") -> bpy.types.Object:
    """A character whose bones have CMU's names."""
    return add_character(bpy.context, cmu_person(), name)


@pytest.fixture
def guessed() -> Guessed:
    armature = person()
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    return armature, armature.footfall.rig


def rename(armature: bpy.types.Object, old: str, new: str) -> None:
    armature.data.bones[old].name = new


def test_without_an_armature_the_panel_says_so() -> None:
    assert "Select an armature" in drawn(panel_rig.FOOTFALL_PT_rig)
    assert not bpy.ops.footfall.guess_rig.poll() and not bpy.ops.footfall.check_rig.poll()


def test_a_guess_is_listed_limb_by_limb_and_fits(guessed: Guessed) -> None:
    armature, rig = guessed
    names = [row.name for row in rig.roles]
    assert names[0] == "hips" and names.index("shoulder.L") < names.index("hand.L") < names.index("shoulder.R")
    assert names.index("hand.R") < names.index("thigh.L") and names == roles.sort_by_body(names)
    assert rig.roles["forearm.L"].bone == "lradius" and rig.roles["thigh.R"].bone == "rfemur"
    assert rig.check_passed and rig.check_result.startswith("Aligned"), rig.check_result
    assert 0 <= rig.roles["shin.L"].alignment_error < MAX_LIMB_RESIDUAL_DEG
    seen = drawn(panel_rig.FOOTFALL_PT_rig)
    assert "Forearm L" in seen and f"{{{rig.title}}}" in seen and "[Detect Again]" in seen and "0°" in seen
    rig.list_filter = "ISSUES"
    assert "No issues found" in drawn(panel_rig.FOOTFALL_PT_rig) and not listed(rig)
    rig_map = store.rig_map_of(armature)
    body = store.mapped_skeleton(armature, rig_map)
    assert body.names[body.joint("hips")] == "hips" and 0.5 < body.leg_length < 1.2


def test_without_a_stored_map_the_guess_is_taken() -> None:
    armature = person()
    assert not store.has_bone_map(armature)
    assert store.rig_map_of(armature).bones["hips"] == "hips"
    bpy.ops.object.armature_add()
    assert "No body was found" in refused(store.rig_map_of, bpy.context.object), "one bone makes no body"
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    rig = bpy.context.object.footfall.rig
    assert {"hips", "thigh.L", "hand.R"} <= {row.name for row in rig.roles} and not any(row.bone for row in rig.roles)
    assert rig.check_result == "Choose a bone for the hips. 6 other body parts have issues"
    rig.roles["hips"].bone = "Bone"
    assert rig.check_result == "Choose a bone for the left thigh. 5 other body parts have issues"


def test_small_bipeds_are_guessed_and_drawn() -> None:
    armature = make_armature(below="master")
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    rig = armature.footfall.rig
    for part in ("thigh", "shin", "foot"):
        for side in "LR":
            assert rig.roles[f"{part}.{side}"].bone == f"{part}.{side}"
    assert rig.roles["hips"].bone == "hips"
    assert rig.roles["upper_arm.L"].bone == "" and rig.roles["upper_arm.L"].alignment_error < 0
    rig.list_filter = "ISSUES"
    assert not [role for role in listed(rig) if role.startswith("upper_arm")], "it has no arms, and needs none"
    assert "Upper Arm L" in drawn(panel_rig.FOOTFALL_PT_rig)


def test_a_chosen_bone_leaves_the_role_that_it_had(guessed: Guessed) -> None:
    _, rig = guessed
    rig.roles["forearm.L"].bone = "rradius"
    assert rig.roles["forearm.R"].bone == "" and rig.roles["forearm.R"].confidence == 0
    assert rig.roles["forearm.L"].is_manual and rig.roles["forearm.L"].confidence == 1
    rig.roles["forearm.L"].control = "lradius"
    rig.roles["hand.L"].control = "lradius"
    assert rig.roles["forearm.L"].control == "" and rig.roles["forearm.L"].bone == "rradius"
    rig.roles["hand.L"].control = rig.roles["hand.L"].bone
    assert rig.roles["hand.L"].control == "", "a bone is its own control"


def test_what_was_chosen_outlives_another_guess(guessed: Guessed) -> None:
    _, rig = guessed
    before = rig.roles["toe.L"].bone
    rig.roles["toe.L"].bone = "lthumb"
    bpy.ops.footfall.guess_rig()
    assert rig.roles["toe.L"].bone == "lthumb" and rig.roles["toe.L"].is_manual
    bpy.ops.footfall.clear_rig()
    assert not rig.roles and not rig.title
    bpy.ops.footfall.guess_rig()
    assert rig.roles["toe.L"].bone == before and not rig.roles["toe.L"].is_manual


def test_the_active_bone_is_picked(guessed: Guessed) -> None:
    armature, rig = guessed
    armature.data.bones.active = armature.data.bones["lthumb"]
    rig.active_role = rig.roles.find("toe.L")
    assert bpy.ops.footfall.use_active_bone() == {"FINISHED"}
    assert rig.roles["toe.L"].bone == "lthumb"
    assert bpy.ops.footfall.use_active_bone(role="hips", slot="CONTROL") == {"FINISHED"}
    assert rig.roles["hips"].control == "lthumb"
    assert "This rig has no body part 'tentacle'" in refusal_of(
        lambda: bpy.ops.footfall.use_active_bone(role="tentacle")
    )


def test_parts_are_added_in_their_place(guessed: Guessed) -> None:
    _, rig = guessed
    context = bpy.context
    assert {"root", "tail", "thigh_twist.L"} <= {item[0] for item in operators.addable_role_items(None, context)}
    assert bpy.ops.footfall.add_rig_role(role="thigh_twist.L") == {"FINISHED"}
    names = [row.name for row in rig.roles]
    assert names[names.index("thigh.L") + 1] == "thigh_twist.L" and names[rig.active_role] == "thigh_twist.L"


def test_bones_that_are_gone_are_told(guessed: Guessed) -> None:
    armature, rig = guessed
    rename(armature, "lhand", "paw")
    seen = " ".join(drawn(panel_rig.FOOTFALL_PT_rig))
    assert "The bone 'lhand' was deleted or renamed: choose another bone, or press Detect Again" in seen, seen
    assert "Fits" not in seen
    assert "hand.L" not in store.rig_map_of(armature).bones
    rig.list_filter = "ISSUES"
    assert listed(rig) == ["hand.L"]
    rename(armature, "lfemur", "stilt")
    assert "no longer has the bone 'lfemur' for the left thigh" in refused(store.rig_map_of, armature)
    assert "lfemur" in refusal_of(lambda: bpy.ops.footfall.check_rig())
    rig.roles["thigh.L"].bone = "stilt"
    assert store.rig_map_of(armature).bones["thigh.L"] == "stilt" and rig.check_passed, rig.check_result


def test_presets_go_to_another_armature(guessed: Guessed) -> None:
    _, rig = guessed
    assert "cannot be changed" in refused(presets.remove, "shipped:mixamo")
    rig.roles["toe.L"].bone = "lthumb"
    rig.roles["hips"].control = "rthumb"
    assert bpy.ops.footfall.save_rig_preset(name="My Studio") == {"FINISHED"}
    file = presets.user_presets_folder() / "My_Studio.toml"
    assert file.is_file() and rig.title == "My Studio" and rig.preset == "own:My_Studio"
    other = person("Other")
    for bone in other.data.bones:
        bone.name = f"crowd7:{bone.name}"
    assert bpy.ops.footfall.load_rig_preset(preset="own:My_Studio") == {"FINISHED"}
    mine = other.footfall.rig
    assert mine.roles["toe.L"].bone == "crowd7:lthumb" and mine.roles["hips"].control == "crowd7:rthumb"
    assert mine.title == "My Studio" and mine.check_result
    layout = Layout()
    preset_operators.FOOTFALL_MT_rig_presets.draw(SimpleNamespace(layout=layout), bpy.context)
    assert layout.seen[-1] == "[My Studio]" and "[Mixamo]" in layout.seen
    assert len(layout.seen) == len(shipped_rig_maps()) + 1
    assert bpy.ops.footfall.remove_rig_preset() == {"FINISHED"} and not file.exists() and mine.roles
    assert not bpy.ops.footfall.remove_rig_preset.poll()
    assert "cannot be read" in refusal_of(lambda: bpy.ops.footfall.load_rig_preset(preset="own:My_Studio"))
    assert "cannot be changed" in refusal_of(lambda: bpy.ops.footfall.load_rig_preset(preset="own:../x"))
    assert "The rig preset has no name: enter one" in refusal_of(lambda: bpy.ops.footfall.save_rig_preset(name="  "))


def test_a_preset_that_does_not_fit_is_refused(guessed: Guessed) -> None:
    armature, rig = guessed
    before = {row.name: row.bone for row in rig.roles}
    said = refusal_of(lambda: bpy.ops.footfall.load_rig_preset(preset="shipped:mixamo"))
    assert f"'Mixamo' does not fit: the armature '{armature.name}' has only" in said, said
    assert {row.name: row.bone for row in rig.roles} == before


def test_a_damaged_preset_is_one_sentence(guessed: Guessed) -> None:
    presets.user_presets_folder().mkdir(parents=True, exist_ok=True)
    (presets.user_presets_folder() / "Bad.toml").write_text("name = ", encoding="utf-8")
    assert "not valid TOML" in refusal_of(lambda: bpy.ops.footfall.load_rig_preset(preset="own:Bad"))


def test_every_step_is_undone_by_one_undo(guessed: Guessed) -> None:
    armature, rig = guessed
    rig.roles["toe.L"].bone = "lthumb"
    name = armature.name
    for step in (
        lambda: bpy.ops.footfall.clear_rig("EXEC_DEFAULT", True),
        lambda: bpy.ops.footfall.load_rig_preset("EXEC_DEFAULT", True, preset="shipped:cmu_asf"),
        lambda: bpy.ops.footfall.use_active_bone("EXEC_DEFAULT", True, role="hips", slot="CONTROL"),
        lambda: bpy.ops.footfall.save_rig_preset("EXEC_DEFAULT", True, name="Once"),
    ):
        bones = bpy.data.objects[name].data.bones
        bones.active = bones["lthumb"]
        bpy.ops.ed.undo_push(message="before")
        before = state(bpy.data.objects[name])
        assert step() == {"FINISHED"} and state(bpy.data.objects[name]) != before
        bpy.ops.ed.undo()
        assert state(bpy.data.objects[name]) == before


def state(armature: bpy.types.Object) -> list[tuple]:
    rig = armature.footfall.rig
    return [
        (rig.title, rig.preset),
        *((row.name, row.bone, row.control, row.is_manual) for row in rig.roles if row.name),
    ]


def test_a_linked_armature_says_what_to_do(guessed: Guessed, tmp_path: Path) -> None:
    armature, _ = guessed
    file = tmp_path / "library.blend"
    bpy.data.libraries.write(str(file), {armature})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(file), link=True) as (_, wanted):
        wanted.objects = ["Person"]
    linked = bpy.data.objects["Person"]
    bpy.context.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    assert not bpy.ops.footfall.guess_rig.poll()
    assert "library override" in (operators.FOOTFALL_OT_guess_rig.why_not(bpy.context) or "")
    seen = drawn(panel_rig.FOOTFALL_PT_rig)
    assert "Forearm L" in seen, "it can be looked at"
    assert "make a library override first" in " ".join(seen)
    assert store.rig_map_of(linked).bones["hips"] == "hips"


@pytest.mark.parametrize("mapped", (False, True))
def test_an_override_keeps_its_own_map(mapped: bool, tmp_path: Path) -> None:
    armature = person()
    if mapped:
        bpy.ops.footfall.guess_rig()
        assert bpy.ops.footfall.add_rig_role(role="root") == {"FINISHED"}
    folder = tmp_path
    bpy.data.libraries.write(str(folder / "library.blend"), {armature})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(folder / "library.blend"), link=True) as (_, wanted):
        wanted.objects = ["Person"]
    linked = bpy.data.objects["Person"]
    bpy.context.collection.objects.link(linked)
    mine = linked.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    bpy.context.view_layer.objects.active = mine
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    mine.footfall.rig.roles["toe.L"].bone = "lthumb"
    mine.footfall.rig.reference_pose = "REST"
    before = state(mine)
    counts = []
    for _ in range(3):
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(folder / "shot.blend"))
        mine = next(thing for thing in bpy.data.objects if thing.override_library and thing.type == "ARMATURE")
        counts.append(len(mine.footfall.rig.roles))
    assert counts[-1] == counts[-2], f"rows are added without end: {counts}"
    assert state(mine) == before and mine.footfall.rig.reference_pose == "REST", mapped
    assert store.rig_map_of(mine).bones["toe.L"] == "lthumb"
    bpy.context.view_layer.objects.active = mine
    assert bpy.ops.footfall.clear_rig() == {"FINISHED"} and not store.has_bone_map(mine)
    assert "[Detect Bones]" in drawn(panel_rig.FOOTFALL_PT_rig)


def test_ik_controls_of_rigify_are_listed() -> None:
    armature = person()
    names = shipped_rig_maps()["rigify"]
    bpy.ops.object.mode_set(mode="EDIT")
    wanted = {*names.bones.values(), *names.controls.values()}
    for limb in names.ik.values():
        wanted |= {limb.control, limb.pole or "root", limb.toe or "root", limb.switch.bone if limb.switch else "root"}
    for name in wanted:
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.footfall.load_rig_preset(preset="shipped:rigify") == {"FINISHED"}
    rig = armature.footfall.rig
    assert rig.limbs["foot.L"].pole == "thigh_ik_target.L" and rig.limbs["hand.R"].switch_property == "IK_FK"
    assert rig.limbs["foot.L"].settings[0].property_name == "pole_vector"
    assert panel_rig.FOOTFALL_PT_rig_ik.poll(bpy.context)
    seen = drawn(panel_rig.FOOTFALL_PT_rig_ik)
    assert "Left Foot" in seen and seen.count("<toe>") == 2 and "<switch_property>" in seen
    back = store.stored_map(armature)
    assert dict(back.bones) == dict(names.bones) and dict(back.controls) == dict(names.controls)
    assert dict(back.ik) == dict(names.ik)
    assert bpy.ops.footfall.remove_ik_limb(limb="hand.L") == {"FINISHED"}
    assert set(store.rig_map_of(armature).ik) == {"foot.L", "foot.R", "hand.R"}
    assert "has no IK controls" in refusal_of(lambda: bpy.ops.footfall.remove_ik_limb(limb="hand.L"))
    assert bpy.ops.footfall.add_ik_limb(limb="hand.L") == {"FINISHED"}
    assert "hand.L" not in store.rig_map_of(armature).ik, "it has no control yet"
    rig.limbs["hand.L"].control = "hand_ik.L"
    assert store.rig_map_of(armature).ik["hand.L"].switch is None
    rename(armature, "thigh_ik_target.L", "knee")
    assert "thigh_ik_target.L" in " ".join(drawn(panel_rig.FOOTFALL_PT_rig))
    assert store.rig_map_of(armature).ik["foot.L"].pole is None
