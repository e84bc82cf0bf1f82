"""Clips of any skeleton train one controller; the table of sources says how well each fits and what was left out."""

from pathlib import Path

import numpy as np

from footfall.core.jobs.source_table import read_table
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.rotations import IDENTITY, inverse, multiply
from footfall.core.retarget.rest_pose import make_known_pose, with_rest_pose
from footfall.tests.support.walker import Walker
from footfall.training.data.build import build_dataset
from footfall.training.data.manifest import DatasetSettings

NAMES = {
    "hips": "Hips",
    "lowerback": "Spine",
    "thorax": "Chest",
    "lowerneck": "Neck",
    "femur": "UpLeg",
    "tibia": "Leg",
    "foot": "Foot",
    "toes": "ToeBase",
    "clavicle": "Shoulder",
    "humerus": "Arm",
    "radius": "ForeArm",
    "wrist": "Hand",
    "head": "Head",
}


def in_a_pose(clip: Clip) -> Clip:
    """The same walk on a skeleton with Mixamo's names whose zero pose is an A-pose."""
    pose = make_known_pose(clip.skeleton, "A")
    other = with_rest_pose(clip.skeleton, pose)
    names = tuple(
        NAMES.get(name) or f"{'Left' if name[0] == 'l' else 'Right'}{NAMES[name[1:]]}" for name in other.names
    )
    world = multiply(clip.world[1], inverse(pose))
    local = multiply(inverse(world[:, np.maximum(other.parents, 0)]), world)
    local[:, 0] = world[:, 0]
    return Clip(Skeleton(names, other.parents, other.offsets, other.tips), clip.rate, clip.root_positions, local)


def put(folder: Path, name: str, clip: Clip) -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    write_bvh(folder / f"{name}.bvh", clip)
    return folder / f"{name}.bvh"


def test_two_skeletons_make_one_data_set(tmp_path: Path):
    clips = [
        put(tmp_path / "cmu", "slow", Walker(seconds=3.0, speed=0.9).clip()),
        put(tmp_path / "cmu", "quick", Walker(seconds=3.0, speed=1.3, turn=0.2).clip()),
        put(tmp_path / "mixamo", "walk", in_a_pose(Walker(seconds=3.0, turn=-0.2).clip())),
    ]
    dataset = build_dataset(clips, tmp_path / "out", DatasetSettings(mirror=False), workers=1)
    assert [Path(clip.file).stem for clip in dataset.clips] == ["quick", "slow", "walk"]
    same = build_dataset(
        [clips[0], clips[1], put(tmp_path / "plain", "walk", Walker(seconds=3.0, turn=-0.2).clip())],
        tmp_path / "same",
        DatasetSettings(mirror=False),
        workers=1,
    )
    poses = [
        one.output_layout.view(one.samples(one.clips[-1])[1], "pose.position").astype(float) for one in (dataset, same)
    ]
    assert np.abs(poses[0] - poses[1]).max() < 2e-3, "the same walk gives the same samples"


def test_the_table_of_sources_says_how_well_each_fits(tmp_path: Path):
    walk = Walker(seconds=2.0).clip()
    names = tuple(f"x{number}" for number in range(len(walk.skeleton)))
    stump = Clip(
        Skeleton(names[:3], (-1, 0, 1), np.eye(3), np.eye(3), {"hips": 0}),
        60.0,
        walk.root_positions,
        np.tile(IDENTITY, (len(walk), 3, 1)),
    )
    clips = [put(tmp_path / "actor", "walk", walk), put(tmp_path / "crane", "lifts", stump)]
    build_dataset(clips, tmp_path / "out", workers=1)
    actor, crane = read_table(tmp_path / "out")
    assert (actor.folder, actor.clips, actor.residual, actor.left_out) == ("actor", 1, 0.0, ())
    assert (crane.folder, crane.clips) == ("crane", 0)
    assert "no joint for" in crane.left_out[0].reason and crane.left_out[0].file == "crane/lifts.bvh"
