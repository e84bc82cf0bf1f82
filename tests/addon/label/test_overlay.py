"""In Blender, without a window: footprints, the root's way and dials of a labelled clip."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.label.overlay import finding
from footfall.blender_addon.label.overlay.dials import compute_phase_dials
from footfall.blender_addon.label.overlay.footprints import compute_footprints
from footfall.blender_addon.label.overlay.trajectory import compute_root_trajectory
from footfall.blender_addon.label.strip.reading import StripLabels, read_strip_labels
from footfall.core.motion import Clip
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips

pytestmark = needs_clips


@pytest.fixture
def labelled() -> tuple[Clip, StripLabels]:
    armature = import_bvh(WALK)
    bpy.ops.footfall.detect_labels()
    action = armature.animation_data.action
    clip, _ = read_action(armature, action, bpy.context.scene)
    return clip, read_strip_labels(armature, action)


def test_a_footprint_for_every_step(labelled: tuple[Clip, StripLabels]) -> None:
    clip, shown = labelled
    prints = compute_footprints(clip, shown)
    assert set(prints.sides) == {"L", "R"} and np.all(np.diff(prints.starts) >= 0)
    for strike in shown.strikes:
        steps = zip(prints.sides, prints.starts, prints.ends, strict=True)
        assert any(side == strike.side and start <= strike.frame <= end for side, start, end in steps), strike


def test_footprints_lie_flat_under_their_feet(labelled: tuple[Clip, StripLabels]) -> None:
    clip, shown = labelled
    prints = compute_footprints(clip, shown)
    assert np.ptp(prints.outlines[..., 2], axis=1).max() < 1e-9
    ground = clip.positions[..., 2].min()
    assert np.all(np.abs(prints.outlines[..., 2] - ground) < 0.06)
    for number, side in enumerate(prints.sides):
        frame = (prints.starts[number] + prints.ends[number]) // 2 - shown.first_frame
        ankle = clip.positions[frame, clip.skeleton.roles[f"foot.{side}"], :2]
        outline = prints.outlines[number, :, :2]
        assert np.linalg.norm(outline.mean(axis=0) - ankle) < 0.25
        assert 0.15 < np.linalg.norm(outline[:, None] - outline, axis=2).max() < 0.4


def test_prints_fade_with_time_and_doubt(labelled: tuple[Clip, StripLabels]) -> None:
    clip, shown = labelled
    prints = compute_footprints(clip, shown)
    there, later = prints.opacity(int(prints.starts[0])), prints.opacity(int(prints.ends[-1]) + 500)
    assert np.isclose(there[0], prints.confidence[0]) and later[0] < 0.2 < there[0]


def test_the_way_goes_where_the_hips_go_and_faces_ahead(labelled: tuple[Clip, StripLabels]) -> None:
    clip, _ = labelled
    way = compute_root_trajectory(clip)
    assert np.allclose(way.points[:, :2], clip.positions[:, clip.skeleton.roles["hips"], :2])
    assert np.ptp(way.points[:, 2]) < 0.1
    heads = way.arrows()
    aim = heads[:, 1, :2] - heads[:, [0, 2], :2].mean(axis=1)
    travel = way.points[-1, :2] - way.points[0, :2]
    assert np.all(aim @ travel > 0), "this actor walks forwards"


def test_dials_turn_once_a_stride_and_both_feet_differ(labelled: tuple[Clip, StripLabels]) -> None:
    clip, shown = labelled
    dials = compute_phase_dials(clip, shown)
    assert dials is not None and dials.joints[: len(dials.bones)] == tuple(shown.contact_feet)
    assert np.linalg.norm(dials.phase_vectors, axis=2).max() <= 1.0 + 1e-9
    feet = dials.visible_joints(set())
    assert [dials.joints[number] for number in feet] == ["foot.L", "foot.R"]
    assert dials.visible_joints({dials.bones[1]}) == [1]
    angles = np.unwrap(np.arctan2(dials.phase_vectors[:, feet, 0], dials.phase_vectors[:, feet, 1]), axis=0) / (
        2 * np.pi
    )
    turned = angles[-1] - angles[0]
    strikes = [sum(strike.side == side for strike in shown.strikes) for side in "LR"]
    assert np.all(np.abs(turned - strikes) <= 1.0), (turned, strikes)
    apart = (angles[:, 0] - angles[:, 1]) % 1.0
    assert 0.3 < np.median(apart) < 0.7


def test_overlays_are_found_outside_of_drawing_and_once(labelled: tuple[Clip, StripLabels]) -> None:
    armature = bpy.context.object
    finding.invalidate()
    assert finding.get_overlay(armature, "footprints") is None and finding.task.is_pending
    finding.task.cancel()
    assert finding.task.on_timer() is None
    prints = finding.get_overlay(armature, "footprints")
    assert prints is not None and finding.get_overlay(armature, "footprints") is prints
    armature.animation_data.action.footfall.revision += 1
    assert finding.get_overlay(armature, "footprints") is None, "the labels have changed"
    finding.cancel_pending()
    assert not finding.task.is_pending
