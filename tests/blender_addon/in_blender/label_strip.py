"""In Blender, without a window: what the label strip shows where, what the mouse finds there, and what a drag means."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from footfall.blender_addon.label.strip import batches, gestures, layout
from footfall.blender_addon.label.strip.gestures import Drag, Edit, Question
from footfall.blender_addon.label.strip.layout import Hit, Ruler, fit, hit
from footfall.blender_addon.label.strip.shown import Shown, Span, Spot, Strike, united
from footfall.blender_addon.ui.colors import DARK, LIGHT, palette_on

sys.path.insert(0, str(Path(__file__).parent))
from harness import run_checks

FEET = {"foot.L": "L", "toe.L": "L", "foot.R": "R", "toe.R": "R"}
SPANS = (
    Span("GAIT", "stand", 1, 20, 0.9, False, 0),
    Span("GAIT", "walk", 21, 100, 0.9, False, 1),
    Span("ACTION", "walk", 1, 100, 0.7, False, 2),
    Span("CONTACT", "foot.L", 21, 40, 1.0, True, 3),
    Span("CONTACT", "toe.L", 24, 46, 0.75, False, 4),
    Span("CONTACT", "foot.R", 51, 70, 1.0, False, 5),
)
STRIKES = (Strike(21, "L", False), Strike(51, "R", True))
PHASE = (0.5 + np.arange(100) / 60) % 1.0
WALK = Shown(1, 30.0, FEET, SPANS, STRIKES, (Spot(60, 0.8, "Is this a contact?", 0),), PHASE)
ONE_PIXEL = Ruler(1.0, 0.0)
TEN_PIXELS = Ruler(10.0, -5.0)
TALL = fit(WALK, 400.0, 1.0)


def row_of(name: str, rows: layout.Layout = TALL) -> layout.Row:
    return next(row for row in rows.rows if name in (row.kind, row.title, *row.names))


def middle(row: layout.Row, rows: layout.Layout = TALL) -> float:
    return rows.y(row.bottom + row.height / 2)


def hit_at(frame: float, name: str, shown: Shown = WALK) -> Hit | None:
    return hit(TALL, TEN_PIXELS, shown, TEN_PIXELS.x(frame), middle(row_of(name)))


# Layout


def check_a_tall_editor_has_a_row_for_everything() -> None:
    assert [row.title for row in TALL.rows] == ["", "Action", "Gait", "Phase", "L heel", "L toe", "R heel", "R toe"]
    assert TALL.unit == layout.HIGHEST and TALL.below == layout.SCROLL_BAR
    assert [row.title for row in TALL.rows if row.strikes] == ["L heel", "R heel"]


def check_rows_fill_the_strip_without_overlapping() -> None:
    for height in range(20, 400, 7):
        rows = fit(WALK, height, 1.0)
        if rows is None:
            continue
        tops = [row.bottom + row.height for row in rows.rows]
        assert np.allclose([row.bottom for row in rows.rows], [*tops[1:], 0.0])
        assert rows.top <= height - layout.HEADER + 1e-6 and rows.unit >= layout.LOWEST


def check_lower_editors_show_less() -> None:
    counts = [len(fit(WALK, height, 1.0).rows) for height in (400, 90, 60, 42, 35, 30)]
    assert counts == sorted(counts, reverse=True) and counts[0] == 8 and counts[-1] == 2, counts
    assert [row.title for row in fit(WALK, 30, 1.0).rows] == ["L foot", "R foot"]
    assert fit(WALK, layout.HEADER + 2, 1.0) is None


def check_a_dope_sheet_keeps_room_for_its_channels_and_its_scroll_bar() -> None:
    rows = fit(WALK, 300.0, 1.0, is_timeline=False)
    assert rows.top <= 300 * 0.65 and rows.below == layout.SCROLL_BAR
    assert fit(WALK, 50.0, 1.0).below == 0.0, "in a low Timeline every pixel is needed"


def check_a_high_density_screen_scales_rows_and_limits() -> None:
    for height in (30, 60, 90, 200, 400):
        plain, fine = fit(WALK, height, 1.0), fit(WALK, 2 * height, 2.0)
        assert [row.title for row in plain.rows] == [row.title for row in fine.rows]
        assert np.isclose(fine.unit, 2 * plain.unit)


def check_hands_and_front_paws_have_names_and_rows() -> None:
    assert [layout.title_of(name) for name in ("foot.L", "front_foot.R", "hips", "hand.L")] == [
        "L heel",
        "R front foot",
        "hips",
        "L hand",
    ]
    animal = replace(WALK, joints={"front_foot.L": "FL", "foot.R": "R", "foot.L": "L", "hips": ""})
    contacts = [row for row in fit(animal, 400.0, 1.0).rows if row.kind == "CONTACT"]
    assert [row.names[0] for row in contacts] == ["front_foot.L", "foot.L", "foot.R", "hips"]


def check_united_spans() -> None:
    both = united(span for span in SPANS if span.name in ("foot.L", "toe.L"))
    assert [(span.start, span.end, span.users) for span in both] == [(21, 46, True)]


# What the mouse finds


def check_frames_are_where_they_are_drawn() -> None:
    ruler = Ruler(10.0, 7.0)
    for frame in (-3, 0, 12):
        assert ruler.frame(ruler.x(frame)) == frame
        assert ruler.first(ruler.x(frame - 0.5)) == frame == ruler.last(ruler.x(frame + 0.5))


def check_ticks_come_before_edges_and_edges_before_bodies() -> None:
    assert hit_at(20.5, "L heel").what == "STRIKE"
    assert hit_at(40.5, "L heel") == Hit("END", row_of("L heel"), 41, 3)
    assert hit_at(23.5, "L toe").what == "START"
    assert hit_at(30, "L heel") == Hit("SPAN", row_of("L heel"), 30, 3)
    assert hit_at(80, "L heel") == Hit("EMPTY", row_of("L heel"), 80)
    assert hit_at(60, "SPOT") == Hit("SPOT", row_of("SPOT"), 60, 0)
    assert hit_at(60, "Phase") is None and hit_at(70, "SPOT") is None


def check_between_two_gaits_the_side_decides_whose_edge_it_is() -> None:
    assert (hit_at(20.4, "Gait").what, hit_at(20.4, "Gait").item) == ("END", 0)
    assert (hit_at(20.6, "Gait").what, hit_at(20.6, "Gait").item) == ("START", 1)


def check_the_middle_of_a_short_span_can_be_had() -> None:
    short = replace(WALK, spans=(Span("CONTACT", "toe.L", 30, 30, 1.0, False, 0),))
    row = row_of("L toe")
    found = [hit(TALL, Ruler(6.0, 0.0), short, x, middle(row)).what for x in (177.5, 180.0, 182.5)]
    assert found == ["START", "SPAN", "END"]


def check_nothing_is_found_beside_the_strip() -> None:
    assert hit(TALL, ONE_PIXEL, WALK, 30.0, TALL.top + 1.0) is None
    below = fit(WALK, 300.0, 1.0, is_timeline=False)
    assert hit(below, ONE_PIXEL, WALK, 30.0, layout.SCROLL_BAR - 2.0) is None


# What a drag means


def drag(found: Hit | None, erases: bool = False) -> Drag:
    return Drag(found, erases, 1, 100)


def check_dragging_a_strike() -> None:
    held = drag(hit_at(20.5, "L heel"))
    assert not held.paints and held.edge_at(TEN_PIXELS, TEN_PIXELS.x(24.4), WALK) == 25
    assert held.moved(WALK, 25) == Edit("Move Foot Strike", (("move_strike", ("L", 21, 25)),))
    assert held.moved(WALK, 21) is None


def check_an_edge_stays_within_its_span_and_the_labels() -> None:
    end, start = drag(hit_at(40.5, "L heel")), drag(hit_at(23.5, "L toe"))
    assert end.edge_at(TEN_PIXELS, TEN_PIXELS.x(5), WALK) == 21
    assert end.edge_at(TEN_PIXELS, TEN_PIXELS.x(500), WALK) == 100
    assert start.edge_at(TEN_PIXELS, TEN_PIXELS.x(-500), WALK) == 1
    assert end.moved(WALK, 45) == Edit("Move Contact Edge", (("move_edge", (3, "end", 45)),))


def check_a_dragged_gait_takes_its_neighbour_along() -> None:
    later = gestures.with_edge(WALK, 1, "START", 31)
    assert [(span.start, span.end) for span in later.spans[:2]] == [(1, 30), (31, 100)]
    swallowed = gestures.with_edge(WALK, 1, "START", 1)
    assert [span.name for span in swallowed.spans if span.kind == "GAIT"] == ["walk"]


def check_painting_and_erasing() -> None:
    empty = hit_at(80, "L heel")
    assert drag(empty).painted(70) == Edit("Paint Contact", (("paint_contact", ("foot.L", 70, 80)),))
    assert drag(empty).painted(500) == Edit("Paint Contact", (("paint_contact", ("foot.L", 80, 100)),))
    low = fit(WALK, 60, 1.0)
    row = row_of("L foot", low)
    both = drag(Hit("SPAN", row, 30, 3), erases=True).painted(35)
    assert both.calls == (("erase_contact", ("foot.L", 30, 35)), ("erase_contact", ("toe.L", 30, 35)))
    assert drag(hit_at(80, "Gait")).painted(90) == Question("GAIT", 80, 90)


def check_deleting_and_splitting() -> None:
    assert gestures.erased(WALK, hit_at(30, "L toe")).calls == (("erase_contact", ("toe.L", 24, 46)),)
    assert gestures.erased(WALK, hit_at(50.5, "R heel")).calls == (("remove_strike", ("R", 51)),)
    assert gestures.erased(WALK, hit_at(60, "Gait")) is None, "there is always some gait"
    assert gestures.divided(WALK, hit_at(60, "Gait")).calls == (("split", (1, 60)),)
    assert gestures.divided(WALK, hit_at(80, "L heel")) is None
    low = fit(WALK, 60, 1.0)
    merged = gestures.divided(WALK, Hit("SPAN", row_of("L foot", low), 30, 3))
    assert merged.calls == (("split", (4, 30)), ("split", (3, 30))), "the last first: a split moves later numbers"


# Vertices


def check_bars_are_where_the_spans_are() -> None:
    drawing = batches.build(WALK, TALL.rows, DARK)
    row = row_of("R heel")
    inside = (drawing.bars.places[:, 1] >= row.low - 1e-6) & (drawing.bars.places[:, 1] <= row.high + 1e-6)
    assert np.array_equal(np.unique(drawing.bars.places[inside, 0]), [50.5, 70.5])


def check_the_shade_is_the_confidence() -> None:
    drawing = batches.build(WALK, [row_of("L heel"), row_of("L toe")], DARK)
    sure, doubtful = drawing.bars.colours[0, 3], drawing.bars.colours[6, 3]
    assert sure == 1.0 and batches.DOUBTFUL < doubtful < 0.8


def check_only_the_users_are_outlined() -> None:
    assert len(batches.build(WALK, [row_of("L heel")], DARK).lines) == 8
    assert len(batches.build(WALK, [row_of("L toe")], DARK).lines) == 0


def check_the_users_strikes_have_another_rim() -> None:
    left, right = (batches.build(WALK, [row_of(title)], DARK).ticks[0] for title in ("L heel", "R heel"))
    assert left.places == [20.5] and right.places == [50.5]
    assert np.allclose(left.rims, DARK.back) and np.allclose(right.rims, DARK.outline)


def check_the_ramp_is_a_saw() -> None:
    row = row_of("Phase")
    for step in (1, 2, 7):
        _, ramp = batches.phase_ramp(PHASE, 1, np.zeros(100, bool), row, DARK.phase, step)
        lines = ramp.places.reshape(-1, 2, 2)
        values = (lines[..., 1] - row.low) / (row.high - row.low)
        assert np.all(lines[:, 1, 0] > lines[:, 0, 0]) and np.all(values[:, 1] > values[:, 0])
        expected = 0.5 + (lines[..., 0] - 1) / 60
        assert np.allclose((values - expected + 0.5) % 1.0, 0.5, atol=1e-4)
        assert np.isclose(values, 1.0).sum() == np.isclose(values, 0.0).sum() == 2, "frames 31 and 91"


def check_standing_is_faint() -> None:
    _, ramp = batches.phase_ramp(PHASE, 1, WALK.standing, row_of("Phase"), DARK.phase)
    faint = ramp.colours[:, 3] < 0.5
    assert np.all(ramp.places[faint, 0] <= 21) and np.all(ramp.places[~faint, 0] >= 21)


def check_an_action_without_phase_or_contacts() -> None:
    bare = Shown(1, 30.0, {}, SPANS[:2], (), (), np.zeros(0))
    rows = fit(bare, 200.0, 1.0)
    assert [row.kind for row in rows.rows] == ["GAIT"]
    assert len(batches.build(bare, rows.rows, DARK).bars) == 12
    assert fit(Shown(1, 30.0, {}, (), (), (), np.zeros(0)), 200.0, 1.0) is None


def check_light_and_dark_editors() -> None:
    assert palette_on((0.19, 0.19, 0.19)) is DARK and palette_on((0.7, 0.7, 0.7)) is LIGHT
    assert DARK.named.keys() == LIGHT.named.keys()


run_checks(globals())
