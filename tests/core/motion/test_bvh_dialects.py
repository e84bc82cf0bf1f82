"""One walk as many programs write it is read as the same walk: its way, its bob, its feet on the floor."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh, read_target
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.bvh_dialects import Dialect, RootAbove
from footfall.tests.support.walker import Walker, person

WALK = Walker(seconds=2.0, rate=30.0).clip()
FRAMES = len(WALK)
STILL = np.zeros((FRAMES, 3))
LYING = from_axis_angle([1.0, 0.0, 0.0], -np.pi / 2)
ASIDE = from_axis_angle([0.0, 1.0, 0.0], 0.7)


def along(*way: float) -> np.ndarray:
    """A straight way over the clip's time."""
    return np.linspace(0.0, 1.0, FRAMES)[:, None] * np.array(way)


def wave(*way: float) -> np.ndarray:
    return np.sin(np.linspace(0.0, 9.0, FRAMES))[:, None] * np.array(way)


DIALECTS = {
    "plain": Dialect(),
    "MotionBuilder": Dialect(above=(RootAbove("Reference", STILL),), hips_offset=(0, 95, 0)),
    "a root that travels": Dialect(above=(RootAbove("root", along(0, 0, 180)),), hips_offset=(0, 95, 0)),
    "a root that bobs and hips that travel": Dialect(above=(RootAbove("root", wave(0, 3, 0)),)),
    "two roots that travel and turn": Dialect(
        above=(RootAbove("world", along(50, 0, 20), ASIDE), RootAbove("root", wave(10, 5, 3), ASIDE))
    ),
    "three roots": Dialect(
        above=(RootAbove("a"), RootAbove("b", along(9, 0, 90)), RootAbove("c", offset=(0, 40, 0))),
        hips_offset=(0, 50, 0),
    ),
    "a root that turns Z up to Y up": Dialect(above=(RootAbove("Reference", rotation=LYING),)),
    "Unreal": Dialect(up="Z", above=(RootAbove("root", along(0, 150, 0)),), hips_offset=(0, 0, 96)),
    "Z up in meters below a root": Dialect(up="Z", unit=1.0, above=(RootAbove("Reference", STILL),)),
    "Blender's exporter": Dialect(
        up="Z", unit=1.0, above=(RootAbove("root", STILL),), hips_offset=(0, 0, 0.95), all_travel=True
    ),
    "Bandai": Dialect(above=(RootAbove("joint_Root", STILL),), hips_offset="first frame", all_travel=True),
    "first frame's place": Dialect(hips_offset="first frame"),
    "CC_Base": Dialect(hips_offset=(0, 105, 0), is_relative=True),
    "CC_Base below a root": Dialect(above=(RootAbove("Root", STILL),), hips_offset=(0, 105, 0), is_relative=True),
    "all relative to OFFSET": Dialect(hips_offset=(0, 105, 0), is_relative=True, all_travel=True),
    "rest along Y": Dialect(up="Z", rest_up="Y"),
    "rest along X": Dialect(rest_up="X"),
    "rest along Z": Dialect(rest_up="Z"),
    "rest along -Y in meters": Dialect(up="Z", rest_up="-Y", unit=1.0),
    "Y down": Dialect(up="-Y", rest_up="Y"),
    "Y down at rest": Dialect(up="-Y"),
    "Z down in meters": Dialect(up="-Z", unit=1.0),
    "X up in millimeters": Dialect(up="X", unit=0.001),
    "Y down below a root": Dialect(up="-Y", above=(RootAbove("Reference", along(0, 0, 70)),)),
    "inches": Dialect(unit=0.0254),
    "feet": Dialect(unit=0.3048),
    "decimeters, Z up": Dialect(unit=0.1, up="Z"),
}


def one_frame(dialect: Dialect) -> list[RootAbove]:
    """The roots of a dialect in the first frame."""
    return [replace(root, positions=None if root.positions is None else root.positions[:1]) for root in dialect.above]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_a_walk_is_the_same_in_every_dialect(tmp_path: Path, dialect: Dialect) -> None:
    clip = read_bvh(dialect.write(tmp_path / "walk.bvh", WALK))
    assert clip.skeleton.names == WALK.skeleton.names
    np.testing.assert_allclose(clip.positions, WALK.positions, atol=2e-4)
    assert [note.text for note in clip.notes if note.unit is None] == []


