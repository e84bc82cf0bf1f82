"""Correcting labels, by functions and by buttons."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.label import edits
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of, refused

pytestmark = needs_clips

LENGTH = 343


@pytest.fixture
def labelled():
    armature = import_bvh(WALK)
    bpy.ops.footfall.detect_labels()
    return armature, armature.animation_data.action


def spans(action, name: str) -> list[tuple[int, int]]:
    return [(s.start, s.end) for s in action.footfall.segments if s.name == name]


def strikes(action, side: str) -> list[int]:
    """The strikes as stored, which the markers must show."""
    stored = sorted(s.frame for s in action.footfall.foot_strikes if s.side == side and not s.removed)
    assert sorted(m.frame for m in action.pose_markers if m.name == f"Foot Strike {side}") == stored
    return stored


def curve(action, name: str) -> dict[int, float]:
    bag = action.layers[0].strips[0].channelbag(action.slots[0])
    points = bag.fcurves.find(f'["{name}"]').keyframe_points
    return {round(point.co[0]): point.co[1] for point in points}


def passes(action, side: str, frame: int) -> bool:
    """Whether the phase goes through the side's strike half a frame before a frame."""
    phase = curve(action, "footfall_phase")
    target = {"R": 0.0, "L": 0.5}[side]
    before, after = ((phase[f] - target + 0.5) % 1.0 - 0.5 for f in (frame - 1, frame))
    return before < 0 < after and after - before < 0.1


def test_a_moved_strike_takes_its_contacts_and_the_phase_along(labelled) -> None:
    armature, action = labelled
    heel, toe = spans(action, "foot.L"), spans(action, "toe.L")
    old = strikes(action, "L")[1]
    here = next(span for span in heel if span[0] == old)
    for new in (old + 6, old - 4):
        edits.move_strike(armature, action, "L", strikes(action, "L")[1], new)
        assert strikes(action, "L")[1] == new and passes(action, "L", new)
        assert (new, here[1]) in spans(action, "foot.L")
        assert curve(action, "footfall_contact_foot_L")[new] == 1.0
    assert len(spans(action, "toe.L")) == len(toe) and spans(action, "foot.R")
    assert [s.source for s in action.footfall.foot_strikes if s.frame == old - 4] == ["USER"]
    bpy.ops.footfall.detect_labels()
    assert strikes(action, "L")[1] == old - 4, "labelling again keeps it"


def test_a_painted_contact_makes_a_strike_and_an_erased_one_takes_it_away(labelled) -> None:
    armature, action = labelled
    down = {f for name in ("foot.L", "toe.L") for a, b in spans(action, name) for f in range(a, b + 1)}
    up = next(frame for frame in range(100, LENGTH) if not down & set(range(frame, frame + 45)))
    before = strikes(action, "L")
    following = next(frame for frame in before if frame > up)
    edits.paint_contact(armature, action, "toe.L", up + 5, up + 10)
    assert up + 5 in strikes(action, "L") and (up + 5, up + 10) in spans(action, "toe.L")
    edits.erase_contact(armature, action, "toe.L", up + 5, up + 10)
    assert strikes(action, "L") == before
    for name in ("foot.L", "toe.L"):
        edits.erase_contact(armature, action, name, following, LENGTH)
    assert following not in strikes(action, "L")
    bpy.ops.footfall.detect_labels()
    assert following not in strikes(action, "L") and all(b < following for _, b in spans(action, "foot.L"))
    assert {c.is_present for c in action.footfall.corrections} == {False}


def test_an_added_and_a_removed_strike_stay_so(labelled) -> None:
    armature, action = labelled
    gone = strikes(action, "R")[1]
    edits.remove_strike(armature, action, "R", gone)
    added = strikes(action, "L")[1] + 55
    edits.add_strike(armature, action, "L", added)
    for _ in range(2):
        assert gone not in strikes(action, "R") and added in strikes(action, "L")
        bpy.ops.footfall.recompute_labels()
    edits.paint_contact(armature, action, "toe.L", 5, 9)
    assert added in strikes(action, "L"), "contacts elsewhere leave it"
    edits.remove_strike(armature, action, "L", added)
    assert added not in strikes(action, "L")
    edits.add_strike(armature, action, "R", gone)
    assert gone in strikes(action, "R") and not any(s.removed for s in action.footfall.foot_strikes)


