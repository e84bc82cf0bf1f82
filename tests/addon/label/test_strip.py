"""In Blender, without a window: what the label strip shows where, what the mouse finds there, and what a drag means."""

from dataclasses import replace

import numpy as np

from footfall.blender_addon.label.strip import batches, gestures, layout
from footfall.blender_addon.label.strip.gestures import Drag, Edit, Question
from footfall.blender_addon.label.strip.layout import Hit, Ruler, fit_layout, hit_test
from footfall.blender_addon.label.strip.shown import StripIssue, StripLabels, StripSpan, StripStrike, merge_spans
from footfall.blender_addon.ui.colors import DARK, LIGHT, palette_for

FEET = {"foot.L": "L", "toe.L": "L", "foot.R": "R", "toe.R": "R"}
SPANS = (
    StripSpan("GAIT", "stand", 1, 20, 0.9, False, 0),
    StripSpan("GAIT", "walk", 21, 100, 0.9, False, 1),
    StripSpan("ACTION", "walk", 1, 100, 0.7, False, 2),
    StripSpan("CONTACT", "foot.L", 21, 40, 1.0, True, 3),
    StripSpan("CONTACT", "toe.L", 24, 46, 0.75, False, 4),
    StripSpan("CONTACT", "foot.R", 51, 70, 1.0, False, 5),
)
STRIKES = (StripStrike(21, "L", False), StripStrike(51, "R", True))
PHASE = (0.5 + np.arange(100) / 60) % 1.0
WALK = StripLabels(1, 30.0, FEET, SPANS, STRIKES, (StripIssue(60, 0.8, "Is this a contact?", 0),), PHASE)
ONE_PIXEL = Ruler(1.0, 0.0)
TEN_PIXELS = Ruler(10.0, -5.0)
TALL = fit_layout(WALK, 400.0, 1.0)


def row_of(name: str, rows: layout.Layout = TALL) -> layout.Row:
    return next(row for row in rows.rows if name in (row.kind, row.title, *row.names))


def middle(row: layout.Row, rows: layout.Layout = TALL) -> float:
    return rows.y(row.bottom + row.height / 2)


def hit_at(frame: float, name: str, shown: StripLabels = WALK) -> Hit | None:
    return hit_test(TALL, TEN_PIXELS, shown, TEN_PIXELS.x(frame), middle(row_of(name)))


# Layout


def test_a_tall_editor_has_a_row_for_everything() -> None:
    assert [row.title for row in TALL.rows] == ["", "Activity", "Gait", "Phase", "L heel", "L toe", "R heel", "R toe"]
    assert TALL.unit_height == layout.MAX_ROW_HEIGHT_PX and TALL.margin_below == layout.SCROLL_BAR_HEIGHT_PX
    assert [row.title for row in TALL.rows if row.shows_strikes] == ["L heel", "R heel"]


def test_rows_fill_the_strip_without_overlapping() -> None:
    for height in range(20, 400, 7):
        rows = fit_layout(WALK, height, 1.0)
        if rows is None:
            continue
        tops = [row.bottom + row.height for row in rows.rows]
        assert np.allclose([row.bottom for row in rows.rows], [*tops[1:], 0.0])
        assert rows.top <= height - layout.HEADER_HEIGHT_PX + 1e-6 and rows.unit_height >= layout.MIN_ROW_HEIGHT_PX


def test_lower_editors_show_less() -> None:
    counts = [len(fit_layout(WALK, height, 1.0).rows) for height in (400, 90, 60, 42, 35, 30)]
    assert counts == sorted(counts, reverse=True) and counts[0] == 8 and counts[-1] == 2, counts
    assert [row.title for row in fit_layout(WALK, 30, 1.0).rows] == ["L foot", "R foot"]
    assert fit_layout(WALK, layout.HEADER_HEIGHT_PX + 2, 1.0) is None


def test_a_dope_sheet_keeps_room_for_its_channels_and_its_scroll_bar() -> None:
    rows = fit_layout(WALK, 300.0, 1.0, is_timeline=False)
    assert rows.top <= 300 * 0.65 and rows.margin_below == layout.SCROLL_BAR_HEIGHT_PX
    assert fit_layout(WALK, 50.0, 1.0).margin_below == 0.0, "in a low Timeline every pixel is needed"


def test_a_high_density_screen_scales_rows_and_limits() -> None:
    for height in (30, 60, 90, 200, 400):
        plain, fine = fit_layout(WALK, height, 1.0), fit_layout(WALK, 2 * height, 2.0)
        assert [row.title for row in plain.rows] == [row.title for row in fine.rows]
        assert np.isclose(fine.unit_height, 2 * plain.unit_height)


