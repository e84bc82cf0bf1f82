"""Rig maps: what they refuse, how well they match an armature, and how they take over its names."""

import pytest

from footfall.core.errors import FootfallError
from footfall.core.rig.rig_map import ControlSetting, IkFkSwitch, IkLimb, RigMap, bind_rig_map, match_share

LEG = {"hips": "Hips", "thigh.L": "LeftUpLeg", "shin.L": "LeftLeg", "foot.L": "LeftFoot"}
FOOT = IkLimb(
    "foot_ik",
    "knee_pole",
    "toe_ik",
    IkFkSwitch("leg_parent", "IK_FK", 0.0, 1.0),
    (ControlSetting("leg_parent", "pole", 1.0),),
)
MAP = RigMap("test", LEG, {"thigh.L": "thigh_fk"}, {"foot.L": FOOT})
NAMES = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "thigh_fk", "foot_ik", "knee_pole", "toe_ik", "leg_parent")


@pytest.mark.parametrize(
    ("bones", "controls", "limbs", "message"),
    [
        ({"hip": "Hips"}, {}, {}, "unknown body part"),
        ({"thigh": "Thigh"}, {}, {}, "unknown body part"),
        ({}, {"hip": "Hips"}, {}, "unknown body part"),
        ({}, {}, {"thigh.L": FOOT}, "only foot.L"),
        ({"hips": "Hips", "spine": "Hips"}, {}, {}, "two body parts, hips and spine"),
        ({"hips": "Hips"}, {"hips": "torso", "spine": "torso"}, {}, "control 'torso' for two body parts"),
    ],
)
def test_invalid_maps_are_refused(
    bones: dict[str, str], controls: dict[str, str], limbs: dict[str, IkLimb], message: str
) -> None:
    with pytest.raises(FootfallError, match=message):
        RigMap("test", bones, controls, limbs)


def test_the_keyed_bone_of_a_role() -> None:
    assert MAP.control("thigh.L") == "thigh_fk"
    assert MAP.control("shin.L") == "LeftLeg"


@pytest.mark.parametrize(
    ("names", "share"),
    [
        (NAMES, 1.0),
        (tuple(f"mixamorig:{name}" for name in NAMES), 1.0),
        (("Hips", "LeftUpLeg"), 0.5),
        (("Bone", "Bone.001"), 0.0),
        ((), 0.0),
    ],
)
def test_the_share_of_a_map_that_an_armature_has(names: tuple[str, ...], share: float) -> None:
    assert match_share(MAP, names) == share


def test_a_map_takes_the_armature_s_names() -> None:
    there = bind_rig_map(MAP, [f"char:{name}" for name in NAMES])
    assert there.bones == {role: f"char:{bone}" for role, bone in LEG.items()}
    assert there.controls == {"thigh.L": "char:thigh_fk"}
    limb = there.ik["foot.L"]
    assert (limb.control, limb.pole, limb.toe) == ("char:foot_ik", "char:knee_pole", "char:toe_ik")
    assert limb.switch == IkFkSwitch("char:leg_parent", "IK_FK", 0.0, 1.0)
    assert limb.settings == (ControlSetting("char:leg_parent", "pole", 1.0),)


def test_bones_missing_in_an_armature_are_omitted() -> None:
    there = bind_rig_map(MAP, ("Hips", "LeftLeg", "foot_ik", "thigh_fk"))
    assert there.bones == {"hips": "Hips", "shin.L": "LeftLeg"}
    assert there.controls == {}
    assert there.ik == {"foot.L": IkLimb("foot_ik")}
    assert bind_rig_map(MAP, ("Hips", "LeftLeg")).ik == {}
