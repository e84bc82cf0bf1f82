"""In Blender, without graphics: a run's curves, axes, and where everything of the plot is."""

import bpy
import numpy as np

from footfall.blender_addon.train.plot.axis import Axis, format_number
from footfall.blender_addon.train.plot.colors import DARK, LIGHT, colors_on
from footfall.blender_addon.train.plot.layout import Box, PlotDrawing, layout_plot
from footfall.blender_addon.train.run_curves import RunCurves, format_measure, measure_title, measure_unit

assert bpy.app.background
BOX = Box(10.0, 20.0, 470.0, 320.0)  # room for three measures


def width_of(text: str, size: float) -> float:
    return 0.55 * size * len(text)


def trained(reports: int, rollouts: bool = True) -> RunCurves:
    """A run of so many reports, one every six seconds: its loss halves every twenty minutes, then a second stage."""
    curves = RunCurves()
    for number in range(reports):
        report = {"time": 1e9 + 6.0 * number, "loss": 0.5 * 2.0 ** (-number / 200), "stage": "one"}
        report["validation_loss"] = 1.2 * report["loss"] if number % 10 == 9 else None
        if number >= 0.7 * reports:
            report["stage"] = "two"
        curves.add(report)
        if rollouts and number % 50 == 49:
            measured = {"score": 3.0, "skate_cm_s": 0.8, "path_error_cm": 90.0 / number, "alive_s": 60.0}
            curves.add({"time": report["time"], "rollout": measured})
    return curves


def laid_out(curves: RunCurves, box: Box = BOX, scale: float = 1.0) -> PlotDrawing:
    return layout_plot(curves, box, "walker", scale, width_of)


def test_curves_are_taken_from_reports() -> None:
    curves = trained(100)
    assert abs(curves.minutes - 9.9) < 1e-9 and len(curves.losses["loss"].values) == 100
    assert len(curves.losses["validation_loss"].values) == 10, "where it was known"
    assert curves.measures["alive_s"].values == [60.0, 60.0]
    assert [name for _, name in curves.stages] == ["one", "two"] and abs(curves.stages[1][0] - 7.0) < 1e-9
    assert curves.rollout_summary() == "path deviation 0.909 cm, foot sliding 0.8 cm/s, survived 60 s, score 3"


def test_odd_reports_do_no_harm() -> None:
    curves = RunCurves()
    for report in (
        {},
        {"stage": "dataset", "step": 1, "total": 2, "clip": "a.bvh"},
        {"loss": "low", "time": "noon"},
        {"loss": float("nan"), "validation_loss": True},
        {"rollout": [1, 2]},
        {"rollout": {"fell": True, "why": "stairs", "circle": {"skate_cm_s": 1.5, "alive_s": None}}},
        {"loss": 0.5, "time": 5.0, "stage": 7},
    ):
        curves.add(report)
    assert {name: curve.values for name, curve in curves.measures.items()} == {"circle skate_cm_s": [1.5]}
    assert curves.losses["loss"].values == [0.5] and curves.stages == []


def test_a_pause_is_no_training() -> None:
    curves = RunCurves()
    for time in (0.0, 60.0, 90_000.0, 90_060.0, 90_030.0):
        curves.add({"time": time, "loss": 1.0})
    assert curves.losses["loss"].minutes == [0.0, 1.0, 1.0, 2.0, 2.0]


def test_names_and_units() -> None:
    assert [measure_unit(name) for name in ("a_cm", "a_cm_s", "a_m_s", "a_deg", "a_s", "gas")] == [
        *("cm", "cm/s", "m/s", "°", "s", "")
    ]
    assert measure_title("hip_sway_cm") == "hip sway" and measure_title("loss") == "training"
    assert format_measure("x_mm", 12.345) == "12.3 mm"


def test_linear_axes() -> None:
    axis = Axis.spanning([0.2, 4.7], zero=True)
    assert axis.low == 0.0 and 4.7 < axis.high < 5.0
    assert axis.ticks(5) == [0.0, 1.0, 2.0, 3.0, 4.0] and axis.ticks(2) == [0.0]
    np.testing.assert_allclose(Axis(-1.0, 3.0).positions([-1.0, 1.0, 3.0]), [0.0, 0.5, 1.0])
    flat = Axis.spanning([60.0, 60.0])
    assert flat.low < 60.0 < flat.high
    assert Axis.spanning([0.0], zero=True).high > 0.0