def test_hands_and_front_paws_have_names_and_rows() -> None:
    assert [layout.joint_title(name) for name in ("foot.L", "front_foot.R", "hips", "hand.L")] == [
        "L heel",
        "R front foot",
        "hips",
        "L hand",
    ]
    animal = replace(WALK, contact_feet={"front_foot.L": "FL", "foot.R": "R", "foot.L": "L", "hips": ""})
    contacts = [row for row in fit_layout(animal, 400.0, 1.0).rows if row.kind == "CONTACT"]
    assert [row.names[0] for row in contacts] == ["front_foot.L", "foot.L", "foot.R", "hips"]


def test_united_spans() -> None:
    both = merge_spans(span for span in SPANS if span.name in ("foot.L", "toe.L"))
    assert [(span.start, span.end, span.by_user) for span in both] == [(21, 46, True)]


# What the mouse finds


def test_frames_are_where_they_are_drawn() -> None:
    ruler = Ruler(10.0, 7.0)
    for frame in (-3, 0, 12):
        assert ruler.whole_frame_at(ruler.x(frame)) == frame
        assert ruler.first_frame_at(ruler.x(frame - 0.5)) == frame == ruler.last_frame_at(ruler.x(frame + 0.5))


def test_ticks_come_before_edges_and_edges_before_bodies() -> None:
    assert hit_at(20.5, "L heel").kind == "STRIKE"
    assert hit_at(40.5, "L heel") == Hit("END", row_of("L heel"), 41, 3)
    assert hit_at(23.5, "L toe").kind == "START"
    assert hit_at(30, "L heel") == Hit("SPAN", row_of("L heel"), 30, 3)
    assert hit_at(80, "L heel") == Hit("EMPTY", row_of("L heel"), 80)
    assert hit_at(60, "SPOT") == Hit("SPOT", row_of("SPOT"), 60, 0)
    assert hit_at(60, "Phase") is None and hit_at(70, "SPOT") is None


def test_between_two_gaits_the_side_decides_whose_edge_it_is() -> None:
    assert (hit_at(20.4, "Gait").kind, hit_at(20.4, "Gait").item) == ("END", 0)
    assert (hit_at(20.6, "Gait").kind, hit_at(20.6, "Gait").item) == ("START", 1)


def test_the_middle_of_a_short_span_can_be_had() -> None:
    short = replace(WALK, spans=(StripSpan("CONTACT", "toe.L", 30, 30, 1.0, False, 0),))
    row = row_of("L toe")
    found = [hit_test(TALL, Ruler(6.0, 0.0), short, x, middle(row)).kind for x in (177.5, 180.0, 182.5)]
    assert found == ["START", "SPAN", "END"]


def test_nothing_is_found_beside_the_strip() -> None:
    assert hit_test(TALL, ONE_PIXEL, WALK, 30.0, TALL.top + 1.0) is None
    below = fit_layout(WALK, 300.0, 1.0, is_timeline=False)
    assert hit_test(below, ONE_PIXEL, WALK, 30.0, layout.SCROLL_BAR_HEIGHT_PX - 2.0) is None


# What a drag means


def drag(found: Hit | None, erases: bool = False) -> Drag:
    return Drag(found, erases, 1, 100)


def test_dragging_a_strike() -> None:
    held = drag(hit_at(20.5, "L heel"))
    assert not held.is_painting and held.dragged_frame(TEN_PIXELS, TEN_PIXELS.x(24.4), WALK) == 25
    assert held.move_edit(WALK, 25) == Edit("Move Foot Strike", (("move_strike", ("L", 21, 25)),))
    assert held.move_edit(WALK, 21) is None


def test_an_edge_stays_within_its_span_and_the_labels() -> None:
    end, start = drag(hit_at(40.5, "L heel")), drag(hit_at(23.5, "L toe"))
    assert end.dragged_frame(TEN_PIXELS, TEN_PIXELS.x(5), WALK) == 21
    assert end.dragged_frame(TEN_PIXELS, TEN_PIXELS.x(500), WALK) == 100
    assert start.dragged_frame(TEN_PIXELS, TEN_PIXELS.x(-500), WALK) == 1
    assert end.move_edit(WALK, 45) == Edit("Move Contact Edge", (("move_edge", (3, "end", 45)),))


def test_a_dragged_gait_takes_its_neighbour_along() -> None:
    later = gestures.with_moved_edge(WALK, 1, "START", 31)
    assert [(span.start, span.end) for span in later.spans[:2]] == [(1, 30), (31, 100)]
    swallowed = gestures.with_moved_edge(WALK, 1, "START", 1)
    assert [span.name for span in swallowed.spans if span.kind == "GAIT"] == ["walk"]


