"""A sentence for each fault, with its figure and with what people do."""

import math

import pytest

from footfall.core.evaluation.findings import FAULT_TEMPLATES, describe_fault, find_faults
from footfall.core.evaluation.likeness import LikenessFigure
from footfall.core.evaluation.usual_ranges import USUAL_RANGES

LOW = [measure for measure, usual in USUAL_RANGES.items() if math.isfinite(usual.fault_low)]
HIGH = [measure for measure, usual in USUAL_RANGES.items() if math.isfinite(usual.fault_high)]


@pytest.mark.parametrize(("measure", "side"), [*((name, "low") for name in LOW), *((name, "high") for name in HIGH)])
def test_every_limit_of_people_has_a_sentence_with_its_figures(measure: str, side: str) -> None:
    usual = USUAL_RANGES[measure]
    value = usual.fault_low - 1.4 if side == "low" else usual.fault_high + 1.4
    said = describe_fault(LikenessFigure(measure, value, usual))
    assert f"{abs(value):.0f}" in said and said.template in FAULT_TEMPLATES
    limits = [usual.low, usual.high] if "{low}" in said.template and "{high}" in said.template else [
        usual.low if "{low}" in said.template else usual.high]  # fmt: skip
    assert all(f"{limit:.0f}" in said for limit in limits)


def test_a_side_has_its_own_sentence() -> None:
    usual = USUAL_RANGES["side_lean_deg"]
    left, right = (describe_fault(LikenessFigure("side_lean_deg", value, usual)) for value in (-6.0, 6.0))
    assert left.startswith("Leans to the left by 6°") and right.startswith("Leans to the right by 6°")


def test_only_faults_are_told_in_their_order() -> None:
    usual = USUAL_RANGES["standing_knee_deg"]
    figures = {
        "turn_lean_deg": LikenessFigure("turn_lean_deg", 30.0, USUAL_RANGES["turn_lean_deg"]),
        "bounce_cm": LikenessFigure("bounce_cm", 40.0, USUAL_RANGES["bounce_cm"]),
        "standing_knee_deg": LikenessFigure("standing_knee_deg", 14.0, usual),
        "step_width_cm": LikenessFigure("step_width_cm", 19.0, USUAL_RANGES["step_width_cm"]),
    }
    said = find_faults(figures)
    assert [sentence.split()[0] for sentence in said] == ["Leans", "Steps"]


def test_no_finding_tells_an_animator_to_train() -> None:
    assert not [template for template in FAULT_TEMPLATES if "train" in template or "clip" in template]
