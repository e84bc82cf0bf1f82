"""In Blender: a controller or a generator is trained from the panel by the real trainer, and used.

Arguments: what is trained (a preset, or ``generator``), a Python that has torch, and a BVH file of a walk by CMU.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import bpy

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.controllers import library
from footfall.blender_addon.train import runs
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.generator_file import load_generator
from footfall.core.models.model_file import load_model
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.roles import FOOT_CONTACTS, is_quadruped
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.empty_blender import enable_add_on
from footfall.tests.addon.support.scenes import add_curve
from footfall.tests.support.dog import BEAT_HZ, dog, standing, trot

WHAT, PYTHON, CLIP = sys.argv[1:]
TEMPORARY = Path(tempfile.mkdtemp())
SECONDS = 200
SMALL = {"experts": 2, "hidden": 8, "gating_hidden": 8, "epochs": 1, "unroll_steps": 0, "rollouts": 0}
SMALL |= {"mirror": "false", "device": "cpu", "threads": 1} | ({"takes": 1} if WHAT == "quadruped" else {})
GENERATOR_STEPS = 20
HAND = "hand.R"


def set_up() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    preferences = enable_add_on()
    preferences.training_python, preferences.runs_folder = str(hasty_python()), str(TEMPORARY / "runs")


def hasty_python() -> Path:
    """A program that is the Python, but trains with small settings."""
    settings = " ".join(f"--set {name}={value}" for name, value in SMALL.items())
    program = TEMPORARY / "python"
    program.write_text(
        f"""#!/bin/sh
        case "$3" in
            train) exec '{PYTHON}' "$@" {settings};;
            train-generator) exec '{PYTHON}' "$@" --steps {GENERATOR_STEPS};;
        esac
        exec '{PYTHON}' "$@"
        """
    )
    program.chmod(0o755)
    return program


def train(preset: str) -> Path:
    """Press the button with a preset of full size, of which some settings are small; wait; return the controller."""
    scene = bpy.context.scene.footfall
    scene.training_preset, scene.run_name = preset, "tiny"
    assert bpy.ops.footfall.start_training() == {"FINISHED"}
    folder = RunFolder(runs_folder() / "tiny")
    assert f'"{preset}"' in (folder.path / "request.json").read_text("utf-8")
    for run in states():
        if run.status == "finished":
            break
        assert run.status not in ("failed", "interrupted", "stopped"), f"{run.status}: {run.message}"
    assert "run:tiny" in [item[0] for item in library.enum_items(None, None)], "it can be chosen under Direct"
    return folder.model_path


def states() -> Iterator[bpy.types.PropertyGroup]:
    """The run as the panel shows it, looked at again and again."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        runs.poll_runs(time.time())
        yield next(run for run in bpy.context.window_manager.footfall.training_runs if run.name == "tiny")
        time.sleep(0.2)
    raise AssertionError(f"still at work after {SECONDS} s")


def bake_along(*points: tuple[float, float, float]) -> list[tuple[float, ...]]:
    """Bake the active armature along a path; return the places of its root bone."""
    armature = bpy.context.object
    armature.footfall.path = armature.footfall.path or add_curve("POLY", points)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    return [tuple(place) for place in clip.root_positions]


def train_an_animal() -> None:
    for name, clip in (("trot", trot(dog(), round(60 / BEAT_HZ) + 1)[0]), ("stand", standing(dog()))):
        write_bvh(TEMPORARY / f"{name}.bvh", clip)
        import_bvh(TEMPORARY / f"{name}.bvh")
        assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
        assert bpy.ops.footfall.add_clips() == {"FINISHED"}
    model = load_model(train("quadruped"))
    assert is_quadruped(model.skeleton.roles) and len(model.task.foot_joints) == 4
    assert bpy.ops.footfall.use_controller() == {"FINISHED"}
    assert bpy.context.object.footfall.controller == "own:tiny"
    places = bake_along((0, 0, 0), (0, -2, 0))
    assert places[0][1] - places[-1][1] > 1.0, "it gets along its path"


def train_a_phase_system() -> None:
    import_bvh(CLIP)
    bpy.ops.footfall.labelling_preset(preset="interaction")
    assert bpy.ops.footfall.detect_labels() == {"FINISHED"}
    for begin in (40, 120, 200, 280):
        assert bpy.ops.footfall.add_contact(contact=HAND, start=begin, end=begin + 30) == {"FINISHED"}
    assert bpy.ops.footfall.add_clips() == {"FINISHED"}
    model = load_model(train("local_phase_system_small"))
    assert model.sensors == (*FOOT_CONTACTS, HAND), "the hand that was labelled in the strip has a phase"
    assert bpy.ops.footfall.use_controller() == {"FINISHED"}
    bpy.context.object.footfall.responsiveness = 0.9
    places = bake_along((0, 0, 0), (2, 0, 0))
    assert places[-1][0] - places[0][0] > 1.0


def train_a_generator() -> None:
    import_bvh(CLIP)
    assert bpy.ops.footfall.add_clips() == {"FINISHED"}
    scene = bpy.context.scene.footfall
    scene.generator_kind, scene.run_name = "ADVERSARIAL", "tiny"
    assert bpy.ops.footfall.train_generator() == {"FINISHED"}
    made = load_generator(scene.generator_file)
    assert (made.kind, made.provenance["steps"]) == ("adversarial", GENERATOR_STEPS)
    assert bpy.ops.footfall.add_character() == {"FINISHED"}
    settings = bpy.context.object.footfall
    settings.seed, settings.performer_share, settings.control_variation = 3, 0.0, 0.0
    plain = bake_along((0, 0, 0), (2, 0, 0))
    assert bpy.ops.footfall.use_generator() == {"FINISHED"}
    settings.control_variation = 0.8
    assert bake_along() != plain, "it varies the walk"


set_up()
{"quadruped": train_an_animal, "local_phase_system_small": train_a_phase_system, "generator": train_a_generator}[WHAT]()
