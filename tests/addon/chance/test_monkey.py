"""A random walk over the operators finds nothing wrong, and notices what is."""

import json
from pathlib import Path

import bpy
import pytest

from footfall.tests.monkey.__main__ import Tally, walk
from footfall.tests.monkey.deeds import operators
from footfall.tests.monkey.scene import KEPT
from footfall.tests.monkey.state import action_digest, broken_keys, differences, read_state


@pytest.mark.all_only("chance has minutes of its own")
def test_a_short_walk_finds_nothing_wrong() -> None:
    tally = Tally()
    walk(1, 25, tally)
    assert not tally.faults
    assert sum(tally.deeds.values()) == 25 and tally.results["done"] > 3


def test_a_process_that_ends_in_a_deed_is_a_fault(tmp_path: Path) -> None:
    log, tally = tmp_path / "log.jsonl", Tally()
    lines = [{"deed": 0, "kind": "operator", "told": "a()"}, {"result": "done"}]
    log.write_text("\n".join(map(json.dumps, [*lines, {"ended": True}])))
    tally.add(1, log)
    assert not tally.faults and tally.results == {"done": 1}
    log.write_text("\n".join(map(json.dumps, [*lines, {"deed": 1, "kind": "operator", "told": "b()"}])))
    tally.add(2, log)
    assert tally.faults == ["seed 2, deed 1, b(): the process ended or hung"]


def test_what_starts_programs_is_not_called() -> None:
    assert "start_training" not in operators() and "bake_shot" in operators()


def test_states_differ_by_what_was_changed() -> None:
    assert bpy.ops.footfall.add_character() == {"FINISHED"}
    armature, before = bpy.context.object, read_state()
    assert not differences(before, read_state())
    armature.footfall.speed = 2.0
    assert [one.partition(":")[0] for one in differences(before, read_state())] == [
        f"object {armature.name}.footfall.speed"
    ]


def test_keys_that_are_not_finite_are_found() -> None:
    thing = bpy.data.objects.new("Thing", None)
    thing.keyframe_insert("location", frame=1)
    action = thing.animation_data.action
    action.name, before = KEPT, action_digest(thing.animation_data.action)
    assert not list(broken_keys())
    action.layers[0].strips[0].channelbags[0].fcurves[0].keyframe_points.foreach_set("co", [1.0, float("nan")])
    assert list(broken_keys()) == [f"{KEPT}: location[0]"]
    assert action_digest(action) != before
