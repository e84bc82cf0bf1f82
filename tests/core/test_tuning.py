"""Tuned numbers say their unit and refuse what is out of range."""

from dataclasses import dataclass, fields, replace

import pytest

from footfall.core.tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class Reach(Tuning):
    margin: float = tuned(0.1, "m", 0.0, 0.5)
    fades: tuple[float, float] = tuned((0.2, 0.4), "s", 0.0, 1.0)


def test_units_stand_beside_the_numbers() -> None:
    assert [one.metadata["unit"] for one in fields(Reach)] == ["m", "s"]
    assert replace(Reach(), margin=0.2).margin == 0.2


@pytest.mark.parametrize("wrong", [{"margin": 0.6}, {"fades": (0.2, 1.4)}, {"margin": float("nan")}])
def test_a_number_out_of_range_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not from"):
        replace(Reach(), **wrong)  # type: ignore[arg-type]
