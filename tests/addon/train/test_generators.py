"""A generator is trained from the panel, used by a character, and refused where it cannot be used."""

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from footfall.blender_addon.activities.walk.bake import WalkBake
from footfall.blender_addon.controllers.generators import FOLDER, load_chosen_generator
from footfall.blender_addon.train.generator_operators import WRITING_SHARE, generation_progress
from footfall.blender_addon.train.generator_panel import FOOTFALL_PT_train_generator
from footfall.core.errors import FootfallError
from footfall.core.models.generator_file import save_generator
from footfall.core.models.generator_kinds import VARIATIONAL
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.panel_layout import drawn
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve
from footfall.tests.support.generators import random_generator

pytestmark = needs_clips


@pytest.fixture
def generator_file(tmp_path: Path) -> Path:
    save_generator(tmp_path / "mine.safetensors", random_generator(VARIATIONAL))
    return tmp_path / "mine.safetensors"


@pytest.fixture
def make_trainer(tmp_path: Path, preferences: bpy.types.AddonPreferences) -> Callable[..., Path]:
    """Choose a Python that copies a generator at once; return the file with the arguments that it was given."""

    def make(generator: Path, code: int = 0, said: str = "") -> Path:
        asked, python = tmp_path / "asked", tmp_path / "python"
        copies = f'[ "$1" = --out ] && cp \'{generator}\' "$2"' if not code else "true"
        python.write_text(
            f"#!/bin/sh\necho \"$@\" > '{asked}'\nwhile [ $# -gt 1 ]; do {copies}; shift; done\n"
            f"echo 'train:  50%|#  | 10000/20000'\necho '{said}'\nexit {code}\n"
        )
        python.chmod(0o755)
        preferences.training_python = str(python)
        import_bvh(WALK)
        bpy.ops.footfall.add_clips()
        return asked

    return make


def test_without_clips_and_without_a_generator_the_buttons_say_why() -> None:
    assert "Add clips or a folder of clips first" in refusal_of(bpy.ops.footfall.train_generator)
    assert "There is no trained generator yet: press Train Generator" in refusal_of(bpy.ops.footfall.use_generator)


def test_a_trained_generator_varies_the_walk(
    generator_file: Path, make_trainer: Callable[..., Path], statue: Path
) -> None:
    asked = make_trainer(generator_file)
    training = bpy.context.scene.footfall
    training.generator_kind, training.run_name = "ADVERSARIAL", "my walk"
    assert bpy.ops.footfall.train_generator() == {"FINISHED"}
    assert "train-generator" in asked.read_text() and "--kind adversarial" in asked.read_text()
    kept = Path(training.generator_file)
    assert kept.name == "my_walk.safetensors" and kept.read_bytes() == generator_file.read_bytes()
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    character = bpy.context.object
    character.footfall.path, character.footfall.seed = add_curve("BEZIER", [(0, 0, 0), (2, 0, 0), (4, 0, 0)]), 2
    assert bpy.ops.footfall.use_generator() == {"FINISHED"}
    assert character.footfall.generator == "FILE" and character.footfall.generator_file == str(kept)
    variation = WalkBake(character, bpy.context).walk.plan.variation
    assert variation is not None and variation.generator.actions == random_generator(VARIATIONAL).actions
    kept.unlink()
    with pytest.raises(FootfallError, match=r"cannot be read .*choose another under Generator"):
        WalkBake(character, bpy.context)


def test_what_the_trainer_says_is_told_and_nothing_is_kept(
    generator_file: Path, make_trainer: Callable[..., Path]
) -> None:
    make_trainer(
        generator_file, 1, "footfall: None of the 1 clips can be used. The reason for the first one: too short"
    )
    with pytest.raises(RuntimeError, match="None of the 1 clips can be used"):
        bpy.ops.footfall.train_generator()
    assert not bpy.context.scene.footfall.generator_file


def test_progress_is_read_from_the_trainers_output() -> None:
    assert generation_progress("")[0] == WRITING_SHARE
    assert (
        generation_progress("clips:  40%|")[0]
        < generation_progress("clips: 100%|\rtrain:  50%|")[0]
        == pytest.approx(0.6)
    )


def test_the_panel_shows_what_was_trained(generator_file: Path) -> None:
    bpy.context.scene.footfall.generator_file = str(generator_file)
    assert "mine" in str(drawn(FOOTFALL_PT_train_generator))


def test_a_generator_of_a_file_has_to_be_chosen(generator_file: Path) -> None:
    with pytest.raises(FootfallError, match="No generator is chosen"):
        load_chosen_generator("FILE", "")
    assert load_chosen_generator("FILE", str(generator_file)).kind == VARIATIONAL
    assert load_chosen_generator("VARIATIONAL", "").kind == VARIATIONAL and FOLDER.is_dir()
