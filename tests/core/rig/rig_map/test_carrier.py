"""The bone that carries the body, on rigs whose hips only turn."""

from footfall.core.rig.rig_map import TranslationBone, bind_rig_map, parse_rig_map, shipped_rig_maps
from footfall.core.rig.rig_map.file import to_toml

TEXT = """
name = "Carried"
[roles]
hips = "pelvis"
spine = "waist"
[carrier]
bone = "torso"
joint = "spine"
"""


def test_it_is_read_and_written() -> None:
    rig_map = parse_rig_map(TEXT)
    assert rig_map.translation_bone == TranslationBone("torso", "spine")
    assert parse_rig_map(to_toml(rig_map)).translation_bone == rig_map.translation_bone


def test_it_takes_the_armatures_names_and_goes_where_its_bone_is_missing() -> None:
    rig_map = parse_rig_map(TEXT)
    assert bind_rig_map(rig_map, ("x:pelvis", "x:waist", "x:torso")).translation_bone == TranslationBone(
        "x:torso", "spine"
    )
    assert bind_rig_map(rig_map, ("pelvis", "waist")).translation_bone is None
    assert bind_rig_map(rig_map, ("pelvis", "torso")).translation_bone is None, "its place in the body is not known"


def test_rigifys_torso_carries_its_body_at_the_waist() -> None:
    assert shipped_rig_maps()["rigify"].translation_bone == TranslationBone("torso", "spine_2")
