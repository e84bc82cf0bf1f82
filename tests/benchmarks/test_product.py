"""What is measured of the add-on in Blender is the add-on: every panel of a baked character is drawn."""

import json
from pathlib import Path

import pytest

IN_BLENDER = Path(__file__).parents[2] / "benchmarks" / "product_in_blender.py"


@pytest.mark.slow
def test_importing_is_part_of_enabling_and_all_panels_are_drawn(blender) -> None:
    seconds = json.loads(blender(IN_BLENDER, "panels").stdout.splitlines()[-1])
    assert 0 < seconds["package"] < seconds["import"] < seconds["enabling"]
    assert {f"FOOTFALL_PT_{name}" for name in ("label", "train", "rig", "direct", "interactions")} <= set(
        seconds["panels"]
    )
    assert all(value > 0 for value in seconds["panels"].values())
