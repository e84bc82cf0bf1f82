"""The ground under a trajectory as numbers: closed forms on planes and slopes."""

import numpy as np

from footfall.core.features.layout import Group, Layout
from footfall.core.features.locomotion import (
    LATERAL_SAMPLE_OFFSET_M,
    ROOT_SMOOTHING_S,
    SAMPLE_OFFSETS_FRAMES,
    clip_features,
    input_layout,
    network_gaits,
    output_layout,
    pose_joints,
)
from footfall.core.features.terrain import (
    BASE_COLUMN,
    COLUMN_COUNT,
    HEIGHT_COUNT,
    PREVIOUS_BASE_COLUMN,
    apply_terrain,
    lateral_heights,
    terrain_samples,
)
from footfall.core.labelling import label_clip
from footfall.core.motion.root_frame import facing_direction, root_track, rotations_in_root_frame
from footfall.core.terrain.clip_terrain import SegmentTerrain
from footfall.core.terrain.ground import Ground, Plane
from footfall.core.terrain.heightfield import Heightfield
from footfall.tests.support.walker import Walker

WALK = Walker(turn=0.3).clip()


def parts(*grounds: Ground) -> list[SegmentTerrain]:
    """One part, the whole walk, over some grounds."""
    count = len(grounds)
    return [SegmentTerrain(0, len(WALK), grounds, np.zeros(count), np.full(count, -1), np.zeros(3))]


def slope(rise: float) -> Heightfield:
    """Ground that rises towards +Y."""
    axis = np.arange(-30.0, 30.5, 0.5)
    return Heightfield.centred(np.tile(rise * axis[:, None], (1, len(axis))), 0.5)


def test_level_ground_has_no_heights_and_a_base_as_high_as_it_lies() -> None:
    rows = terrain_samples(WALK, parts(Plane(0.7), Plane(-0.2)))
    assert rows.shape == (len(WALK) - 3, 2, COLUMN_COUNT)
    np.testing.assert_allclose(rows[..., :HEIGHT_COUNT], 0.0, atol=1e-6)
    np.testing.assert_allclose(rows[:, :, BASE_COLUMN], np.tile([0.7, -0.2], (len(rows), 1)), atol=1e-6)
    np.testing.assert_allclose(rows[:, :, PREVIOUS_BASE_COLUMN], rows[:, :, BASE_COLUMN], atol=1e-6)


def test_the_base_is_the_mean_under_the_trajectory_and_that_of_the_frame_before_is_known() -> None:
    rows = terrain_samples(WALK, parts(slope(0.2)))[:, 0]
    heights = rows[:, :HEIGHT_COUNT].reshape(-1, len(SAMPLE_OFFSETS_FRAMES), 3)
    np.testing.assert_allclose(heights[..., 1].mean(axis=1), 0.0, atol=1e-5)
    np.testing.assert_allclose(rows[1:, PREVIOUS_BASE_COLUMN], rows[:-1, BASE_COLUMN], atol=1e-5)


def test_left_is_left_and_right_is_right() -> None:
    """A character that walks along +X has +Y, where this slope rises, on its left."""
    heights = lateral_heights(slope(0.2), np.zeros((1, 2)), np.array([[1.0, 0.0]]))
    np.testing.assert_allclose(
        heights, [[0.2 * LATERAL_SAMPLE_OFFSET_M, 0.0, -0.2 * LATERAL_SAMPLE_OFFSET_M]], atol=1e-9
    )


def test_poses_are_counted_from_the_base() -> None:
    labels = label_clip(WALK)
    joints = pose_joints(WALK.skeleton)
    reference = rotations_in_root_frame(WALK, joints)[0]
    x, y, _ = clip_features(WALK, labels, joints, reference)
    into, out = input_layout(joints, network_gaits(labels.gait_names)), output_layout(joints)
    on, answer = x.copy(), y.copy()
    apply_terrain(on, answer, terrain_samples(WALK, parts(Plane(0.5)))[:, 0], into, out)
    for layout, before, after in ((into, x, on), (out, y, answer)):
        off = layout.view(after, "pose.position") - layout.view(before, "pose.position")
        np.testing.assert_allclose(off, np.broadcast_to([0.0, 0.0, -0.5], off.shape), atol=1e-5)
    changed = np.abs(on - x).max(axis=0) > 1e-6
    assert changed.sum() == len(joints), "nothing but heights of joints, on level ground"


def bowl(positions: np.ndarray) -> np.ndarray:
    """Heights of ground that is as high as the square of the distance from the world's axis, by twentieths."""
    return 0.05 * (positions[..., 0] ** 2 + positions[..., 1] ** 2)


def test_rows_are_the_heights_left_under_and_right_of_the_way_over_their_mean() -> None:
    axis = np.arange(-30.0, 30.5, 0.5)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1)
    ground = Heightfield.centred(bowl(grid), 0.5)
    rows = terrain_samples(WALK, parts(ground))[:, 0]
    root = root_track(WALK, ROOT_SMOOTHING_S)
    middle = np.arange(100, 200)
    at = middle[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)
    places, ahead = root.positions[at], facing_direction(root.yaws[at])
    across = np.stack([ahead[..., 1], -ahead[..., 0]], axis=-1)
    sides = places[:, :, None] + across[:, :, None] * np.array([-0.25, 0.0, 0.25])[:, None]
    flat = np.concatenate([sides, np.zeros((*sides.shape[:-1], 1))], axis=-1)
    heights = ground.heights(flat)
    base = heights[:, :, 1].mean(axis=1)
    np.testing.assert_allclose(rows[middle - 2, BASE_COLUMN], base, atol=1e-5)
    np.testing.assert_allclose(
        rows[middle - 2, :HEIGHT_COUNT], (heights - base[:, None, None]).reshape(len(middle), -1), atol=1e-5
    )
    assert (HEIGHT_COUNT, BASE_COLUMN, PREVIOUS_BASE_COLUMN, COLUMN_COUNT) == (36, 36, 37, 38)


def test_heights_go_into_their_group_and_bases_out_of_the_poses_of_both_frames() -> None:
    layout = Layout((Group("terrain.height", (12, 3), "m", ""), Group("pose.position", (2, 3), "m", "")))
    answer = Layout((Group("pose.position", (2, 3), "m", ""),))
    x, y = np.ones((1, layout.size), dtype=np.float32), np.ones((1, 6), dtype=np.float32)
    rows = np.arange(38, dtype=np.float32)[None]
    apply_terrain(x, y, rows, layout, answer)
    np.testing.assert_array_equal(layout.view(x, "terrain.height")[0], np.arange(36).reshape(12, 3))
    np.testing.assert_array_equal(layout.view(x, "pose.position")[0], [[1, 1, 1 - 37]] * 2)
    np.testing.assert_array_equal(answer.view(y, "pose.position")[0], [[1, 1, 1 - 36]] * 2)