def test_gaits_fill_the_time_without_gaps(labelled) -> None:
    armature, action = labelled

    def gaits():
        return [(s.name, s.start, s.end) for s in action.footfall.segments if s.kind == "GAIT"]

    edits.set_span(armature, action, "GAIT", "walk", 1, LENGTH)
    assert gaits() == [("walk", 1, LENGTH)]
    edits.set_span(armature, action, "GAIT", "run", 100, 150)
    assert gaits() == [("walk", 1, 99), ("run", 100, 150), ("walk", 151, LENGTH)]
    edits.move_edge(armature, action, 1, "start", 90)
    edits.move_edge(armature, action, 1, "end", 140)
    assert gaits() == [("walk", 1, 89), ("run", 90, 140), ("walk", 141, LENGTH)]
    bpy.ops.footfall.detect_labels()
    assert gaits() == [("walk", 1, 89), ("run", 90, 140), ("walk", 141, LENGTH)]
    edits.merge(armature, action, 0)
    assert gaits() == [("walk", 1, LENGTH)]
    edits.split(armature, action, 0, 200)
    for _ in range(2):
        assert gaits() == [("walk", 1, 199), ("walk", 200, LENGTH)]
        bpy.ops.footfall.recompute_labels()
    edits.merge(armature, action, 0)
    assert gaits() == [("walk", 1, LENGTH)]


def test_standing_changes_the_phase(labelled) -> None:
    armature, action = labelled
    before = curve(action, "footfall_phase")
    edits.set_span(armature, action, "GAIT", "stand", strikes(action, "R")[-1] - 100, LENGTH)
    assert curve(action, "footfall_phase") != before


def test_actions_have_a_phase_of_their_own(labelled) -> None:
    armature, action = labelled
    bag = action.layers[0].strips[0].channelbag(action.slots[0])
    assert bag.fcurves.find('["footfall_action_phase"]') is None, "a walk has none"
    edits.set_span(armature, action, "ACTION", "open", 200, 210)
    phase = curve(action, "footfall_action_phase")
    assert np.allclose([phase[frame] for frame in range(200, 211)], np.linspace(0, 1, 11), atol=1e-6)
    assert phase[199] == phase[211] == 0.0
    edits.set_span(armature, action, "ACTION", "walk", 195, 215)
    assert bag.fcurves.find('["footfall_action_phase"]') is None


def test_corrections_of_frames_that_were_cut_off(labelled) -> None:
    armature, action = labelled
    edits.paint_contact(armature, action, "toe.R", 90, 110)
    edits.paint_contact(armature, action, "toe.R", 300, 310)
    action.use_frame_range, action.frame_start, action.frame_end = True, 1, 100
    bpy.ops.footfall.recompute_labels()
    assert action.footfall.frame_count == 100 and len(action.footfall.corrections) == 2
    assert max(end for _, end in spans(action, "toe.R")) == 100
    action.use_frame_range = False
    bpy.ops.footfall.recompute_labels()
    assert any(start <= 300 and end >= 310 for start, end in spans(action, "toe.R"))


def test_only_what_changed_is_written(labelled) -> None:
    armature, action = labelled
    right, phase = curve(action, "footfall_contact_foot_R"), curve(action, "footfall_phase")
    edits.erase_contact(armature, action, "foot.R", 1, 3)
    again = curve(action, "footfall_contact_foot_R")
    assert again != right and again[1] == 0.0
    assert curve(action, "footfall_phase").keys() == phase.keys()


