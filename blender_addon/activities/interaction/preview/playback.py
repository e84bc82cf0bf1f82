"""Preview of a shot: finished parts and drafts of the next one play; parts changed by the user are computed again."""

import time
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from .....core.control.performance import ObjectTrack, Performance
from .....core.errors import FootfallError
from .....core.message import Message
from .....core.motion import Clip
from .....core.motion.rotations import IDENTITY
from ....scene.ghost_mesh import GhostMesh
from ....shot.bake_result import BakeResult
from ....shot.staleness import shot_checksum
from ..properties import TASK_TITLES
from ..shot_bake import ShotBake

WORK_S: Final = 0.02
"""Time of a tick for making more of the shot: with the last piece of work, 30 frames a second can still be drawn."""
LOOK_S: Final = 0.4
"""Time between two looks for changes of the beats and their objects."""


class ShotPlayback:
    """The preview of an armature's shot; it keeps no references to data of the file.

    Args:
        armature: the character.
        context: the context.

    Raises:
        FootfallError: as :class:`.shot_bake.ShotBake`.
    """

    def __init__(self, armature: bpy.types.Object, context: bpy.types.Context) -> None:
        import_module("scipy.signal")  # takes a while; the first part would import it once it is finished
        self.bake = ShotBake(armature, context)
        self.armature_name = armature.name_full
        self.running = True
        self.time_s = 0.0
        self.meshes = ghosts_of(self.bake)
        self._inputs = shot_checksum(armature, context.scene)
        self._looked = 0.0
        self._is_working = True
        self._shown: tuple[Performance, tuple[ObjectTrack, ...]] | None = None
        self._draft: tuple[int, Clip] | None = None
        self._frames = -1

    def tick(self, seconds: float) -> None:
        """Compute more of the shot, and continue to play unless paused.

        Raises:
            FootfallError: the character or an object is gone, or no beat can be done.
        """
        self._looked += seconds
        if self._looked > LOOK_S:
            self._looked = 0.0
            self.sync_moved_objects()
        self._work()
        if self.running and self._count:
            self.time_s = min(self.time_s + seconds, self._end_s)
            self.running = self._is_working or self.time_s < self._end_s

    def advance(self, frames: int) -> None:
        """Compute the shot up to a later frame, and show that frame."""
        while self._is_working and (not self._count or self._frame + frames >= self._count):
            self._work()
        self.time_s = min(self.time_s + frames / self.bake.model.rate, self._end_s)

    def sync_moved_objects(self) -> None:
        """Restart the shot if its beats or objects have changed, keeping unchanged parts.

        Raises:
            FootfallError: the character is gone, or a beat lacks something.
        """
        armature = scene_object(self.armature_name)
        if armature is None:
            raise FootfallError(
                "The armature '{name}' was deleted: press Esc to end the preview", name=self.armature_name
            )
        now = shot_checksum(armature, bpy.context.scene)
        if now == self._inputs:
            return
        self._inputs, self.bake = now, ShotBake(armature, bpy.context)
        self.meshes = ghosts_of(self.bake)
        self._is_working, self.running, self._frames = True, True, -1

    @property
    def clip(self) -> Clip | None:
        """Shown frame as a world clip of the rig's body; ``None`` until there is one."""
        if not self._count:
            return None
        frame = self._frame
        if self._shown is not None and frame < len(self._shown[0]):
            return self._shown[0].clip.cut(frame, frame + 1)
        if self._draft is None or self._draft[0] != frame:
            drafted = self.bake.rollout.draft(frame)
            up = np.array([0.0, 0.0, self.bake.rise])
            self._draft = frame, replace(drafted, root_positions=drafted.root_positions + up)
        return self._draft[1]

    def partner_clips(self) -> Iterator[tuple[str, Clip]]:
        """Yield the name of each partner whose shot is made, too, with its body at the same time, in the scene."""
        for one in self.bake.companions if self._shown is not None else ():
            if (made := one.rollout.clip_so_far) is not None:
                frame = min(self._frame, len(made) - 1)
                up = np.array([0.0, 0.0, one.rise])
                yield one.armature_name, made.cut(frame, frame + 1).transformed(IDENTITY, up)

    def moved_objects(self) -> list[tuple[int, Matrix]]:
        """Return the indices and world matrices of the objects that the shot has moved."""
        if self._shown is None:
            return []
        names, found = [one.name for one in self.bake.objects], []
        for track in self._shown[1]:
            frame = min(self._frame, len(track.positions) - 1)
            thing = scene_object(track.name)
            if thing is None or track.name not in names:  # balls are not drawn
                continue
            size = thing.matrix_world.decompose()[2]
            place, turn = track.positions[frame].tolist(), Quaternion(track.rotations[frame].tolist())
            found.append((names.index(track.name), Matrix.LocRotScale(place, turn, size)))
        return found

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Bake the shot."""
        self.sync_moved_objects()
        while self.bake.advance(60):
            pass
        return self.bake.finish(scene)

    def status_text(self) -> str:
        """Return the current activity, for users."""
        if not self._count:
            return Message("computing the shot")
        seconds = f"{self.time_s:.1f} s"
        if self.is_done:
            return Message("all beats are done after {seconds}", seconds=seconds)
        number = self.bake.beat_at(self._frame)
        return Message(
            "beat {number} of {count}: {action}, {seconds}"
            if self.running
            else "beat {number} of {count}: {action}, {seconds}, paused",
            number=number + 1,
            count=len(self.bake.kinds),
            action=Message(TASK_TITLES[self.bake.kinds[number]]),
            seconds=seconds,
        )

    @property
    def is_done(self) -> bool:
        """True if the whole shot is computed, and its last frame is shown."""
        return self._count > 0 and not self._is_working and self.time_s >= self._end_s

    @property
    def frames_shown(self) -> int:
        """Number of frames up to and including the one currently displayed."""
        return self._frame + 1 if self._count else 0

    @property
    def _frame(self) -> int:
        return min(round(self.time_s * self.bake.model.rate), self._count - 1)

    @property
    def _count(self) -> int:
        """Number of frames that can be shown."""
        finished = 0 if self._shown is None else len(self._shown[0])
        return max(finished, self.bake.rollout.frames_drafted)

    @property
    def _end_s(self) -> float:
        return max(self._count - 1, 0) / self.bake.model.rate

    def _work(self) -> None:
        """Make more of the shot for :data:`WORK_S`."""
        until = time.monotonic() + WORK_S
        while self._is_working and time.monotonic() < until:
            self._is_working = self.bake.advance(1)
        if self.bake.rollout.frames_done != self._frames:
            self._frames = self.bake.rollout.frames_done
            self._show()
        if not self._is_working and self._shown is None:
            self.bake.rollout.finish()  # raises the reason

    def _show(self) -> None:
        made = self.bake.rollout.so_far
        if made is not None:
            tracks = tuple(self.bake.object_tracks(made))
            self._shown = replace(made, objects=()).raised(self.bake.rise), tracks


def scene_object(name: str) -> bpy.types.Object | None:
    """Return the object of the scene with a full name; ``None`` if it has been deleted."""
    return next((thing for thing in bpy.context.scene.objects if thing.name_full == name), None)


def ghosts_of(bake: ShotBake) -> list[GhostMesh]:
    """Return the meshes of a bake's objects."""
    things = (scene_object(one.name) for one in bake.objects)
    return [GhostMesh.of(thing) for thing in things if thing is not None]
