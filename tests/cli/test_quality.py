"""The quality of a made motion: its report, and ``--fail-on``."""

import numpy as np
import pytest

from footfall.cli.quality import FAIL_ON_CHOICES, quality_lines, quality_report, require_quality
from footfall.core.errors import FootfallError
from footfall.core.evaluation.quality import MeasureLimits, MeasureTrace

LIMITS = MeasureLimits("cm", 1.0, 2.0, 4.0)


def trace(*values: float) -> MeasureTrace:
    return MeasureTrace("path_deviation", ("hips",), np.array(values)[:, None], LIMITS)


def test_the_report_names_the_worst_frame() -> None:
    (row,) = quality_report([trace(0.0, 3.0, 1.0)]).values()
    assert (row["worst"], row["frame"], row["body_part"], row["verdict"]) == (3.0, 1, "hips", "DOUBTFUL")
    assert (row["unit"], row["mocap_median"], row["mean"]) == ("cm", 1.0, pytest.approx(4 / 3))
    assert quality_lines({"off": row}) == {"off": "DOUBTFUL: 3.0 cm at frame 1 (hips), mean 1.3"}


@pytest.mark.parametrize(("worst", "failing"), [(1.0, ()), (3.0, ("doubtful",)), (5.0, ("doubtful", "bad"))])
def test_a_verdict_fails_with_its_option_and_the_stricter_one(worst: float, failing: tuple[str, ...]) -> None:
    report = quality_report([trace(0.0, worst)])
    require_quality(report, None)
    for fail_on in FAIL_ON_CHOICES:
        if fail_on in failing:
            with pytest.raises(FootfallError, match="path deviation is"):
                require_quality(report, fail_on)
        else:
            require_quality(report, fail_on)