def test_painting_and_erasing() -> None:
    empty = hit_at(80, "L heel")
    assert drag(empty).paint_edit(70) == Edit("Add Contact", (("paint_contact", ("foot.L", 70, 80)),))
    assert drag(empty).paint_edit(500) == Edit("Add Contact", (("paint_contact", ("foot.L", 80, 100)),))
    low = fit_layout(WALK, 60, 1.0)
    row = row_of("L foot", low)
    both = drag(Hit("SPAN", row, 30, 3), erases=True).paint_edit(35)
    assert both.calls == (("erase_contact", ("foot.L", 30, 35)), ("erase_contact", ("toe.L", 30, 35)))
    assert drag(hit_at(80, "Gait")).paint_edit(90) == Question("GAIT", 80, 90)


def test_deleting_and_splitting() -> None:
    assert gestures.erase_edit(WALK, hit_at(30, "L toe")).calls == (("erase_contact", ("toe.L", 24, 46)),)
    assert gestures.erase_edit(WALK, hit_at(50.5, "R heel")).calls == (("remove_strike", ("R", 51)),)
    assert gestures.erase_edit(WALK, hit_at(60, "Gait")) is None, "there is always some gait"
    assert gestures.split_edit(WALK, hit_at(60, "Gait")).calls == (("split", (1, 60)),)
    assert gestures.split_edit(WALK, hit_at(80, "L heel")) is None
    low = fit_layout(WALK, 60, 1.0)
    merged = gestures.split_edit(WALK, Hit("SPAN", row_of("L foot", low), 30, 3))
    assert merged.calls == (("split", (4, 30)), ("split", (3, 30))), "the last first: a split moves later numbers"


# Vertices


def test_bars_are_where_the_spans_are() -> None:
    drawing = batches.build_drawing(WALK, TALL.rows, DARK)
    row = row_of("R heel")
    inside = (drawing.bars.positions[:, 1] >= row.low - 1e-6) & (drawing.bars.positions[:, 1] <= row.high + 1e-6)
    assert np.array_equal(np.unique(drawing.bars.positions[inside, 0]), [50.5, 70.5])


def test_the_shade_is_the_confidence() -> None:
    drawing = batches.build_drawing(WALK, [row_of("L heel"), row_of("L toe")], DARK)
    sure, doubtful = drawing.bars.colors[0, 3], drawing.bars.colors[6, 3]
    assert sure == 1.0 and batches.UNCERTAIN_COLOR_RATIO < doubtful < 0.8


def test_only_the_users_are_outlined() -> None:
    assert len(batches.build_drawing(WALK, [row_of("L heel")], DARK).lines) == 8
    assert len(batches.build_drawing(WALK, [row_of("L toe")], DARK).lines) == 0


def test_the_users_strikes_have_another_rim() -> None:
    left, right = (batches.build_drawing(WALK, [row_of(title)], DARK).ticks[0] for title in ("L heel", "R heel"))
    assert left.frames == [20.5] and right.frames == [50.5]
    assert np.allclose(left.rims, DARK.background) and np.allclose(right.rims, DARK.outline)


def test_the_ramp_is_a_saw() -> None:
    row = row_of("Phase")
    for step in (1, 2, 7):
        _, ramp = batches.phase_ramp(PHASE, 1, np.zeros(100, bool), row, DARK.phase, step)
        lines = ramp.positions.reshape(-1, 2, 2)
        values = (lines[..., 1] - row.low) / (row.high - row.low)
        assert np.all(lines[:, 1, 0] > lines[:, 0, 0]) and np.all(values[:, 1] > values[:, 0])
        expected = 0.5 + (lines[..., 0] - 1) / 60
        assert np.allclose((values - expected + 0.5) % 1.0, 0.5, atol=1e-4)
        assert np.isclose(values, 1.0).sum() == np.isclose(values, 0.0).sum() == 2, "frames 31 and 91"


def test_standing_is_faint() -> None:
    _, ramp = batches.phase_ramp(PHASE, 1, WALK.standing, row_of("Phase"), DARK.phase)
    faint = ramp.colors[:, 3] < 0.5
    assert np.all(ramp.positions[faint, 0] <= 21) and np.all(ramp.positions[~faint, 0] >= 21)


def test_an_action_without_phase_or_contacts() -> None:
    bare = StripLabels(1, 30.0, {}, SPANS[:2], (), (), np.zeros(0))
    rows = fit_layout(bare, 200.0, 1.0)
    assert [row.kind for row in rows.rows] == ["GAIT"]
    assert len(batches.build_drawing(bare, rows.rows, DARK).bars) == 12
    assert fit_layout(StripLabels(1, 30.0, {}, (), (), (), np.zeros(0)), 200.0, 1.0) is None


def test_light_and_dark_editors() -> None:
    assert palette_for((0.19, 0.19, 0.19)) is DARK and palette_for((0.7, 0.7, 0.7)) is LIGHT
    assert DARK.label_colors.keys() == LIGHT.label_colors.keys()
