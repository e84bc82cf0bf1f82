"""In Blender, without a window: what the label strip shows where, what the mouse finds there, and what a drag means."""

from dataclasses import replace

import numpy as np

from footfall.blender_addon.label.strip import batches, gestures, layout
from footfall.blender_addon.label.strip.gestures import Drag, Edit
from footfall.blender_addon.label.strip.layout import Hit, Ruler, fit_layout, hit_test
from footfall.blender_addon.label.strip.shown import StripIssue, StripLabels, StripSpan, StripStrike
from footfall.blender_addon.ui.colors import DARK

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


# What the mouse finds


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
    assert end.move_edit(WALK, 45) == Edit("Move End of Contact", (("move_edge", (3, "end", 45)),))


def test_a_dragged_gait_takes_its_neighbour_along() -> None:
    later = gestures.with_moved_edge(WALK, 1, "START", 31)
    assert [(span.start, span.end) for span in later.spans[:2]] == [(1, 30), (31, 100)]
    swallowed = gestures.with_moved_edge(WALK, 1, "START", 1)
    assert [span.name for span in swallowed.spans if span.kind == "GAIT"] == ["walk"]


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


def test_the_shade_is_the_confidence() -> None:
    drawing = batches.build_drawing(WALK, [row_of("L heel"), row_of("L toe")], DARK)
    sure, doubtful = drawing.bars.colors[0, 3], drawing.bars.colors[6, 3]
    assert sure == 1.0 and batches.UNCERTAIN_COLOR_RATIO < doubtful < 0.8


def test_a_bar_covers_its_frames_and_none_beside_them() -> None:
    x = batches.build_drawing(WALK, [row_of("L toe")], DARK).bars.positions[:, 0]
    assert 23 < x.min() < 24 and 46 < x.max() < 47, "of the contact from frame 24 to 46"


def test_labels_that_are_no_better_than_a_guess_share_the_faintest_shade() -> None:
    rows = [row_of("L heel")]
    shades = []
    for confidence in (0.0, 0.3, 0.5, 0.9):
        labels = replace(WALK, spans=[replace(span, confidence=confidence) for span in SPANS])
        shades.append(batches.build_drawing(labels, rows, DARK).bars.colors[0, 3])
    assert 0.0 < shades[0] == shades[1] == shades[2] < shades[3]


def test_a_strike_is_drawn_where_the_mouse_finds_it_with_the_users_rimmed() -> None:
    for title, rim in (("L heel", DARK.background), ("R heel", DARK.outline)):
        (ticks,) = batches.build_drawing(WALK, [row_of(title)], DARK).ticks
        found = [hit_at(float(frame), title) for frame in ticks.frames]
        assert [hit.kind for hit in found if hit] == ["STRIKE"], title
        np.testing.assert_allclose(ticks.rims, [rim], rtol=1e-6)


def test_only_the_users_are_outlined() -> None:
    assert len(batches.build_drawing(WALK, [row_of("L heel")], DARK).lines) == 8
    assert len(batches.build_drawing(WALK, [row_of("L toe")], DARK).lines) == 0


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


def test_the_ramp_is_fainter_while_the_character_stands() -> None:
    ramp = batches.build_drawing(WALK, [row_of("Phase")], DARK).ramp
    frames, strength = ramp.positions[::2, 0], ramp.colors[::2, 3]
    assert strength[frames < 20].max() < strength[frames > 22].min()
