"""In Blender: the trainer's Python - chosen, made of wheels, cancelled, removed - and the doctor."""

import sys
import tempfile
import time
from pathlib import Path

import bpy

from footfall.blender_addon.train import environment_setup
from footfall.blender_addon.train.environment import (
    configured_python,
    environment,
    environment_recipe,
    require_training_python,
    why_offline,
)
from footfall.blender_addon.train.environment_panel import FOOTFALL_PT_training_environment
from footfall.core.errors import FootfallError
from footfall.core.jobs.trainer_setup import recipe as recipes
from footfall.tests.core.jobs.trainer_setup.wheels import make_wheel, write_requirements

sys.path.insert(0, str(Path(__file__).parent))
from harness import refusal_of, run_checks
from panel_layout import drawn

TEMPORARY = Path(tempfile.mkdtemp())


def enable() -> bpy.types.AddonPreferences:
    """Enables the package as an add-on, as the empty file of each check has none."""
    import addon_utils  # Blender puts it on the path

    assert addon_utils.enable("footfall", default_set=True)
    return bpy.context.preferences.addons["footfall"].preferences


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


def small_wheels(preferences: bpy.types.AddonPreferences, *names: str) -> Path:
    """Requirements of two packages in place of torch and the others, and a folder with wheels of some."""
    folder = Path(tempfile.mkdtemp(dir=TEMPORARY))
    for name in names:
        make_wheel(folder, name, {"footstep": "1.0.0", "torch": "2.0"}[name])
    requirements = write_requirements(folder, "torch")
    (folder / "constraints.txt").write_text("torch==2.0\n")
    preferences.wheels_folder = str(folder)
    given = recipes.EnvironmentRecipe.__init__
    recipes.EnvironmentRecipe.__init__ = lambda self, python, requirements=requirements, **more: given(
        self, python, requirements, **more
    )
    return folder


def restore(init=recipes.EnvironmentRecipe.__init__) -> None:
    recipes.EnvironmentRecipe.__init__ = init


def check_a_python_is_chosen_or_there_is_none() -> None:
    preferences = enable()
    assert configured_python() is None and session().environment_status == "missing"
    try:
        require_training_python()
    except FootfallError as error:
        assert "press Make Environment, or choose one that has torch" in str(error)
    preferences.training_python = sys.executable
    assert require_training_python() == Path(sys.executable) == environment_recipe().python


def check_nothing_is_downloaded_unless_blender_may_go_online() -> None:
    preferences = enable()
    assert not bpy.app.online_access, "the module's own default"
    assert not bpy.ops.footfall.install_training_environment.poll()
    assert "Allow Online Access" in (why_offline(environment_recipe()) or "")
    preferences.wheels_folder = str(TEMPORARY)
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


def check_an_environment_is_made_of_wheels_and_removed() -> None:
    preferences = enable()
    small_wheels(preferences, "footstep", "torch")
    try:
        assert bpy.ops.footfall.install_training_environment() == {"FINISHED"}
        assert environment_setup.is_running() and session().environment_status == "making"
        assert not bpy.ops.footfall.install_training_environment.poll() and not bpy.ops.footfall.remove_training_environment.poll()
        said = look_until(lambda: not environment_setup.is_running())
        assert "makes an environment" in said, said
    finally:
        restore()
    assert session().environment_step == "torch 2.0 is installed" and not session().environment_error
    assert session().environment_status == "outdated", "by the requirements that are real"
    assert require_training_python() == environment().python
    assert bpy.ops.footfall.check_training_setup() == {"FINISHED"}
    said = {finding.text: finding.level for finding in session().setup_findings}
    assert said["The environment was made for another version of Footfall."] == "warning"
    assert any(text.startswith("Python lacks numpy, scipy") for text in said), said
    assert bpy.ops.footfall.remove_training_environment() == {"FINISHED"}
    assert not environment().folder.exists() and session().environment_status == "missing"
    assert not bpy.ops.footfall.remove_training_environment.poll()


def check_cancelling_removes_what_is_half_made() -> None:
    small_wheels(enable(), "footstep", "torch")
    try:
        bpy.ops.footfall.install_training_environment()
        look_until(lambda: session().environment_step == "makes an environment")
        assert bpy.ops.footfall.cancel_training_environment() == {"FINISHED"}
    finally:
        restore()
    assert not environment().folder.exists() and session().environment_status == "missing"
    assert not environment_setup.is_running() and not bpy.ops.footfall.cancel_training_environment.poll()


def check_what_went_wrong_is_shown_and_the_rest_is_gone_on_with() -> None:
    folder = small_wheels(enable(), "footstep")
    try:
        bpy.ops.footfall.install_training_environment()
        look_until(lambda: not environment_setup.is_running())
        assert "has no wheel of torch" in session().environment_error, session().environment_error
        assert session().environment_status == "unfinished"
        make_wheel(folder, "torch", "2.0")
        bpy.ops.footfall.install_training_environment()
        assert not session().environment_error
        said = look_until(lambda: not environment_setup.is_running())
        assert "makes an environment" not in said and not session().environment_error
    finally:
        restore()
    bpy.ops.footfall.remove_training_environment()


def check_leaving_blender_ends_the_making_and_keeps_what_is_there() -> None:
    small_wheels(enable(), "footstep", "torch")
    try:
        bpy.ops.footfall.install_training_environment()
        look_until(lambda: session().environment_step == "makes an environment")
        environment_setup.stop_install()
    finally:
        restore()
    assert environment().state() == "unfinished" and environment().maker_pid() is None
    bpy.ops.footfall.remove_training_environment()


def check_what_the_panel_says_of_the_environment() -> None:
    preferences = enable()
    seen = drawn(FOOTFALL_PT_training_environment)
    assert "[Make Environment]" in seen and "[Remove]" not in seen and "<torch_index>" in seen
    assert any(text.startswith("Allow Online Access") for text in seen), "why the button is greyed out"
    session().environment_status, session().environment_fraction, session().environment_step = "making", 0.25, "unpacks 9 packages"
    seen = drawn(FOOTFALL_PT_training_environment)
    assert {"(25 %)", "unpacks 9 packages", "[Cancel]"} <= set(seen) and "[Make Environment]" not in seen
    session().environment_status, session().environment_error = "unfinished", "The disk is full."
    seen = drawn(FOOTFALL_PT_training_environment)
    assert {"The disk is full.", "[Go On]", "[Remove]"} <= set(seen)
    session().environment_status, session().environment_error = "ready", ""
    seen = drawn(FOOTFALL_PT_training_environment)
    assert "[Remove]" in seen and not {"[Make Environment]", "[Go On]", "[Bring Up to Date]"} & set(seen)
    preferences.training_python = sys.executable
    bpy.ops.footfall.check_training_setup()
    seen = drawn(FOOTFALL_PT_training_environment)
    assert "<torch_index>" not in seen and any("lacks torch" in text for text in seen)
    session().environment_status = "missing"


def check_the_doctor_says_what_is_missing() -> None:
    preferences = enable()
    bpy.ops.footfall.check_training_setup()
    first = session().setup_findings[0]
    assert (first.level, first.text) == ("error", "There is no Python for training.")
    assert "Make Environment" in first.remedy
    preferences.training_python = sys.executable  # Blender's own Python has no torch
    bpy.ops.footfall.check_training_setup()
    assert any("lacks torch" in finding.text for finding in session().setup_findings)


run_checks(globals())
