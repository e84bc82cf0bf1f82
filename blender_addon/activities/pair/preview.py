"""Preview of a pair in the viewport while its path and settings are edited, with the network's bodies."""

import time
from typing import Final

import bpy
import numpy as np

from ....core.control.pair.answer_walk import AnswerWalk
from ....core.control.pair.partner_dance import PartnerDance
from ....core.errors import FootfallError
from ....core.jobs.steps import finished
from ....core.motion import Clip
from ....core.motion.rotations import Array
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers.fingerprint import action_checksum
from ...rig.figure import BodyMesh
from ...scene.ground_choice import choose_ground
from ...scene.path_reader import read_path
from ...ui.gpu_drawing import draw_ghost, scene_depth
from ...ui.operator_base import active_armature
from ...ui.viewport_preview import TickingSlot, ViewportPreview, draw_headline
from .answer_bake import AnswerBake
from .dance_bake import DanceBake
from .operators import why_no_answer, why_no_dance
from .pair import why_no_partner
from .properties import DANCE

SLICE_S: Final = 0.02
"""Seconds per tick for making frames."""
LOOP_PAUSE_S: Final = 0.6
"""Pause at the end before a dance is repeated, seconds."""
SETTINGS: Final = ("relation", "distance", "circle_speed", "dance", "dance_file", "speed", "seed")
"""Settings of a pair that restart its preview when they change."""


class ShownDance:
    """The frames of a dance so far, played in a loop with both bodies.

    Args:
        bake: the bake of this dance.
    """

    def __init__(self, bake: DanceBake) -> None:
        self.motion: PartnerDance = bake.rollout
        self.scale, self.floor = bake.scale, bake.path.mean_height
        self._began = time.monotonic()

    def frame(self, _scene: bpy.types.Scene) -> int:
        """Return the frame of the motion to show now."""
        passed = time.monotonic() - self._began
        return int(passed % (self.motion.total_frames / self.motion.model.rate + LOOP_PAUSE_S) * self.motion.model.rate)

    def poses(self, frame: int) -> list[Clip]:
        """Return the poses of both dancers at a frame, in controller meters."""
        return [self.motion.pose(frame, row) for row in range(2)]


class ShownAnswer:
    """A response so far: the body of the responding character, at the scene's frame, beside its partner.

    Args:
        bake: the bake of this response.
    """

    def __init__(self, bake: AnswerBake) -> None:
        read, self._first = finished(bake.reading)
        self.motion: AnswerWalk = bake.begin(read.resampled(bake.model.rate), self._first, bpy.context)
        self.scale, self.floor = bake.scale, 0.0

    def frame(self, scene: bpy.types.Scene) -> int:
        """Return the frame of the motion to show now."""
        return round((scene.frame_current - self._first) / scene_rate(scene) * self.motion.model.rate)

    def poses(self, frame: int) -> list[Clip]:
        """Return the character's pose at a frame as a list of one clip, in controller meters."""
        return [self.motion.pose(frame)]


