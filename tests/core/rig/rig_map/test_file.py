"""Rig maps as TOML files: what is read from them, what is refused, and that what is saved is read back."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.core.rig.rig_map import (
    ControlSetting,
    IkFkSwitch,
    IkLimb,
    RigMap,
    load_rig_map,
    parse_rig_map,
    roles,
    save_rig_map,
    shipped_rig_maps,
)
from footfall.core.rig.rig_map.file import MAX_BYTES, MAX_NAME_LENGTH, to_toml
from footfall.core.rig.rig_map.rig_map import IK_ROLES

SHORT = """
name = "Short"
sides = { L = "Left", R = "Right" }

[roles]
hips = "Hips"
spine = ["Spine", "Spine1"]
thigh = "{side}UpLeg"
forearm_twist = ["{side}Twist1", "{side}Twist2"]
"hand.R" = "Hook"

[controls]
thigh = "{side}Leg_fk"

[ik.foot]
control = "{side}Foot_ik"
pole = "{side}Knee"
switch = { bone = "{side}Leg", property = "IK_FK", ik = 0, fk = 1.0 }
settings = [{ bone = "{side}Leg", property = "pole", value = 1 }]

[ik."hand.R"]
control = "Hook_ik"
"""


def test_a_short_map_is_read() -> None:
    rig_map = parse_rig_map(SHORT)
    assert rig_map.name == "Short"
    assert rig_map.bones == {
        "hips": "Hips",
        "spine": "Spine",
        "spine_2": "Spine1",
        "thigh.L": "LeftUpLeg",
        "thigh.R": "RightUpLeg",
        "forearm_twist.L": "LeftTwist1",
        "forearm_twist.R": "RightTwist1",
        "forearm_twist_2.L": "LeftTwist2",
        "forearm_twist_2.R": "RightTwist2",
        "hand.R": "Hook",
    }
    assert rig_map.controls == {"thigh.L": "LeftLeg_fk", "thigh.R": "RightLeg_fk"}
    assert rig_map.ik["foot.L"] == IkLimb(
        "LeftFoot_ik",
        "LeftKnee",
        None,
        IkFkSwitch("LeftLeg", "IK_FK", 0.0, 1.0),
        (ControlSetting("LeftLeg", "pole", 1.0),),
    )
    assert rig_map.ik["hand.R"] == IkLimb("Hook_ik")
    assert set(rig_map.ik) == {"foot.L", "foot.R", "hand.R"}


HEAD = 'name = "x"\n[roles]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has a name and a table"),
        ('name = "x"', "has a name and a table"),
        ("[roles]", "has a name and a table"),
        ('name = ""\n[roles]', "name must be a name"),
        ('name = "  "\n[roles]', "name must be a name"),
        ("name = 1\n[roles]", "name must be a name"),
        (f'name = "{"x" * (MAX_NAME_LENGTH + 1)}"\n[roles]', "at most 255"),
        ('name = "x"\nroles = 1', "must be a table"),
        ('name = "x"\nroles = []', "must be a table"),
        ('name = "x"\nbones = 1\n[roles]', "cannot have the field 'bones'"),
        (HEAD + "hips = 1", "must be a name"),
        (HEAD + "hips = {}", "must be a name"),
        (HEAD + 'hips = "a\\nb"', "must be a name"),
        (HEAD + 'hip = "Hips"', "unknown body part"),
        (HEAD + 'hips = ["a", "b"]', "only spine, neck"),
        (HEAD + 'spine_2 = ["a", "b"]', "only spine, neck"),
        (HEAD + 'spine = ["a", 1]', "must be a name"),
        (HEAD + f"spine = {[str(n) for n in range(100)]}", "at most 99"),
        (HEAD + 'spine = ["a", "b"]\nspine_2 = "c"', "twice"),
        (HEAD + 'thigh = "{side}"\n"thigh.L" = "c"', "twice"),
        (HEAD + 'thigh = "Thigh"', "two sides, and in no other name"),
        (HEAD + '"thigh.L" = "{side}Thigh"', "two sides, and in no other name"),
        (HEAD + 'hips = "{side}Hips"', "two sides, and in no other name"),
        (HEAD + 'hips = "a"\nspine = "a"', "two body parts"),
        (HEAD + "[controls]\nhips = 1", "must be a name"),
        ('name = "x"\nsides = 1\n[roles]', "must be a table"),
        ('name = "x"\nsides = { M = "m" }\n[roles]', "cannot have the field 'M'"),
        ('name = "x"\nsides = { L = 1 }\n[roles]', "must be a name"),
        (HEAD + "[ik]\nfoot = 1", "must be a table"),
        (HEAD + "[ik.foot]", "has no control"),
        (HEAD + '[ik.knee]\ncontrol = "a"', "only foot.L"),
        (HEAD + '[ik.foot]\ncontrol = "a"\nknee = "b"', "cannot have the field 'knee'"),
        (HEAD + '[ik.foot]\ncontrol = "a"\nswitch = 1', "must be a table"),
        (HEAD + '[ik.foot]\ncontrol = "a"\nswitch = { bone = "b", property = "c", ik = 1, fk = 1 }', "same value"),
        (HEAD + '[ik.foot]\ncontrol = "a"\nswitch = { bone = "b", property = "c", ik = true, fk = 1 }', "a number"),
        (HEAD + '[ik.foot]\ncontrol = "a"\nswitch = { bone = "b", property = "c", ik = nan, fk = 1 }', "not finite"),
        (
            HEAD + f'[ik.foot]\ncontrol = "a"\nswitch = {{ bone = "b", property = "c", ik = 1{"0" * 400}, fk = 1 }}',
            "64 bits",
        ),
        (HEAD + '[ik.foot]\ncontrol = "a"\nswitch = { bone = "b", property = "c", fk = 1 }', "a number"),
        (HEAD + '[ik.foot]\ncontrol = "a"\nsettings = 1', "a list of tables"),
        (HEAD + '[ik.foot]\ncontrol = "a"\nsettings = [1]', "must be a table"),
        ("name = ", "not valid TOML"),
        ("\0", "not valid TOML"),
        ("x = " + "[" * 10_000, "not valid TOML"),
        ("x = " + "9" * 10_000, "not valid TOML"),
        ("x = 2026-02-31", "not valid TOML"),
    ],
)
def test_other_texts_are_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(FootfallError, match=message) as caught:
        parse_rig_map(text)
    assert "\n" not in str(caught.value).strip()


def test_files_are_refused_by_their_path(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    for content, message in [
        (b"\xff\xfe\x00", "UTF-8"),
        (b"name = 1", "has a name and a table"),
        (b"#" * (MAX_BYTES + 1), "larger than 1 MB"),
    ]:
        path.write_bytes(content)
        with pytest.raises(FootfallError, match=message) as caught:
            load_rig_map(path)
        assert str(path) in str(caught.value)
    with pytest.raises(FootfallError, match=r"The bone map '.*none\.toml' cannot be read: No such file"):
        load_rig_map(tmp_path / "none.toml")


@given(st.text(max_size=200) | st.tuples(st.just(SHORT), st.integers(0, len(SHORT)), st.text(max_size=3)))
def test_any_text_is_a_map_or_refused(text: str | tuple[str, int, str]) -> None:
    if not isinstance(text, str):
        whole, place, put = text
        text = whole[:place] + put + whole[place + len(put) :]
    with contextlib.suppress(FootfallError):
        assert isinstance(parse_rig_map(text), RigMap)


bone_name = st.text(min_size=1, max_size=20).filter(
    lambda name: name.strip() and name.isprintable() and "{side}" not in name
)
number = st.floats(-1e6, 1e6)
limb = st.builds(
    IkLimb,
    bone_name,
    st.none() | bone_name,
    st.none() | bone_name,
    st.none() | st.builds(IkFkSwitch, bone_name, bone_name, st.floats(-10, 0, exclude_max=True), st.floats(0, 10)),
    st.lists(st.builds(ControlSetting, bone_name, bone_name, number), max_size=3).map(tuple),
)
KNOWN = [
    *roles.CENTRAL_PARTS,
    *(roles.join_role(part, number) for part in roles.CHAIN_PARTS for number in (1, 2, 11)),
    *(roles.join_role(part, 1, side) for part in (*roles.SIDED_PARTS, *roles.TWIST_PARTS) for side in roles.SIDES),
]


def bones(names: list[str]) -> st.SearchStrategy[dict[str, str]]:
    some = st.lists(st.sampled_from(KNOWN), unique=True, max_size=len(names))
    return some.map(lambda chosen: dict(zip(chosen, names, strict=False)))


names = st.lists(bone_name, unique=True, max_size=12)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(bone_name, names.flatmap(bones), names.flatmap(bones), st.dictionaries(st.sampled_from(IK_ROLES), limb))
def test_saved_maps_are_read_back(
    name: str, bones: dict[str, str], controls: dict[str, str], limbs: dict[str, IkLimb]
) -> None:
    rig_map = RigMap(name, bones, controls, limbs)
    again = parse_rig_map(to_toml(rig_map))
    assert (again.name, again.bones, again.controls, again.ik) == (name, bones, controls, limbs)


def test_a_map_is_saved_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    save_rig_map(parse_rig_map(SHORT), path)
    assert load_rig_map(path).bones == parse_rig_map(SHORT).bones
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize(
    "rig_map",
    [
        RigMap("", {"hips": "Hips"}),
        RigMap("x", {"hips": ""}),
        RigMap("x", {"hips": "two\nlines"}),
        RigMap("x", {"hips": "x" * 300}),
        RigMap("x", {"hips": "{side}"}),
        RigMap("x", {"hips": "\ud800"}),
    ],
)
def test_a_map_that_could_not_be_read_back_is_not_saved(rig_map: RigMap, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    save_rig_map(parse_rig_map(SHORT), path)
    with pytest.raises(FootfallError):
        save_rig_map(rig_map, path)
    assert load_rig_map(path).name == "Short"


@pytest.mark.parametrize("stem", shipped_rig_maps())
def test_a_shipped_map_has_a_body_and_survives_saving(stem: str) -> None:
    rig_map = shipped_rig_maps()[stem]
    wanted = {"hips", "spine", *(f"{part}.{side}" for part in ("thigh", "shin") for side in "LR")}
    assert wanted <= set(rig_map.bones), wanted - set(rig_map.bones)
    again = parse_rig_map(to_toml(rig_map))
    assert (again.bones, again.controls, again.ik) == (rig_map.bones, rig_map.controls, rig_map.ik)