def test_an_answered_doubt_is_gone(labelled) -> None:
    armature, action = labelled
    action.footfall.issues.clear()
    for frame, name in ((200, "foot.R"), (50, "L"), (300, "foot.L")):
        spot = action.footfall.issues.add()
        spot.frame, spot.name, spot.kind, spot.doubt = frame, name, "UNSURE", 0.5
    edits.paint_contact(armature, action, "foot.R", 195, 201)
    assert [spot.frame for spot in action.footfall.issues] == [50, 300]
    edits.erase_contact(armature, action, "toe.L", 45, 55)
    assert [spot.frame for spot in action.footfall.issues] == [300], "the left foot is what the toe belongs to"


def test_what_is_right_is_confirmed_and_not_asked_again(labelled) -> None:
    _, action = labelled
    stored = action.footfall
    stored.issues.clear()
    for frame, name in ((200, "foot.R"), (50, "L"), (300, "toe.L")):
        spot = stored.issues.add()
        spot.frame, spot.name, spot.kind, spot.doubt = frame, name, "UNSURE", 0.5
    before = {name: spans(action, name) for name in ("foot.L", "toe.L", "foot.R", "toe.R")}
    assert not bpy.ops.footfall.confirm_label_issue.poll(), "go to one first"
    seen = []
    for _ in range(3):
        bpy.ops.footfall.next_label_issue()
        seen.append(bpy.context.scene.frame_current)
        assert bpy.ops.footfall.confirm_label_issue() == {"FINISHED"}
    assert seen == [200, 50, 300] and not stored.issues
    assert {name: spans(action, name) for name in before} == before
    assert {c.name for c in stored.corrections} == {"foot.R", "foot.L", "toe.L"}


def test_gaits_are_confirmed_too(labelled) -> None:
    _, action = labelled
    stored = action.footfall
    stored.issues.clear()
    gait = next(s for s in stored.segments if s.kind == "GAIT")
    spot = stored.issues.add()
    spot.frame, spot.name, spot.kind = gait.start + 3, gait.name, "FLICKER"
    bpy.ops.footfall.next_label_issue()
    bpy.ops.footfall.confirm_label_issue()
    assert [(c.kind, c.start, c.end) for c in stored.corrections] == [("GAIT", gait.start, gait.end)]


def test_bad_edits_change_nothing(labelled) -> None:
    armature, action = labelled
    heel = next(n for n, s in enumerate(action.footfall.segments) if s.name == "foot.L" and s.start > 100)
    start, end = action.footfall.segments[heel].start, action.footfall.segments[heel].end
    strike, revision = strikes(action, "L")[1], action.footfall.revision
    for said, edit, *arguments in (
        (
            "Frames 340 to 350 are not all labeled: choose frames from 1 to 343",
            edits.paint_contact,
            "foot.L",
            340,
            350,
        ),
        ("choose a last frame that is not before the first", edits.erase_contact, "foot.L", 20, 10),
        ("Action '02_01' has no contact point 'tail': choose one of foot.L", edits.paint_contact, "tail", 1, 2),
        ("There is no gait 'gallop': choose one of stand", edits.set_span, "GAIT", "gallop", 1, 2),
        ("as they follow from the activities", edits.set_span, "GOAL", "sit", 1, 2),
        (f"runs from frame {start} to {end} and cannot be split", edits.split, heel, start),
        (f"cannot be split at frame {end + 1}", edits.split, heel, end + 1),
        ("There is no label segment 999", edits.split, 999, 10),
        ("Frames 0 to 0 are not all labeled", edits.move_strike, "L", strike, 0),
        ("has no foot strike at frame 2", edits.move_strike, "L", 2, 5),
        ("already has a foot strike at frame", edits.add_strike, "L", strike),
        ("has no foot strike", edits.remove_strike, "R", strike),
        ("foot ends at frame", edits.move_strike, "L", strike, strike + 100),
        ("foot is on the ground until frame", edits.move_strike, "L", strike, strike - 100),
        ("The segment 'walk' has no neighbor that could take over frames", edits.move_edge, 0, "start", 10),
    ):
        sentence = refused(edit, armature, action, *arguments)
        assert said in sentence, sentence
        assert action.footfall.revision == revision, edit
    bpy.ops.footfall.clear_labels()
    assert "has no labels: detect them first" in refused(edits.add_strike, armature, action, "L", 5)


