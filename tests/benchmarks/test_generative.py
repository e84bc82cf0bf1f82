"""The trade-off of generated control as curves."""

from pathlib import Path

from footfall.benchmarks.generated_motion import MotionDetail, Variant
from footfall.benchmarks.generative import Measured, curves
from footfall.benchmarks.generative_plot import TradeOff, draw_trade_off


def measured(title: str, amount: float, response: float) -> Measured:
    detail = MotionDetail(1.0, 0.9, 0.04)
    return Measured(Variant(title, None, amount), detail, 2.0 * amount, response, (1.5, 5.0), 0.1, 0.0)


def test_curves_of_all_kinds_begin_at_the_control_as_it_is() -> None:
    rows = [measured("as it is", 0.0, 0.5), measured("one", 0.5, 0.55), measured("one", 1.0, 0.6)]
    found = curves([*rows, measured("other", 1.0, 0.75)], spread=2.0)
    assert found["one"] == [
        TradeOff(0.0, 1.0, 1.5, 0.0),
        TradeOff(0.5, 0.55 / 0.5, 1.5, 0.5),
        TradeOff(1.0, 0.6 / 0.5, 1.5, 1.0),
    ]
    assert found["other"] == [TradeOff(0.0, 1.0, 1.5, 0.0), TradeOff(1.0, 1.5, 1.5, 1.0)]


def test_the_picture_names_each_kind(tmp_path: Path) -> None:
    points = [TradeOff(0.0, 1.0, 1.3, 0.1), TradeOff(1.0, 1.1, 1.8, 1.1)]
    draw_trade_off({"variational": points, "denoiser": points}, tmp_path / "curves.svg")
    text = (tmp_path / "curves.svg").read_text()
    assert text.count("<!-- variational -->") == 1 and "<!-- denoiser -->" in text
