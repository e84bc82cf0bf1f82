"""Figures are drawn where they stand, the near limb over the far one."""

import numpy as np
import pytest

from footfall.benchmarks.figure_painter import BACKGROUND, COLORS, GROUND, View, limbs, paint_figure
from footfall.core.motion import Clip
from footfall.tests.support.walker import Walker


@pytest.fixture(scope="module")
def clip() -> Clip:
    return Walker(seconds=1.0).clip()


def hue(picture: np.ndarray, color: tuple[float, float, float]) -> int:
    """Number of pixels of a color's hue, however lit."""
    share = picture / picture.sum(axis=-1, keepdims=True)
    return int((np.abs(share - np.array(color) / sum(color)).max(axis=-1) < 0.02).sum())


def view_of(clip: Clip, right: tuple[float, float], **changes: float) -> View:
    x, y, _ = clip.positions[0, 0]
    return View((float(x), float(y), 0.9), right, **changes)  # type: ignore[arg-type]


def test_from_the_right_the_right_side_hides_the_left(clip: Clip) -> None:
    right = paint_figure(clip, 0, view_of(clip, (0.0, 1.0)))
    left = paint_figure(clip, 0, view_of(clip, (0.0, -1.0)))
    assert hue(right, COLORS["R"]) > 1.2 * hue(right, COLORS["L"])
    assert hue(left, COLORS["L"]) > 1.2 * hue(left, COLORS["R"])


def test_the_figure_stands_on_the_ground_between_sky_and_floor(clip: Clip) -> None:
    picture = paint_figure(clip, 0, view_of(clip, (0.0, 1.0)))
    assert picture.shape == (216, 136, 3) and picture.min() >= 0 and picture.max() <= 1
    assert picture[0, 0] == pytest.approx(BACKGROUND) and picture[-1, 0] == pytest.approx(GROUND)
    figure = (np.abs(picture - BACKGROUND).max(axis=-1) > 0.2) & (np.abs(picture - GROUND).max(axis=-1) > 0.2)
    rows = np.flatnonzero(figure[:195].any(axis=1))
    assert rows[0] < 40 and rows[-1] > 185


def test_looking_down_shows_more_ground(clip: Clip) -> None:
    def ground(view: View) -> int:
        return int((np.abs(paint_figure(clip, 0, view) - GROUND).max(axis=-1) < 1e-6).sum())

    assert ground(view_of(clip, (-1.0, 0.0), elevation=0.25)) > 1.5 * ground(view_of(clip, (-1.0, 0.0)))


def test_each_limb_has_its_side(clip: Clip) -> None:
    colors = [color for *_, color in limbs(clip, 0)]
    assert colors.count(COLORS["L"]) == colors.count(COLORS["R"]) >= 7
