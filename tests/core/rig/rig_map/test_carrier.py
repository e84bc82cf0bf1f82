"""The bone that carries the body, on rigs whose hips only turn."""

import pytest

from footfall.core.errors import FootfallError
from footfall.core.rig.rig_map import Carrier, RigMap, bound, parse, shipped
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
    rig_map = parse(TEXT)
    assert rig_map.carrier == Carrier("torso", "spine")
    assert parse(to_toml(rig_map)).carrier == rig_map.carrier


def test_it_takes_the_armatures_names_and_goes_where_its_bone_is_missing() -> None:
    rig_map = parse(TEXT)
    assert bound(rig_map, ("x:pelvis", "x:waist", "x:torso")).carrier == Carrier("x:torso", "spine")
    assert bound(rig_map, ("pelvis", "waist")).carrier is None
    assert bound(rig_map, ("pelvis", "torso")).carrier is None, "nobody knows where it is about the body"


def test_its_joint_is_one_of_the_map() -> None:
    with pytest.raises(FootfallError, match="'neck' on its carrier"):
        RigMap("test", {"hips": "pelvis"}, carrier=Carrier("torso", "neck"))
    with pytest.raises(FootfallError, match=r"\[carrier\] has no 'role'"):
        parse(TEXT + 'role = "hips"\n')


def test_rigifys_torso_carries_its_body_at_the_waist() -> None:
    assert shipped()["rigify"].carrier == Carrier("torso", "spine_2")