def test_buttons_take_the_frames_that_are_selected(labelled) -> None:
    _, action = labelled
    scene = bpy.context.scene
    scene.frame_set(30)
    assert bpy.ops.footfall.set_gait(gait="run") == {"FINISHED"}
    assert spans(action, "run") == [(30, 30)]
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 40, 60
    bpy.ops.footfall.set_gait(gait="jog")
    assert spans(action, "jog") == [(40, 60)]
    for name, frame in (("a", 80), ("b", 90)):
        marker = action.pose_markers.new(name)
        marker.frame, marker.select = frame, True
    bpy.ops.footfall.set_action(action="carry")
    assert spans(action, "carry") == [(80, 90)]
    for marker in action.pose_markers:
        marker.select = False
    for curve in action.layers[0].strips[0].channelbag(action.slots[0]).fcurves:
        for point in curve.keyframe_points:
            point.select_control_point = 99 <= point.co[0] <= 111
    bpy.ops.footfall.set_action(action="climb")
    assert spans(action, "climb") == [(99, 111)]
    bpy.ops.footfall.set_action(action="open", start=200, end=210)
    assert spans(action, "open") == [(200, 210)]


def test_buttons_for_contacts_segments_and_strikes(labelled) -> None:
    _, action = labelled
    scene = bpy.context.scene
    assert bpy.ops.footfall.add_contact(contact="toe.R", start=40, end=44) == {"FINISHED"}
    assert any(a <= 40 and b >= 44 for a, b in spans(action, "toe.R"))
    assert bpy.ops.footfall.remove_contact(contact="toe.R", start=40, end=44) == {"FINISHED"}
    assert not any(a <= 42 <= b for a, b in spans(action, "toe.R"))
    scene.frame_set(44)
    assert bpy.ops.footfall.add_foot_strike(side="R") == {"FINISHED"} and 44 in strikes(action, "R")
    assert bpy.ops.footfall.remove_foot_strike(side="R") == {"FINISHED"} and 44 not in strikes(action, "R")
    assert "has no foot strike at frame 44" in refusal_of(lambda: bpy.ops.footfall.remove_foot_strike(side="R"))
    bpy.ops.footfall.set_gait(gait="walk", start=1, end=LENGTH)
    action.footfall.active_segment = 0
    scene.frame_set(100)
    assert bpy.ops.footfall.split_segment() == {"FINISHED"}
    assert [(s.start, s.end) for s in action.footfall.segments if s.kind == "GAIT"] == [(1, 99), (100, LENGTH)]
    assert bpy.ops.footfall.merge_segments() == {"FINISHED"}
    assert "cannot be split" in refusal_of(lambda: (scene.frame_set(1), bpy.ops.footfall.split_segment()))


def test_one_undo_step_each(labelled) -> None:
    name = labelled[1].name
    bpy.ops.ed.undo_push(message="labelled")
    for edit in (
        lambda: bpy.ops.footfall.add_contact("EXEC_DEFAULT", True, contact="foot.L", start=90, end=95),
        lambda: bpy.ops.footfall.set_gait("EXEC_DEFAULT", True, gait="run", start=10, end=20),
        lambda: bpy.ops.footfall.add_foot_strike("EXEC_DEFAULT", True, side="L"),
    ):
        bpy.context.scene.frame_set(25)
        bpy.ops.ed.undo_push(message="before")
        stored = bpy.data.actions[name].footfall
        before = (stored.revision, len(stored.segments), len(stored.foot_strikes), len(stored.corrections))
        assert edit() == {"FINISHED"}
        bpy.ops.ed.undo()
        stored = bpy.data.actions[name].footfall
        assert (stored.revision, len(stored.segments), len(stored.foot_strikes), len(stored.corrections)) == before
        bpy.ops.ed.redo()
        assert bpy.data.actions[name].footfall.revision == before[0] + 1
