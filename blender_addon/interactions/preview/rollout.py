"""A play of errands that goes on as time does, and follows what is moved meanwhile."""

from dataclasses import replace
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix

from ....core.control.refine.interaction_refinement import decode_interaction
from ....core.motion import Clip
from ....core.retarget.retarget import retarget
from ...direct.bake import Result
from ...rig.sole_height import rise_of_soles
from ...scene.objects import KINDS, SceneThing, read_thing
from ..bake import InteractionBake
from .debug_geometry import Mesh

MOST: Final = 4
"""Frames that are made in one tick, at most: a slow machine shows all in slow motion, and stays usable."""
STIRRED: Final = 1e-4
"""How far a number of an object's matrix differs when it has been moved."""


class Acting:
    """The errands of an armature as they are previewed.

    Args:
        armature: who acts.
        context: where.

    Raises:
        FootfallError: as :class:`InteractionBake`.
    """

    def __init__(self, armature: bpy.types.Object, context: bpy.types.Context) -> None:
        self.bake = InteractionBake(armature, context)
        self.play = self.bake.play
        self.armature_name = armature.name_full
        self.running = True
        self._higher = self.bake.level + rise_of_soles(self.bake.calibration.target, armature)
        self._made: tuple[int, Clip] | None = None
        self._due = 0.0
        objects = [_object(one) for one in self.bake.things]
        self._matrices = [thing.matrix_world.copy() for thing in objects if thing]
        self.meshes = [Mesh.of(thing) for thing in objects if thing]
        self.advance(1)

    def tick(self, seconds: float) -> None:
        """Lets time pass: as many frames are made as it takes, unless it is paused or all is done."""
        self.follow()
        if not self.running:
            return
        self._due += seconds * self.play.model.rate
        frames = min(int(self._due), MOST)
        self._due = min(self._due - frames, 1.0)
        self.advance(frames)

    def advance(self, frames: int) -> None:
        """Makes some frames; the last one is shown when all errands are done."""
        if not self.play.done and not self.play.advance(frames):
            self.running = False

    def follow(self) -> None:
        """Has the play know of objects that somebody has moved."""
        for number, one in enumerate(self.bake.things):
            thing = _object(one)
            if thing is None or not _stirred(thing.matrix_world, self._matrices[number]):
                continue
            self._matrices[number] = thing.matrix_world.copy()
            action = next((kind for kind, name in KINDS.items() if name == one.thing.kind), "")
            moved = read_thing(thing, action, self.bake.scale, self.bake.level)
            self.bake.things[number] = moved
            self.play.move_object(number, moved.thing)

    @property
    def clip(self) -> Clip:
        """The last frame on the rig's body, in the scene; made once, however often it is drawn."""
        count = len(self.play.frames)
        if self._made is None or self._made[0] != count:
            clip = retarget(decode_interaction(self.play, count - 1), self.bake.calibration)
            raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.0, self._higher]))
            self._made = count, raised
        return self._made[1]

    def moved(self) -> list[tuple[int, Matrix]]:
        """The things that are elsewhere than their objects: their numbers and matrices in the scene."""
        found = []
        for number, (one, now) in enumerate(zip(self.bake.things, self.play.current_objects, strict=True)):
            matrix = one.matrix(now)
            if _stirred(matrix, self._matrices[number]):
                found.append((number, matrix))
        return found

    def finish(self, scene: bpy.types.Scene) -> Result:
        """Bakes what was shown, and what is still to be done after it."""
        self.follow()
        while self.play.advance(60):
            pass
        return self.bake.finish(scene)

    def words(self) -> str:
        """What is being done, for people."""
        play, rate = self.play, self.play.model.rate
        seconds = f"{len(play.frames) / rate:.1f} s"
        if play.done:
            return f"all done after {seconds}"
        doing = play.tasks[play.task_index]
        with_what = f" '{play.objects[doing.object_index].name}'" if doing.object_index >= 0 else ""
        paused = "" if self.running else ", paused"
        return f"{play.task_index + 1} of {len(play.tasks)}: {doing.action}{with_what}, {seconds}{paused}"


def _object(one: SceneThing) -> bpy.types.Object | None:
    """The object that a thing is; ``None`` where somebody has deleted it."""
    return next((thing for thing in bpy.data.objects if thing.name_full == one.name), None)


def _stirred(one: Matrix, other: Matrix) -> bool:
    return bool(np.abs(np.array(one) - np.array(other)).max() > STIRRED)
