"""In Blender, without graphics: a run's curves, axes, and where everything of the plot is."""

import bpy
import numpy as np

from footfall.blender_addon.train.plot.layout import Box, PlotDrawing, layout_plot
from footfall.blender_addon.train.run_curves import RunCurves

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