class PairPreview(ViewportPreview):
    """The preview of a character with its partner, without references to data of the file.

    Attributes:
        armature_name: the character's name.
        error: the reason why there is no preview; empty with one.
        shown: the shown dance or response.
        may_have_changed: whether the path, the partner's motion or the goal may have changed.
    """

    def __init__(self, armature: bpy.types.Object) -> None:
        super().__init__()
        self.armature_name, self.error = armature.name_full, ""
        self.shown: ShownDance | ShownAnswer | None = None
        self.may_have_changed, self._settings, self._inputs = True, (), ()
        self._body: BodyMesh | None = None

    def note_changes(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Record relevant changes in the scene: to the path, the partner's motion, or the goal."""
        self.may_have_changed |= bool(len(depsgraph.updates))

    def tick(self) -> None:
        """Restart the motion if its inputs have changed, and generate some more frames."""
        armature = bpy.data.objects.get(self.armature_name)
        if armature is None:
            self.error, self.shown = "The character is gone", None
            self.hide_bodies()
            return
        settings = _settings_of(armature)
        if self.may_have_changed or settings != self._settings:
            self._settings, self.may_have_changed = settings, False
            try:
                inputs = settings, _inputs_of(armature)
                if inputs != self._inputs:
                    self._inputs, self.error, self.shown = inputs, "", _begin(armature, bpy.context)
                    self._body = BodyMesh.of(self.shown.motion.model.skeleton, armature.footfall.rig.body_type)
            except FootfallError as error:
                self.error, self.shown = str(error), None
        until = time.monotonic() + SLICE_S
        while self.shown is not None and time.monotonic() < until and self.shown.motion.advance(1):
            pass
        self._hide_bodies(armature)

    def _hide_bodies(self, armature: bpy.types.Object) -> None:
        """Hide the meshes of the characters whose ghosts are shown: of both in a dance."""
        partner = armature.footfall.partner.character
        names = [armature.name_full] if self.shown is not None and self.shown.motion.frames_done else []
        if names and isinstance(self.shown, ShownDance) and partner is not None:
            names.append(partner.name_full)
        self.hide_bodies(*names)

    def bodies(self, scene: bpy.types.Scene) -> list[tuple[Array, Array]]:
        """Return the vertices (V, 3), meters, world, and colors (V, 4) of each shown body."""
        shown = self.shown
        if shown is None or self._body is None or not shown.motion.frames_done:
            return []
        frame = min(max(shown.frame(scene), 0), shown.motion.frames_done - 1)
        posed = [self._body.posed_vertices(pose, 0) for pose in shown.poses(frame)]
        up = np.array([0.0, 0.0, shown.floor], dtype=np.float32)
        return [(vertices * np.float32(shown.scale) + up, colors) for vertices, colors in posed]

    def draw_scene(self) -> None:
        """Draw the bodies into the scene, hidden by objects in front of them."""
        bodies, mesh = self.bodies(bpy.context.scene), self._body
        if mesh is not None:
            with scene_depth():
                for vertices, colors in bodies:
                    draw_ghost(vertices, colors, mesh.triangles)

    def draw_text(self) -> None:
        """Draw the length of the motion, or the reason why there is none."""
        draw_headline(self.error or self._headline())

    def _headline(self) -> str:
        if self.shown is None:
            return "Preview"
        motion = self.shown.motion
        done, total = motion.frames_done, motion.total_frames
        return f"{total / motion.model.rate:.1f} s" + ("" if done == total else f" ({100 * done / total:.0f} %)")


def _begin(armature: bpy.types.Object, context: bpy.types.Context) -> ShownDance | ShownAnswer:
    """Begin a character's motion with its partner; no frame is generated yet. Raise :class:`FootfallError`."""
    dances = armature.footfall.partner.relation == DANCE
    reason = why_no_partner(armature, context.scene)
    reason = reason or (why_no_dance(armature) if dances else why_no_answer(armature, context.scene))
    if reason is not None:
        raise FootfallError("{reason}", reason=reason)
    pair = armature, armature.footfall.partner.character
    return (
        ShownDance(DanceBake(pair, context, from_edit_mode=True)) if dances else ShownAnswer(AnswerBake(pair, context))
    )


def _settings_of(armature: bpy.types.Object) -> tuple:
    """Return the settings that affect the motion of a pair, for comparison."""
    settings, partner = armature.footfall, armature.footfall.partner
    things = (partner.character, partner.goal, settings.path)
    own = (*(getattr(partner, name) for name in SETTINGS), settings.controller, settings.controller_file)
    return (*own, *(one and one.session_uid for one in things))


def _inputs_of(armature: bpy.types.Object) -> tuple:
    """Return the scene's inputs to the motion: a dance's path, or the partner's motion, goal, ground and walls."""
    settings, partner = armature.footfall, armature.footfall.partner
    if partner.relation == DANCE:
        return (settings.path and read_path(settings.path, from_edit_mode=True).points.tobytes(),)
    data = partner.character and partner.character.animation_data
    place = partner.goal and tuple(partner.goal.matrix_world.translation)
    scene = bpy.context.scene
    uses = choose_ground(armature, scene, bpy.context.view_layer).object_uses
    around = [
        (uses[one.session_uid], *map(tuple, one.matrix_world)) for one in scene.objects if one.session_uid in uses
    ]
    return place, data and data.action and action_checksum(data.action), tuple(around)


_SLOT: Final[TickingSlot[PairPreview]] = TickingSlot()


def active_preview() -> PairPreview | None:
    """Return the preview that is being shown; ``None`` without one."""
    return _SLOT.preview


def update_pair_preview(session: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Start or stop the preview of the active armature and its partner, as the session requires."""
    stop_pair_preview()
    armature = active_armature(context)
    if session.pair_preview and armature is not None:
        _SLOT.show(PairPreview(armature))


def stop_pair_preview() -> None:
    """Stop the preview of a pair."""
    _SLOT.stop()
