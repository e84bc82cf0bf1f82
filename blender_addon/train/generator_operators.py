"""Training of a generator from the clips on the training list, and its use."""

import re
import tempfile
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.atomic import write_atomically
from ...core.jobs.child import Child, ChildError
from ...core.jobs.file_names import safe_file_name
from ...core.message import Message
from ...core.models.generator_file import load_generator
from ..controllers.generators import FILE_ITEM, user_generators_folder
from ..ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_progress
from ..ui.operator_base import FootfallOperator, require_armature, why_not_animatable
from .clip_operators import why_nothing_listed
from .clips import listed_actions, listed_folders, unused_path, write_clips
from .environment import require_training_python
from .run_export import footfall_command, start_footfall

WRITING_SHARE: Final = 0.1
READING_SHARE: Final = 0.2
"""Shares of the work in which clips are written and read."""
PROGRESS_PATTERN: Final = re.compile(r"(clips|train):\s+(\d+)%")
"""Stage and share in the trainer's progress."""


class FOOTFALL_OT_train_generator(ModalWorkOperator, bpy.types.Operator):
    """Train a network that varies walks like the people in the clips. Takes a few minutes"""

    bl_idname = "footfall.train_generator"
    bl_label = "Train Generator"
    bl_options = {"REGISTER"}
    cancel_message = "Canceled: no generator was trained"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_nothing_listed(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        scene, python = context.scene, require_training_python()
        settings, takes = scene.footfall, listed_actions(scene)
        if not takes and not listed_folders(scene):
            raise FootfallError("All actions in the list of training clips were deleted: add other clips")
        name = settings.run_name or (takes[0][1].name if takes else listed_folders(scene)[0].name)
        folder = user_generators_folder()
        with tempfile.TemporaryDirectory(prefix="footfall-") as temporary:
            out = Path(temporary) / "generator.safetensors"
            try:
                steps = write_clips(scene, Path(temporary) / "clips")
                clips = yield from part_of_progress(steps, 0.0, WRITING_SHARE)
                command = footfall_command(
                    python,
                    "train-generator",
                    "--clips",
                    *clips,
                    "--kind",
                    settings.generator_kind.lower(),
                    "--out",
                    out,
                )
                yield from _wait_for(start_footfall(command, Path(temporary) / "log.txt"))
                folder.mkdir(parents=True, exist_ok=True)
                kept = unused_path(folder, safe_file_name(name), ".safetensors")
                write_atomically(kept, out.read_bytes())
            except ChildError as error:
                raise FootfallError(
                    "{problem}: choose another Python for training", problem=str(error).rstrip(".")
                ) from error
            except OSError as error:
                raise FootfallError(
                    "The generator could not be saved in '{folder}' ({error}): free disk space and try again",
                    folder=folder,
                    error=error.strerror or error,
                ) from error
        settings.generator_file = str(kept)
        return Message("The generator '{name}' is trained: select a character and press Use Generator", name=kept.stem)


def _wait_for(child: Child) -> WorkSteps:
    """Wait until the trainer ends, yielding its progress; end it if the work is cancelled.

    Raises:
        FootfallError: the trainer failed; the message is the trainer's.
    """
    try:
        while (code := child.wait_briefly()) is None:
            yield generation_progress(child.output())
        if code:
            said = child.last_output_line()
            ours = said.startswith("footfall: ")
            raise FootfallError(
                said.removeprefix("footfall: ")
                if ours
                else Message("The generator could not be trained: {reason}", reason=said)
            )
    finally:
        child.terminate()
    return ""


def generation_progress(output: str) -> tuple[float, str]:
    """Return the share of the work done and the current activity, read from the trainer's output."""
    found = PROGRESS_PATTERN.findall(output)
    stage, percent = found[-1] if found else ("clips", "0")
    if stage == "clips":
        share = WRITING_SHARE + (READING_SHARE - WRITING_SHARE) * int(percent) / 100
        return share, Message("Reading the clips")
    return READING_SHARE + (1 - READING_SHARE) * int(percent) / 100, Message("Training the generator")


class FOOTFALL_OT_use_generator(FootfallOperator, bpy.types.Operator):
    """Vary the walk of the active armature with the most recently trained generator"""

    bl_idname = "footfall.use_generator"
    bl_label = "Use Generator"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if not context.scene.footfall.generator_file:
            return "There is no trained generator yet: press Train Generator"
        return why_not_animatable(context)

    def run(self, context: bpy.types.Context) -> str:
        file = context.scene.footfall.generator_file
        armature = require_armature(context)
        load_generator(bpy.path.abspath(file))
        settings = armature.footfall
        settings.generator, settings.generator_file = FILE_ITEM, file
        if not settings.seed:
            return Message(
                "The generator varies the walk of '{name}' as soon as its seed is above 0", name=armature.name
            )
        return Message("The generator varies the walk of '{name}' in the next bake", name=armature.name)


CLASSES: Final = (FOOTFALL_OT_train_generator, FOOTFALL_OT_use_generator)
