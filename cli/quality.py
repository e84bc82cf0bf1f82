"""Quality reports of generated motions, and the option ``--fail-on``."""

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ..core.evaluation.quality import MeasureTrace

FAIL_ON_CHOICES: Final = ("doubtful", "bad")
"""Values of ``--fail-on``, equal to the keys of ``core.evaluation.quality.FAILING_VERDICTS``, a slow import."""


def add_fail_on_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--fail-on``, by which a verdict on the motion fails the command."""
    parser.add_argument(
        "--fail-on",
        choices=FAIL_ON_CHOICES,
        help="exit with code 1 if a quality measure has this verdict or a worse one; the motion is still written",
    )


def quality_report(traces: "Iterable[MeasureTrace]") -> dict[str, dict[str, Any]]:
    """Return, by measure, a motion's mean, 95th percentile, worst value with its frame and joint, and verdict."""
    from ..core.evaluation.quality import summarise_traces

    every = list(traces)
    limits = {trace.measure: trace.limits for trace in every}
    return {
        one.measure: {
            "mean": one.mean,
            "p95": one.p95,
            "worst": one.worst,
            "mocap_median": limits[one.measure].typical,
            "unit": limits[one.measure].unit,
            "frame": one.frame,
            "body_part": one.joint,
            "verdict": one.verdict,
        }
        for one in summarise_traces(every)
    }


def quality_lines(report: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return one line of text per measure of a quality report, by measure."""
    return {
        measure: "{verdict}: {worst:.1f} {unit} at frame {frame} ({body_part}), mean {mean:.1f}".format(**row)
        for measure, row in report.items()
    }


def require_quality(report: Mapping[str, Mapping[str, Any]], fail_on: str | None) -> None:
    """Raise :class:`FootfallError` if a measure in a report has a verdict that ``--fail-on`` rejects."""
    from ..core.evaluation.quality import require_verdicts

    require_verdicts({measure: row["verdict"] for measure, row in report.items()}, fail_on)
