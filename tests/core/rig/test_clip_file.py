"""Clips whose joints have names that say nothing."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import write_bvh
from footfall.core.rig.clip_file import find_rig_map, read_clip
from footfall.core.rig.rig_map import RigMap, save_rig_map
from footfall.tests.support.dog import dog, trot
from footfall.tests.support.walker import Walker


def nameless(folder: Path) -> tuple[Path, dict[str, str]]:
    """A walk whose joints are called Bone.000 and so on, and which role each of them plays."""
    clip = Walker(seconds=1.0).clip()
    skeleton = clip.skeleton
    names = tuple(f"Bone.{joint:03d}" for joint in range(len(skeleton)))
    bare = Skeleton(names, skeleton.parents, skeleton.offsets, skeleton.tips, skeleton.roles)
    folder.mkdir(parents=True)
    write_bvh(folder / "walk.bvh", Clip(bare, clip.rate, clip.root_positions, clip.rotations, "walk"))
    return folder / "walk.bvh", {role: names[joint] for role, joint in skeleton.roles.items() if role != "chest"}


def test_a_rig_map_in_the_folder_says_which_joint_is_which(tmp_path: Path):
    path, roles = nameless(tmp_path / "studio" / "day1")
    save_rig_map(RigMap("Studio", roles), tmp_path / "studio" / "rig.toml")
    assert find_rig_map(path) == tmp_path / "studio" / "rig.toml"
    skeleton = read_clip(path).skeleton
    assert {role: skeleton.names[joint] for role, joint in skeleton.roles.items() if role != "chest"} == roles


def test_a_rig_map_of_another_rig_is_refused(tmp_path: Path):
    path, _ = nameless(tmp_path / "clips")
    save_rig_map(RigMap("Other", {"hips": "Pelvis"}), tmp_path / "clips" / "rig.toml")
    with pytest.raises(FootfallError, match="Other"):
        read_clip(path)


@pytest.mark.parametrize(
    ("front", "side", "leg"), (("front_", "R", "the right front leg"), ("", "L", "the left hind leg"))
)
def test_a_rig_map_of_three_legs_is_refused(tmp_path: Path, front: str, side: str, leg: str):
    clip, _ = trot(dog(), 30, travels=True)
    write_bvh(tmp_path / "trot.bvh", clip)
    missing = {f"{front}{part}.{side}" for part in ("thigh", "shin", "foot", "toe")}
    roles = {role: role for role in clip.skeleton.roles if role not in missing and role != "chest"}
    save_rig_map(RigMap("Dog", roles), tmp_path / "rig.toml")
    with pytest.raises(FootfallError, match=f"{leg} has none"):
        read_clip(tmp_path / "trot.bvh")


def test_without_a_map_the_joints_places_say_which_is_which(tmp_path: Path):
    path, roles = nameless(tmp_path / "clips")
    skeleton = read_clip(path).skeleton
    found = {role: skeleton.names[joint] for role, joint in skeleton.roles.items()}
    legs = [f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe") for side in "LR"]
    assert {role: found[role] for role in ("hips", *legs)} == {role: roles[role] for role in ("hips", *legs)}


def test_the_nearest_rig_map_applies(tmp_path: Path):
    (tmp_path / "a").mkdir()
    for folder in (tmp_path, tmp_path / "a"):
        (folder / "rig.toml").write_text("")
    assert find_rig_map(tmp_path / "a" / "b" / "walk.bvh") == tmp_path / "a" / "rig.toml"
    assert find_rig_map(tmp_path / "walk.bvh") == tmp_path / "rig.toml"


def test_a_rig_map_with_a_fault_is_refused_with_its_path(tmp_path: Path):
    path, _ = nameless(tmp_path / "clips")
    (tmp_path / "clips" / "rig.toml").write_text("name = 1")
    with pytest.raises(FootfallError, match=r"rig\.toml.*has a name"):
        read_clip(path)


def test_a_clip_that_is_no_body_has_no_roles_of_one(tmp_path: Path):
    crane = Skeleton(("base", "crane", "hook"), (-1, 0, 1), np.eye(3), np.eye(3))
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (2, 3, 1))
    write_bvh(tmp_path / "crane.bvh", Clip(crane, 30.0, np.zeros((2, 3)), turns, "crane"))
    assert read_clip(tmp_path / "crane.bvh").skeleton.roles == crane.roles
