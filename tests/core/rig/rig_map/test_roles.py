"""Roles: taken apart and put together, ordered from the hips outwards, hanging together without their bones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.motion.roles import FINGER_ROLES
from footfall.core.rig.rig_map import roles

ALL = [
    *roles.CENTRAL_PARTS,
    *(roles.join_role(part, number) for part in roles.CHAIN_PARTS for number in (1, 2, 3, 10, 99)),
    *(roles.join_role(part, 1, side) for part in roles.SIDED_PARTS for side in roles.SIDES),
    *(roles.join_role(part, number, side) for part in roles.TWIST_PARTS for number in (1, 2) for side in roles.SIDES),
    *FINGER_ROLES,
]
some_roles = st.sets(st.sampled_from(ALL), min_size=1)


@pytest.mark.parametrize("role", ALL)
def test_a_role_is_its_parts(role: str) -> None:
    assert roles.is_role(role)
    assert roles.join_role(*roles.split_role(role)) == role


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hip",
        "Hips",
        "hips.L",
        "hips_2",
        "root_2",
        "spine_0",
        "spine_1",
        "spine_02",
        "spine_100",
        "spine.L",
        "thigh",
        "thigh_2.L",
        "thigh.l",
        "thigh.L ",
        "thigh.LR",
        "forearm_twist",
        "hand_twist.L",
        "index",
        "index_4.L",
        "fingers_2.R",
        "spine_2_3",
        "spine\n",
    ],
)
def test_texts_that_are_no_roles(text: str) -> None:
    assert not roles.is_role(text)


@given(some_roles)
def test_every_role_comes_after_the_one_that_it_hangs_on(present: set[str]) -> None:
    ordered = roles.sort_roles(present)
    assert set(ordered) == present and len(ordered) == len(present)
    for place, role in enumerate(ordered):
        carrier = roles.parent_role(role, present)
        assert carrier is None or carrier in ordered[:place]


@given(some_roles)
def test_with_hips_everything_hangs_on_them(present: set[str]) -> None:
    present = present | {"hips"}
    for role in present - {"root", "hips"}:
        seen = [role]
        while (carrier := roles.parent_role(seen[-1], present)) is not None:
            assert carrier not in seen
            seen.append(carrier)
        assert seen[-1] == "hips"


@pytest.mark.parametrize(
    ("role", "present", "carrier"),
    [
        ("hand.L", ("hips", "spine", "shoulder.L", "upper_arm.L", "forearm.L"), "forearm.L"),
        ("hand.L", ("hips", "spine", "shoulder.L", "upper_arm.R"), "shoulder.L"),
        ("upper_arm.R", ("hips", "spine", "spine_2", "neck"), "spine_2"),
        ("toe.L", ("hips", "thigh.L", "foot.R"), "thigh.L"),
        ("thigh.L", ("hips", "spine", "spine_2"), "hips"),
        ("head", ("hips", "spine"), "spine"),
        ("head", ("hips", "spine", "neck", "neck_3"), "neck_3"),
        ("eye.L", ("hips", "spine", "neck", "head"), "head"),
        ("eye.R", ("hips", "spine", "neck", "eye.L"), "neck"),
        ("neck_2", ("hips", "spine_2", "neck"), "neck"),
        ("neck_2", ("hips", "spine_2"), "spine_2"),
        ("tail_3", ("hips", "tail", "spine"), "tail"),
        ("tail", ("hips", "spine"), "hips"),
        ("forearm_twist_2.L", ("hips", "forearm.L", "forearm_twist.L"), "forearm.L"),
        ("forearm_twist.L", ("hips", "upper_arm.L"), "upper_arm.L"),
        ("index_3.L", ("hips", "hand.L", "index.L", "index_2.R"), "index.L"),
        ("thumb.R", ("hips", "forearm.R", "index.R", "weapon.R"), "forearm.R"),
        ("front_thigh.L", ("hips", "spine", "spine_2", "thigh.L"), "spine_2"),
        ("hips", ("root", "hips"), None),
        ("root", ("root", "hips"), None),
        ("spine", ("head",), None),
    ],
)
def test_the_parent_of_a_role(role: str, present: tuple[str, ...], carrier: str | None) -> None:
    assert roles.parent_role(role, present) == carrier


@pytest.mark.parametrize(
    ("role", "within", "at_the_beginning"),
    [
        ("upper_arm.L", "the left upper arm", "The left upper arm"),
        ("upper_arm.R", "the right upper arm", "The right upper arm"),
        ("front_shin.R", "the right front shin", "The right front shin"),
        ("hips", "the hips", "The hips"),
        ("spine", "the spine", "The spine"),
        ("spine_2", "the spine 2", "The spine 2"),
        ("index_3.L", "the left index finger 3", "The left index finger 3"),
    ],
)
def test_a_role_in_words(role: str, within: str, at_the_beginning: str) -> None:
    assert roles.role_phrase(role) == within
    assert roles.role_phrase(role, capital=True) == at_the_beginning
