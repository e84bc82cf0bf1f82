"""A preview of interaction tasks that runs in real time and follows objects that the user moves."""

from dataclasses import replace
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix

from .....core.control.refine.interaction_refinement import decode_interaction
from .....core.errors import FootfallError
from .....core.message import Message
from .....core.motion import Clip
from .....core.retarget.retarget import retarget
from .....core.scene.object_usage import KIND_BY_ACTION
from ....rig.sole_height import sole_offset
from ....scene.ghost_mesh import GhostMesh
from ....scene.objects import read_interaction_object
from ...walk.bake import BakeResult
from ..bake import InteractionBake
from ..task_bake import TaskBake

MAX_FRAMES_PER_TICK: Final = 4
"""Frames that are made in one tick, at most: a slow machine shows all in slow motion, and stays usable."""
MOVED_TOLERANCE: Final = 1e-4
"""Least difference of a number of an object's matrix that counts as moved."""


class InteractionRollout:
    """The preview of an armature's interaction tasks.

    Args:
        armature: the character.
        context: the context.

    Raises:
        FootfallError: as :class:`InteractionBake`.
    """

    def __init__(self, armature: bpy.types.Object, context: bpy.types.Context) -> None:
        self.bake = InteractionBake(armature, context)
        self.sequencer = self.bake.sequencer
        self.armature_name = armature.name_full
        self.running = True
        self._height_offset = self.bake.floor_height + sole_offset(self.bake.calibration.target, armature)
        self._cached_frame: tuple[int, Clip] | None = None
        self._pending_frames = 0.0
        objects = [scene_object(one.name) for one in self.bake.objects]
        self._object_matrices = [thing.matrix_world.copy() for thing in objects if thing]
        self.meshes = ghosts_of(self.bake)
        self.advance(1)

    @property
    def frames_shown(self) -> int:
        """Number of frames up to the shown one."""
        return len(self.sequencer.frames)

    def tick(self, seconds: float) -> None:
        """Advance by the elapsed time, unless paused or finished."""
        self.sync_moved_objects()
        if not self.running:
            return
        self._pending_frames += seconds * self.sequencer.model.rate
        frames = min(int(self._pending_frames), MAX_FRAMES_PER_TICK)
        self._pending_frames = min(self._pending_frames - frames, 1.0)
        self.advance(frames)

    def advance(self, frames: int) -> None:
        """Generate some frames; the last one stays when all interaction tasks are done."""
        if not self.sequencer.done and not self.sequencer.advance(frames):
            self.running = False

    def sync_moved_objects(self) -> None:
        """Pass objects that the user has moved on to the sequencer.

        Raises:
            FootfallError: an object has been deleted.
        """
        for number, one in enumerate(self.bake.objects):
            thing = scene_object(one.name)
            if thing is None:
                raise FootfallError("'{name}' is gone: restart or end the preview", name=one.name)
            if not _has_moved(thing.matrix_world, self._object_matrices[number]):
                continue
            self._object_matrices[number] = thing.matrix_world.copy()
            action = next((kind for kind, name in KIND_BY_ACTION.items() if name == one.interaction_object.kind), "")
            moved = read_interaction_object(thing, action, self.bake.scale, self.bake.floor_height)
            self.bake.objects[number] = moved
            self.sequencer.move_object(number, moved.interaction_object)

    @property
    def clip(self) -> Clip:
        """The last frame on the rig's body, in the scene; computed once per frame."""
        count = len(self.sequencer.frames)
        if self._cached_frame is None or self._cached_frame[0] != count:
            clip = retarget(decode_interaction(self.sequencer.recording, count - 1), self.bake.calibration)
            raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.0, self._height_offset]))
            self._cached_frame = count, raised
        return self._cached_frame[1]

    def moved_objects(self) -> list[tuple[int, Matrix]]:
        """Return the objects that the interaction has moved: their indices and matrices in the scene."""
        found = []
        for number, (one, now) in enumerate(zip(self.bake.objects, self.sequencer.current_objects, strict=True)):
            matrix = one.scene_matrix(now)
            if _has_moved(matrix, self._object_matrices[number]):
                found.append((number, matrix))
        return found

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Bake the previewed frames and the remaining interaction tasks."""
        self.sync_moved_objects()
        while self.sequencer.advance(60):
            pass
        return self.bake.finish(scene)

    def status_text(self) -> str:
        """Return the current activity, for users."""
        play, rate = self.sequencer, self.sequencer.model.rate
        seconds = f"{len(play.frames) / rate:.1f} s"
        if play.done:
            return Message("all done after {seconds}", seconds=seconds)
        if play.task_index >= len(play.tasks):
            return Message("stops, {seconds}", seconds=seconds)
        doing = play.tasks[play.task_index]
        with_what = f" '{play.objects[doing.object_index].name}'" if doing.object_index >= 0 else ""
        paused = "" if self.running else Message(", paused")
        return Message(
            "{task_index} of {len}: {action}{with_what}, {seconds}{paused}",
            task_index=play.task_index + 1,
            len=len(play.tasks),
            action=doing.action,
            with_what=with_what,
            seconds=seconds,
            paused=paused,
        )


def scene_object(name: str) -> bpy.types.Object | None:
    """Return the object of the scene with a full name; ``None`` if it has been deleted."""
    return next((thing for thing in bpy.context.scene.objects if thing.name_full == name), None)


def ghosts_of(bake: TaskBake) -> list[GhostMesh]:
    """Return the meshes of a bake's objects."""
    things = (scene_object(one.name) for one in bake.objects)
    return [GhostMesh.of(thing) for thing in things if thing is not None]


def _has_moved(first: Matrix, second: Matrix) -> bool:
    return bool(np.abs(np.array(first) - np.array(second)).max() > MOVED_TOLERANCE)
