"""The phase of a standing character rests, and turning on the spot is walking."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.rest import REST_PHASES, rest_phase, turning_share
from footfall.core.labelling import Labels, label_clip
from footfall.tests.support.walker import Walker

RATE = 60.0


def standing_between(before: str, after: str, seconds: float = 4.0) -> tuple[Labels, int, int]:
    """Return labels of steps, a stand and steps again, and the frames of the strikes before and after the stand."""
    labels = label_clip(Walker(seconds=10.0).clip())
    feet = {"L": list(range(45, 181, 60)), "R": list(range(15, 181, 60))}
    start = 240 if before == "R" else 270
    stop = start + round(seconds * RATE)
    feet[before].append(start)
    feet[after].append(stop)
    phase = np.zeros(len(labels))
    frames = sorted((frame, 0.0 if side == "R" else 0.5) for side, frames in feet.items() for frame in frames)
    times, cycles = [0], [0.75]
    for frame, value in frames:
        times.append(frame)
        cycles.append(cycles[-1] + (value - cycles[-1]) % 1.0 + (3.0 if frame == stop else 0.0))
    phase = np.interp(np.arange(len(labels)), times, cycles) % 1.0
    phase[start], phase[stop] = (0.0 if side == "R" else 0.5 for side in (before, after))
    gaits = np.zeros_like(labels.gaits)
    names = list(labels.gait_names)
    gaits[:, names.index("walk")] = 1.0
    gaits[start:stop] = 0.0
    gaits[start:stop, names.index("stand")] = 1.0
    made = replace(
        labels, phase=phase, gaits=gaits, left_strikes=np.array(feet["L"]), right_strikes=np.array(feet["R"])
    )
    return made, start, stop


@pytest.mark.parametrize(("before", "after"), [("R", "L"), ("L", "R"), ("R", "R"), ("L", "L")])
def test_the_phase_rests_after_the_last_strike_and_before_the_first_swing(before: str, after: str) -> None:
    labels, start, stop = standing_between(before, after)
    phase = rest_phase(labels)
    last, first = (REST_PHASES["RL".index(before)], REST_PHASES["LR".index(after)])
    assert phase[start + 15] == pytest.approx(last), "a moment after the last strike"
    assert phase[stop - 26] == pytest.approx(first), "half a cycle before the next strike, less the swing"
    assert np.array_equal(phase[:start], labels.phase[:start])
    rates = np.diff(phase) % 1.0 * RATE
    assert rates[start : stop - 1].max() < 1.0 and (rates[start:stop] < 1e-9).mean() > 0.5


def test_the_other_foot_first_is_a_slow_drift() -> None:
    same, start, stop = standing_between("R", "L")
    other, other_start, other_stop = standing_between("R", "R")
    assert np.ptp(rest_phase(same)[start + 20 : stop - 30]) == 0.0, "to the last bit"
    drift = np.diff(np.unwrap(rest_phase(other)[other_start + 20 : other_stop - 30], period=1.0)) * RATE
    assert 0.2 < drift.max() < 0.6, "cycles a second"


def test_turning_is_seen_ahead() -> None:
    yaws = np.concatenate([np.zeros(120), np.linspace(0.0, 1.0, 60), np.ones(60)])
    share = turning_share(yaws, RATE)
    assert share[0] == 0.0 and share[100] > 0.5 and share[-1] == 0.0
