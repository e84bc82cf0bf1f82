"""Texts that Footfall keeps in Blender's files, which may come from anybody: damage of any kind is told or ignored."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.interaction.object_fits import read_stored_fit
from footfall.blender_addon.animation.bake_report import quality_rows
from footfall.blender_addon.animation.layers.bake_record import PreviousState
from footfall.blender_addon.animation.likeness_report import likeness_rows
from footfall.blender_addon.app import override_text
from footfall.blender_addon.scene.fitted_objects import FIT_PROPERTY, source_names
from footfall.core.evaluation.findings import FAULT_TEMPLATES
from footfall.tests.addon.support.refusals import refused
from footfall.tests.support.walker import Walker

DEEP = "[" * 100_000
HUGE = "9" * 5000
DAMAGED = ("", "{", "7", "[]", "null", '"text"', DEEP, '{"a":' * 100_000, HUGE, "[1e999]", "[NaN]")


def likeness_text(**changed: object) -> str:
    """The text of one figure."""
    row = {"measure": "step_width_cm", "value": 20.0, "low": 5, "high": 15.0, "unit": "cm", "frame": 7}
    row |= {"speed_m_s": None, "template": min(FAULT_TEMPLATES), "fields": {"value": "20"}}
    return json.dumps([row | changed])


def quality_text(**changed: object) -> str:
    """The text of one measure."""
    row = {"measure": "jitter", "mean": 1.0, "p95": 2.0, "worst": 3, "mocap_median": 1.5, "frame": 7}
    return json.dumps([row | {"body_part": "left foot", "verdict": "GOOD"} | changed])


def baked(**settings: str) -> bpy.types.Object:
    """An armature with what a bake says of itself."""
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    armature.footfall.baked_action = bpy.data.actions.new("Walk")
    for name, text in settings.items():
        setattr(armature.footfall, name, text)
    return armature


def test_reports_of_a_bake() -> None:
    armature = baked(quality_report=quality_text(), likeness_report=likeness_text())
    assert [row.measure for row in quality_rows(armature)] == ["jitter"]
    assert [row.measure for row in likeness_rows(armature)] == ["step_width_cm"]
    changed = (
        {"measure": "none"},
        {"measure": []},
        {"mocap_median": 0},
        {"worst": "3"},
        {"frame": 1.5},
        {"body_part": 1},
        {"verdict": 1},
        {"more": 1},
    )
    for text in (*DAMAGED, *(quality_text(**one) for one in changed)):
        assert quality_rows(baked(quality_report=text)) == (), text[:100]
    others = (
        {"measure": []},
        {"value": "x"},
        {"high": "x"},
        {"frame": "x"},
        {"template": "{value:>2000000000}"},
        {"fields": {"value": [1]}},
    )
    for text in (*DAMAGED, *(likeness_text(**one) for one in others)):
        assert likeness_rows(baked(likeness_report=text)) == (), text[:100]


def test_the_state_before_a_bake_is_read_in_what_is_sound() -> None:
    state = PreviousState("OBHero", ("ADD", "HOLD", 0.5), True, False, ["Track"], {"location": [1.0, 2.0]}, [1, 20])
    again = PreviousState.from_json(state.to_json())
    assert again == PreviousState(**json.loads(state.to_json()))
    for text in DAMAGED:
        assert PreviousState.from_json(text) == PreviousState(), text[:100]
    damaged = {"blend": ["ADD", 1, "x"], "tracks": [[]], "values": {"location": {}}, "span": ["a", 2], "slot": "OBHero"}
    assert PreviousState.from_json(json.dumps(damaged)) == PreviousState(slot="OBHero")


def test_what_objects_were_fitted_to() -> None:
    clip = Walker(seconds=0.2).clip()
    fit = {"armature": "Hero", "action": "Walk", "interaction": "sit", "positions": [[0, 0, 0]]}
    fit |= {"rotations": [[1, 0, 0, 0]], "contacts": {"hips": {"intervals": [[0, 5]], "point": [0, 0, 0.5]}}}
    chair = bpy.data.objects.new("Chair", None)
    chair[FIT_PROPERTY] = json.dumps(fit)
    assert source_names(chair) == ("Hero", "Walk")
    assert read_stored_fit(chair, clip).contacts["hips"].in_contact.sum() == 5
    changed = (
        {"positions": 1},
        {"positions": [[None, 0, 0]]},
        {"positions": [["x", 0, 0]]},
        {"positions": []},
        {"rotations": 5},
        {"rotations": [[0, 0, 0, 0]]},
        {"contacts": []},
        {"contacts": {"hips": 1}},
        {"contacts": {"hips": {"intervals": [[0.5, 5]], "point": [0, 0, 0]}}},
        {"contacts": {"hips": {"intervals": 7, "point": [0, 0, 0]}}},
        {"contacts": {"hips": {"intervals": [[0, 5]], "point": 1}}},
        {"interaction": []},
    )
    for text in (*DAMAGED, *(json.dumps(fit | one) for one in changed)):
        chair[FIT_PROPERTY] = text
        assert "is damaged" in refused(read_stored_fit, chair, clip), text[:100]
    for value in (*DAMAGED, 7, [1.0, 2.0], {"a": 1}):
        chair[FIT_PROPERTY] = value
        assert source_names(chair) == ("", ""), value


@pytest.fixture
def override(tmp_path: Path) -> bpy.types.Object:
    """An armature of a library, overridden."""
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    bpy.data.libraries.write(str(tmp_path / "library.blend"), {armature})
    bpy.data.objects.remove(armature)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, wanted):
        wanted.objects = ["Hero"]
    return bpy.data.objects["Hero"].override_create()


@pytest.mark.parametrize(
    "text",
    [
        *DAMAGED[1:],
        '{"seed": 9223372036854775807}',
        '{"seed": 1e30}',
        '{"seed": []}',
        '{"output": 1}',
        '{"output": "x"}',
        '{"path": [1]}',
        '{"path": 7}',
        '{"path": "ab"}',
        '{"path_events": {"a": 1}}',
        '{"path_events": 7}',
        '{"path_events": [1]}',
        '{"path_events": ["type"]}',
        '{"waypoints": [[]]}',
    ],
    ids=lambda text: text[:40],
)
def test_the_settings_of_an_override(override: bpy.types.Object, text: str, capsys) -> None:
    """Blender drops a handler that raises, or tells users of a fault in Footfall, with each file."""
    override.footfall_override_text = text
    override_text.restore_overrides()
    said = capsys.readouterr().out
    assert "the settings of 'Hero' cannot be read" in said or json.loads(text) == []


def test_the_measured_skin_of_an_override_comes_back(override: bpy.types.Object) -> None:
    skin = np.random.default_rng(1).uniform(-1.0, 1.0, np.shape(override.footfall.rig.palm_skin)).round(3)
    override.footfall.rig.palm_skin = skin.tolist()
    override_text.store_overrides()
    text = override.footfall_override_text
    override.footfall.rig.palm_skin = np.zeros_like(skin).tolist()
    override.footfall_override_text = text
    override_text.restore_overrides()
    np.testing.assert_allclose(np.array(override.footfall.rig.palm_skin), skin, atol=1e-6)
