"""Figures of captured pairs and their file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.pair.dance_figures import FIGURE_RATE_HZ, DanceFigures, Figure, figure_of, fit_pair
from footfall.core.errors import FootfallError
from footfall.core.labelling import label_clip
from footfall.core.motion.root_frame import root_track
from footfall.tests.support.walker import Walker, person


def orbit(seconds: float = 10.0, rate: float = FIGURE_RATE_HZ, turns_s: float = 0.2) -> Figure:
    """Two characters half a meter from their middle that circle it face to face."""
    times = np.arange(round(seconds * rate)) / rate
    angle = 2 * np.pi * turns_s * times
    leader = 0.5 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    yaws = np.stack([angle + np.pi / 2, angle - np.pi / 2], axis=-1)
    gaits = np.tile([0.0, 1.0], (len(times), 2, 1))
    return Figure("orbit", np.stack([leader, -leader], axis=1), yaws, gaits, np.tile([0.0, 1, 1, 0], (len(times), 1)))


def test_a_file_keeps_its_figures(tmp_path: Path) -> None:
    dance = DanceFigures(("stand", "walk"), (orbit(), replace(orbit(6.0), name="short")))
    dance.save(tmp_path / "dance.npz")
    known = DanceFigures.load(tmp_path / "dance.npz")
    assert known.gait_names == dance.gait_names
    assert [figure.name for figure in known.figures] == ["orbit", "short"]
    assert known.seconds == pytest.approx(16.0)
    for name in ("positions", "yaws", "gaits", "holds"):
        for one, other in zip(known.figures, dance.figures, strict=True):
            np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-5)


def test_a_damaged_or_missing_file_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "dance.npz"
    for content in (None, b"", b"PK\x03\x04 nothing"):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(FootfallError, match="contains no dance figures"):
            DanceFigures.load(file)


def test_a_captured_pair_s_figure_is_its_roots() -> None:
    leader = Walker(seconds=5.0).clip()
    follower = replace(leader, root_positions=leader.root_positions + np.array([0.5, 0.0, 0.0]))
    figure = figure_of(leader, follower, [label_clip(leader), label_clip(follower)])
    apart = figure.positions[:, 1] - figure.positions[:, 0]
    np.testing.assert_allclose(apart, np.tile([0.5, 0.0], (len(figure), 1)), atol=1e-6)
    np.testing.assert_allclose(figure.positions[::10, 0], root_track(leader, 0.4).positions[::60], atol=1e-6)
    np.testing.assert_allclose(figure.gaits.sum(axis=-1), 1.0)


def test_bodies_of_two_sizes_share_one_space() -> None:
    """An adult and a child walk side by side; on one skeleton both spaces are scaled alike."""
    adult = Walker(seconds=3.0).clip()
    child = Walker(seconds=3.0, scale=0.5).clip()
    child = replace(child, root_positions=child.root_positions + np.array([0.6, 0.0, 0.0]))
    apart = (root_track(child).positions - root_track(adult).positions)[0]
    first, second = fit_pair(adult, child, person())
    fitted = (root_track(second).positions - root_track(first).positions)[0]
    np.testing.assert_allclose(fitted, apart * np.mean([1.0, 2.0]), atol=0.02)