@pytest.mark.parametrize("yaw", [0.0, np.pi / 2, 2.5])
@pytest.mark.parametrize("up", ["Y", "Z", "-Y"])
def test_a_walk_on_the_spot_stands_on_its_rest_pose_or_not(tmp_path: Path, yaw: float, up: str) -> None:
    """As *rest along Y*, but without a way that shows the ground."""
    spot = WALK.transformed(from_axis_angle([0.0, 0.0, 1.0], yaw), np.zeros(3))
    spot = replace(spot, root_positions=spot.root_positions * [0.0, 0.0, 1.0])
    clip = read_bvh(Dialect(up=up, rest_up="Y").write(tmp_path / "walk.bvh", spot))  # type: ignore[arg-type]
    np.testing.assert_allclose(clip.positions, spot.positions, atol=2e-4)


@pytest.mark.parametrize("name", ["plain", "rest along Y", "Y down", "Unreal", "CC_Base"])
def test_one_frame_is_read_as_the_whole_motion_is(tmp_path: Path, name: str) -> None:
    dialect, pose = DIALECTS[name], WALK.cut(0, 1)
    dialect = replace(
        dialect,
        above=[replace(root, positions=None if root.positions is None else STILL[:1]) for root in dialect.above],
    )
    clip = read_bvh(dialect.write(tmp_path / "pose.bvh", pose))
    np.testing.assert_allclose(clip.positions, pose.positions, atol=2e-4)


def test_a_joint_that_leaves_its_parent_is_told(tmp_path: Path) -> None:
    """Bones do not stretch; a body of which a part travels for itself is not read silently."""
    skeleton = person()
    clip = read_bvh(Dialect(all_travel=True).write(tmp_path / "walk.bvh", WALK))
    assert clip.notes == ()
    text = (tmp_path / "walk.bvh").read_text().splitlines()
    row = text.index("MOTION") + 3
    column = 6 * skeleton.names.index("lowerback") + 1
    for number in range(row, len(text)):
        cells = text[number].split()
        cells[column] = str(float(cells[column]) + number - row - FRAMES // 2)
        text[number] = " ".join(cells)
    (tmp_path / "walk.bvh").write_text("\n".join(text))
    notes = read_bvh(tmp_path / "walk.bvh").notes
    print([n.text for n in notes])
    (note,) = notes
    assert note.is_question and note.text.startswith("Joint 'lowerback' moves by 0.60 m relative to its parent")


TARGETS = {
    **{
        name: DIALECTS[name]
        for name in ("plain", "MotionBuilder", "Unreal", "Bandai", "CC_Base below a root", "Y down at rest")
    },
    "a root that carries the hips": Dialect(above=(RootAbove("root", STILL[:1], offset=(0, 0, 0)),), unit=1.0),
}


@pytest.mark.parametrize("dialect", TARGETS.values(), ids=TARGETS)
def test_a_target_is_written_as_it_is(tmp_path: Path, dialect: Dialect) -> None:
    """All joints with their names and OFFSETs, in the target's unit and axes, and the motion exactly."""
    path = replace(dialect, above=one_frame(dialect), names={"ltibia": "左 Knee", "head": "Bip01 Head"}).write(
        tmp_path / "target.bvh", WALK.cut(0, 1)
    )
    target = read_target(path)
    motion = Clip(target.skeleton, WALK.rate, WALK.root_positions, WALK.rotations)
    target.write(tmp_path / "made.bvh", motion)
    made = read_target(tmp_path / "made.bvh", unit=dialect.unit, up=dialect.up)
    assert [joint.name for joint in made.joints] == [joint.name for joint in target.joints]
    assert [joint.parent for joint in made.joints] == [joint.parent for joint in target.joints]
    np.testing.assert_allclose([j.offset for j in made.joints], [j.offset for j in target.joints], atol=1e-5)
    np.testing.assert_allclose(made.clip.positions, motion.positions, atol=2e-4)
    assert (read_target(tmp_path / "made.bvh").unit, read_target(tmp_path / "made.bvh").up) == (target.unit, target.up)