def test_logarithmic_axes() -> None:
    axis = Axis(0.001, 10.0, True)
    np.testing.assert_allclose(axis.positions([0.001, 0.1, 10.0]), [0.0, 0.5, 1.0], atol=1e-12)
    assert np.isnan(axis.positions([0.0, -1.0])).all()
    np.testing.assert_allclose(axis.ticks(9), [0.001, 0.01, 0.1, 1.0, 10.0])
    np.testing.assert_allclose(axis.ticks(3), [0.001, 0.1, 10.0])
    np.testing.assert_allclose(Axis(0.04, 0.3, True).ticks(9), [0.05, 0.1, 0.2])
    np.testing.assert_allclose(Axis(0.21, 0.29, True).ticks(4), [0.22, 0.24, 0.26, 0.28])
    assert Axis.spanning([0.0, -1.0], is_log=True).is_log, "nothing has a place on it"
    assert [format_number(value) for value in (0.05, 1e-5, 1000.0)] == ["0.05", "1e-05", "1000"]


def test_everything_lies_inside() -> None:
    for scale in (1.0, 2.0):
        box = Box(BOX.left, BOX.low, BOX.left + 460 * scale, BOX.low + 300 * scale)
        drawing = laid_out(trained(600), box, scale)
        places = np.concatenate([line.points for line in drawing.lines])
        assert (places >= [box.left, box.low]).all() and (places <= [box.right, box.high]).all()
        for text in drawing.texts:
            assert box.left - 1 <= text.x and text.x + width_of(text.text, text.size) <= box.right + 1, text
            assert box.low <= text.y <= box.high, text
        for inner, _ in drawing.boxes:
            assert inner.width > 0 and inner.height > 0


def test_what_is_written() -> None:
    said = [text.text for text in laid_out(trained(600)).texts]
    assert said[0] == "walker" and "two" in said and "0 min" in said
    assert any(text.startswith("training 0.0") for text in said) and any(text.startswith("validation") for text in said)
    assert {"path deviation", "foot sliding", "survived", "60 s"} <= set(said) and "score" not in said, (
        "what matters most"
    )
    assert "score" in [text.text for text in laid_out(trained(600), Box(0.0, 0.0, 540.0, 300.0)).texts]
    assert "0 h" in [text.text for text in laid_out(trained(3000)).texts], "five hours"


def test_curves_are_where_their_values_are() -> None:
    curves = trained(600, rollouts=False)
    drawing = laid_out(curves)
    pane = next(box for box, role in drawing.boxes if role == "pane")
    parts = [line.points for line in drawing.lines if line.role == "first"]
    assert len(parts) == 2, "a loss in one stage is none in another"
    points = np.concatenate(parts)
    assert len(points) <= pane.width / 2 + 2, "no more points than can be seen"
    assert (np.diff(points[:, 0]) > 0).all() and (np.diff(points[:, 1]) < 0).all(), "it falls"
    slope = np.polyfit(points[:, 0], points[:, 1], 1)
    assert np.abs(np.polyval(slope, points[:, 0]) - points[:, 1]).max() < 1.0, "a straight line, by decades"
    np.testing.assert_allclose(points[[0, -1], 0], [pane.left, pane.right], atol=2.0)
    ((stage,),) = {tuple(line.points[:, 0].tolist())[:1] for line in drawing.lines if line.role == "stage"}
    assert parts[0][-1, 0] < stage < parts[1][1, 0]


def test_a_single_value_is_seen() -> None:
    curves = RunCurves()
    curves.add({"loss": 0.3, "time": 1.0, "stage": "one"})
    (line,) = [line for line in laid_out(curves).lines if line.role == "first"]
    assert np.ptp(line.points[:, 0]) > 3.0 and np.ptp(line.points[:, 1]) == 0.0


def test_only_what_there_is_is_drawn() -> None:
    assert [text.text for text in laid_out(RunCurves()).texts] == ["walker", "no curves yet"]
    roles = [role for _, role in laid_out(trained(100, rollouts=False)).boxes]
    assert roles == ["back", "pane"]
    assert [role for _, role in laid_out(trained(100)).boxes] == ["back", "pane", "pane", "pane", "pane"]
    only = RunCurves()
    only.add({"rollout": {"alive_s": 60.0}})
    assert [role for _, role in laid_out(only).boxes] == ["back", "pane"]


def test_measures_of_all_courses_come_before_those_of_one() -> None:
    curves = RunCurves()
    curves.add({"rollout": {"circle": {"a_cm": 1.0, "b_cm": 1.0}, "square": {"a_cm": 1.0}, "skate_cm_s": 1.0}})
    titles = [text.text for text in laid_out(curves).texts]
    assert titles.index("foot sliding") < titles.index("circle a")


def test_a_small_box_leaves_out_what_has_no_room() -> None:
    drawing = laid_out(trained(600), Box(0.0, 0.0, 190.0, 130.0))
    said = [text.text for text in drawing.texts]
    assert any(text.startswith("validation") for text in said) and not any(text.startswith("training") for text in said)
    assert any(line.role == "first" for line in drawing.lines)


def test_colours_for_dark_and_light() -> None:
    assert colors_on((0.2, 0.2, 0.2)) is DARK and colors_on((0.9, 0.9, 0.9)) is LIGHT
    assert DARK.keys() == LIGHT.keys()
