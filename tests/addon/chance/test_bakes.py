"""Bakes of random scenes: every kind is made, one is baked in a process of its own, and what is wrong is noticed."""

import json
import sys
from pathlib import Path

import bpy
import pytest

from footfall.tests.bakes.__main__ import DEEPEST_MM, WALKING_RAD_S, Tally, bake, report
from footfall.tests.bakes.cases import MAKERS, make_case

GOOD = {"character": "A", "frames": 9, "rate": 24.0, "fastest": 9.0, "joint": "shin.L", "ground_penetration": 0.0}


@pytest.mark.parametrize("seed", range(len(MAKERS)))
def test_each_kind_is_made_alike_from_one_seed(seed: int) -> None:
    first = make_case(seed)
    assert first.kind == list(MAKERS)[seed] and first.told
    assert all(bpy.data.objects[name].type == "ARMATURE" for name in first.characters)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert make_case(seed).told == first.told


@pytest.mark.all_only("chance has minutes of its own")
def test_a_case_is_baked_and_nothing_is_wrong(tmp_path: Path) -> None:
    tally = Tally()
    bake(Path(sys.executable), 0, 1, tmp_path, tally)
    assert not tally.faults and tally.cases == {"turns": 1}
    (motion,) = tally.motions
    assert Path(motion["file"]).exists() and 0.0 < motion["fastest"] < WALKING_RAD_S
    assert "| turns | 1 | 0 | 1 |" in report(tally)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [({"fastest": 2 * WALKING_RAD_S}, "turns by 78 rad/s"), ({"ground_penetration": DEEPEST_MM + 5}, "20 mm in the")],
)
def test_motion_that_no_body_has_is_a_fault(change: dict, wrong: str, tmp_path: Path) -> None:
    log, tally = tmp_path / "log.jsonl", Tally()
    lines = [{"seed": 3, "kind": "walls", "told": "1 block"}, {**GOOD, **change}, {"ended": True}]
    log.write_text("\n".join(map(json.dumps, lines)))
    tally.add(log)
    (fault,) = tally.faults
    assert fault.startswith("seed 3, walls, 1 block") and wrong in fault


def test_a_process_that_ends_in_a_case_is_a_fault(tmp_path: Path) -> None:
    log, tally = tmp_path / "log.jsonl", Tally()
    log.write_text(json.dumps({"seed": 8, "kind": "turns", "told": "4 points"}))
    tally.add(log)
    assert tally.faults == ["seed 8, turns, 4 points: the process ended or hung"]
