"""The trainer's Python - chosen, made of wheels, cancelled, removed - and the doctor."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from footfall.blender_addon.train import environment_setup
from footfall.blender_addon.train.environment import (
    configured_python,
    environment,
    environment_recipe,
    require_training_python,
    why_offline,
)
from footfall.blender_addon.train.environment_settings import draw_trainer
from footfall.core.jobs.trainer_setup.requirements import TRAINING_REQUIREMENTS, pinned_versions, requested_packages
from footfall.tests.addon.support.panel_layout import Layout
from footfall.tests.addon.support.refusals import refusal_of, refused
from footfall.tests.core.jobs.trainer_setup.wheels import make_wheel

PINS = pinned_versions(TRAINING_REQUIREMENTS)


def session() -> bpy.types.PropertyGroup:
    return bpy.context.window_manager.footfall


def look_until(done, seconds: float = 120.0) -> list[str]:
    """Looks at the making, as the timer does, until something is so; tells what it was at."""
    said, until = [], time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, said
        environment_setup.poll_install()
        said.append(session().environment_step)
    return said


@pytest.fixture
def make_wheels(tmp_path: Path, preferences: bpy.types.AddonPreferences) -> Callable[..., Path]:
    """Choose a folder with wheels of torch and the other requirements, which are empty, but for those left out."""

    def make(*left_out: str) -> Path:
        folder = tmp_path / "wheels"
        folder.mkdir()
        for name in {*requested_packages(TRAINING_REQUIREMENTS)} - {*left_out}:
            make_wheel(folder, name.replace("-", "_"), PINS[name])
        preferences.wheels_folder = str(folder)
        return folder

    return make


def test_a_python_is_chosen_or_there_is_none(preferences: bpy.types.AddonPreferences) -> None:
    assert configured_python() is None and session().environment_status == "missing"
    assert "press Install Environment, or choose a Python with PyTorch" in refused(require_training_python)
    preferences.training_python = sys.executable
    assert require_training_python() == Path(sys.executable) == environment_recipe().python


def test_nothing_is_downloaded_unless_blender_may_go_online(
    preferences: bpy.types.AddonPreferences, tmp_path: Path
) -> None:
    assert not bpy.app.online_access, "the module's own default"
    assert not bpy.ops.footfall.install_training_environment.poll()
    assert "Allow Online Access" in (why_offline(environment_recipe()) or "")
    preferences.wheels_folder = str(tmp_path)
    assert why_offline(environment_recipe()) is None and bpy.ops.footfall.install_training_environment.poll()
    assert "There are no wheels in" in refusal_of(bpy.ops.footfall.install_training_environment)
    preferences.package_index, preferences.torch_index = " https://mirror.studio/simple ", "file:///srv/torch"
    assert (
        environment_recipe().index == "https://mirror.studio/simple"
        and environment_recipe().torch_index == "file:///srv/torch"
    )
    preferences.base_python = "/no/python"
    assert "'/no/python' does not exist" in refusal_of(bpy.ops.footfall.install_training_environment)
    assert not environment().folder.exists() and not environment_setup.is_running()


def test_an_environment_is_made_of_wheels_and_removed(make_wheels: Callable[..., Path]) -> None:
    make_wheels()
    assert bpy.ops.footfall.install_training_environment() == {"FINISHED"}
    assert environment_setup.is_running() and session().environment_status == "making"
    assert (
        not bpy.ops.footfall.install_training_environment.poll()
        and not bpy.ops.footfall.remove_training_environment.poll()
    )
    said = look_until(lambda: not environment_setup.is_running())
    assert "Creating the environment" in said, said
    assert session().environment_step == f"PyTorch {PINS['torch']} is installed" and not session().environment_error
    assert session().environment_status == "ready" and require_training_python() == environment().python
    ready = environment().folder / "footfall-ready.json"
    ready.write_text(json.dumps(json.loads(ready.read_text()) | {"requirements": "those of another version"}))
    assert bpy.ops.footfall.check_training_setup() == {"FINISHED"}
    said = {finding.text: finding.level for finding in session().setup_findings}
    assert said["The training environment belongs to another version of Footfall"] == "warning"
    assert bpy.ops.footfall.remove_training_environment() == {"FINISHED"}
    assert not environment().folder.exists() and session().environment_status == "missing"
    assert not bpy.ops.footfall.remove_training_environment.poll()


def test_cancelling_removes_what_is_half_made(make_wheels: Callable[..., Path]) -> None:
    make_wheels()
    bpy.ops.footfall.install_training_environment()
    look_until(lambda: session().environment_step == "Creating the environment")
    assert bpy.ops.footfall.cancel_training_environment() == {"FINISHED"}
    assert not environment().folder.exists() and session().environment_status == "missing"
    assert not environment_setup.is_running() and not bpy.ops.footfall.cancel_training_environment.poll()


def test_what_went_wrong_is_shown_and_the_rest_is_gone_on_with(make_wheels: Callable[..., Path]) -> None:
    folder = make_wheels("torch")
    bpy.ops.footfall.install_training_environment()
    look_until(lambda: not environment_setup.is_running())
    assert "has no wheel of torch" in session().environment_error, session().environment_error
    assert session().environment_status == "unfinished"
    make_wheel(folder, "torch", PINS["torch"])
    bpy.ops.footfall.install_training_environment()
    assert not session().environment_error
    said = look_until(lambda: not environment_setup.is_running())
    assert "Creating the environment" not in said and not session().environment_error
    bpy.ops.footfall.remove_training_environment()


def test_leaving_blender_ends_the_making_and_keeps_what_is_there(make_wheels: Callable[..., Path]) -> None:
    make_wheels()
    bpy.ops.footfall.install_training_environment()
    look_until(lambda: session().environment_step == "Creating the environment")
    environment_setup.stop_install()
    assert environment().state() == "unfinished" and environment().maker_pid() is None
    bpy.ops.footfall.remove_training_environment()


def settings_shown() -> list[str]:
    """What the preferences show of the training environment."""
    layout = Layout()
    draw_trainer(layout, bpy.context)
    return layout.seen


def test_what_the_preferences_say_of_the_environment(preferences: bpy.types.AddonPreferences) -> None:
    seen = settings_shown()
    assert "[Install Environment]" in seen and "[Remove]" not in seen and "<torch_index>" not in seen
    preferences.show_advanced = True
    assert {"<wheels_folder>", "<package_index>", "<torch_index>", "<base_python>"} < set(settings_shown())
    assert any("Allow Online Access" in text for text in seen), "why the button is greyed out"
    session().environment_status, session().environment_fraction, session().environment_step = (
        "making",
        0.25,
        "Unpacking 9 packages",
    )
    seen = settings_shown()
    assert {"(25 %)", "Unpacking 9 packages", "[Cancel]"} <= set(seen) and "[Install Environment]" not in seen
    session().environment_status, session().environment_error = "unfinished", "The disk is full."
    seen = settings_shown()
    assert {"The disk is full.", "[Resume]", "[Remove]"} <= set(seen)
    session().environment_status, session().environment_error = "ready", ""
    seen = settings_shown()
    assert "[Remove]" in seen and not {"[Install Environment]", "[Resume]", "[Update Environment]"} & set(seen)
    preferences.training_python = sys.executable
    bpy.ops.footfall.check_training_setup()
    seen = settings_shown()
    assert "<torch_index>" not in seen and any("lacks these packages: torch" in text for text in seen)
    session().environment_status = "missing"


def test_the_doctor_says_what_is_missing(preferences: bpy.types.AddonPreferences) -> None:
    bpy.ops.footfall.check_training_setup()
    first = session().setup_findings[0]
    assert (first.level, first.text) == ("error", "No Python for training is installed")
    assert "Install Environment" in first.remedy
    preferences.training_python = sys.executable  # Blender's own Python has no torch
    bpy.ops.footfall.check_training_setup()
    assert any("lacks these packages: torch" in finding.text for finding in session().setup_findings)
