"""Live drawing of a walk while its path is edited: it is planned again, rolled out in slices, and drawn."""

import time
from typing import Final

import bpy
import numpy as np

from .....core.control.runtime.pose_decoder import standing_rotations
from .....core.control.walk.path_walk import WalkRollout
from .....core.errors import FootfallError
from .....core.motion.rotations import UP, Array
from ....label.overlay.footprints import FOOT_OUTLINE
from ....rig.figure import BodyMesh
from ....scene.path_reader import WorldPath
from ....ui.gpu_drawing import draw_ghost, draw_lines, draw_mesh, scene_depth
from ....ui.viewport_preview import ViewportPreview, draw_headline
from .ball_ghost import ball_radius, sphere
from .planning import WalkInputs, read_character_path, start_walk, walk_settings_key
from .rollout import PartialWalk

SLICE_S: Final = 0.012
"""Least time per tick for making frames, seconds; more if Blender's own ticks are slow, up to a third of these."""
MAX_SLICE_S: Final = 0.25
"""Longest time per tick for making frames, seconds."""
FRAMES_PER_CLOCK_CHECK: Final = 4
"""Number of frames between two checks of the clock."""
LOOP_PAUSE_S: Final = 0.6
"""Pause at the end before the ghost restarts, seconds."""
FOOTPRINT_HEIGHT_M: Final = 0.012
"""Height of drawn footprints above the ground, meters."""
LINE_WIDTH_PX: Final = 2.0
LEFT_COLOR, RIGHT_COLOR, PATH_COLOR = (0.35, 0.6, 1.0, 0.9), (1.0, 0.6, 0.25, 0.9), (1.0, 0.75, 0.2, 0.7)


class LivePreview(ViewportPreview):
    """The preview of a character's walk, without references to data of the file.

    Attributes:
        armature_name: full name of the walking armature.
        path_may_have_changed: whether the path's object or its data changed since the last tick.
        inputs_changed: whether meshes of the scene changed since the walk was planned.
        error: the reason why there is no walk or that it stopped; empty without one.
        loop_started_at: monotonic time of the start of the ghost's loop, seconds.
        partial_walk: the walk and its frames so far; ``None`` without a walk.
    """

    def __init__(self, armature: bpy.types.Object) -> None:
        super().__init__()
        self.armature_name = armature.name_full
        self.path_may_have_changed = self.inputs_changed = True
        self.error = ""
        self.loop_started_at = self._last_tick_at = time.monotonic()
        self.partial_walk: PartialWalk | None = None
        self._inputs: WalkInputs | None = None
        self._settings_key: tuple = ()
        self._last_path: WorldPath | None = None
        self._is_computing = False
        self._body_mesh: BodyMesh | None = None
        self._footprints: tuple[Array, Array] = (np.zeros((0, 3)), np.zeros((0, 3)))

    def tick(self) -> None:
        """Plan the walk again if its inputs have changed, and generate some more frames."""
        elsewhere = time.monotonic() - self._last_tick_at
        armature = bpy.data.objects.get(self.armature_name)
        if armature is None:
            self.error, self.partial_walk = "The character of the preview was deleted", None
            self.hide_bodies()
            return
        if (
            self.inputs_changed
            or walk_settings_key(armature) != self._settings_key
            or (self.path_may_have_changed and self._path_changed(armature))
        ):
            self._plan(armature)
        self.path_may_have_changed = False
        if self.partial_walk is not None and self._is_computing:
            until = time.monotonic() + min(max(SLICE_S, elsewhere / 3), MAX_SLICE_S)
            try:
                while self._is_computing and time.monotonic() < until:
                    self._is_computing = self.partial_walk.advance(FRAMES_PER_CLOCK_CHECK)
            except FootfallError as error:
                self.error, self._is_computing = str(error), False
            self._footprints = self._footprint_outlines(self.partial_walk)
        self._hide_body()
        self._last_tick_at = time.monotonic()

    def _hide_body(self) -> None:
        """Hide the character's own mesh while its ghost is shown, unless the baked walk is playing."""
        plays = any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)
        shows = self.partial_walk is not None and len(self.partial_walk) > 0
        self.hide_bodies(*([self.armature_name] if shows and not plays else []))

    def _plan(self, armature: bpy.types.Object) -> None:
        context = bpy.context
        try:
            if self.inputs_changed or self._inputs is None:
                self._inputs, self.partial_walk = WalkInputs.of(armature, context), None
            walk = start_walk(armature, context.scene, self._inputs)
        except FootfallError as error:
            self.error, self.partial_walk = str(error), None
        else:
            self.error, self.partial_walk = "", self._resume_walk(walk)
            self._body_mesh = self._body_mesh or BodyMesh.of(
                walk.model.skeleton, armature.footfall.rig.body_type, standing_rotations(walk.model)
            )
            self._is_computing = True
        self.path_may_have_changed = self.inputs_changed = False
        self._settings_key = walk_settings_key(armature)

    def _path_changed(self, armature: bpy.types.Object) -> bool:
        """Return whether the path has changed since it was last read.

        Blender reports a change even if a curve in Edit Mode is only read.
        """
        try:
            line = read_character_path(armature, bpy.context.scene)
        except FootfallError:
            return True
        before, self._last_path = self._last_path, line
        if before is None or len(before.points) != len(line.points):
            return True
        pairs = ((before.points, line.points), (before.heights, line.heights), (before.point_radii, line.point_radii))
        return not all(np.array_equal(np.asarray(one), np.asarray(other)) for one, other in pairs)

    def _resume_walk(self, walk: WalkRollout) -> PartialWalk:
        before = self.partial_walk
        return PartialWalk(walk, before, walk.resume_from(before.walk) if before is not None else 0)

    def note_changes(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Record relevant changes in the scene: to the path, to the walk's other inputs, and to the surroundings."""
        armature = bpy.data.objects.get(self.armature_name)
        if armature is None:
            return
        settings = armature.footfall
        watched = {thing.session_uid for thing in (settings.path, settings.path and settings.path.data) if thing}
        for update in depsgraph.updates:
            block = update.id.original
            if block.session_uid in watched:
                self.path_may_have_changed = True
            elif isinstance(block, bpy.types.Object) and block.type == "MESH" and block.find_armature() is None:
                self.inputs_changed = True

    def draw_scene(self) -> None:
        """Draw path, footprints and body into the scene, hidden by objects in front of them."""
        walked = self.partial_walk
        if walked is None or not len(walked) or self._body_mesh is None:
            return
        scale, points = walked.walk.scale, walked.walk.path.points
        heights = walked.walk.profile.height_at(walked.walk.path.arc_lengths)
        path = scale * np.column_stack([points, heights]) + FOOTPRINT_HEIGHT_M * UP
        frame = self._current_frame(walked)
        vertices, colors = self._body_mesh.posed_vertices(walked.pose(frame), 0)
        ball = walked.ball(frame)
        with scene_depth(writes=False):
            draw_lines(path, PATH_COLOR, LINE_WIDTH_PX, "LINE_STRIP")
            for prints, color in zip(self._footprints, (LEFT_COLOR, RIGHT_COLOR), strict=True):
                if len(prints):
                    draw_lines(prints, color, LINE_WIDTH_PX)
        with scene_depth():
            draw_ghost(vertices * np.float32(scale), colors, self._body_mesh.triangles)
            if ball is not None:
                draw_mesh(*sphere(scale * ball, ball_radius(walked.walk)))

    def draw_text(self) -> None:
        """Draw the length of the walk, or the reason why there is none."""
        draw_headline(self.error or self._headline())

    def _headline(self) -> str:
        if self.partial_walk is None:
            return "Preview"
        walk = self.partial_walk.walk
        share = "" if not self._is_computing else f" ({100 * len(self.partial_walk) / max(walk.total_frames, 1):.0f} %)"
        length = walk.scale * walk.path.length
        return f"{length:.1f} m, {walk.total_frames / walk.model.rate:.1f} s{share}"

    def _current_frame(self, partial_walk: PartialWalk) -> int:
        """Return the frame to show now; the walk is played in a loop."""
        rate = partial_walk.walk.model.rate
        passed = (time.monotonic() - self.loop_started_at) % (partial_walk.walk.total_frames / rate + LOOP_PAUSE_S)
        return min(int(passed * rate), len(partial_walk) - 1)

    def _footprint_outlines(self, partial_walk: PartialWalk) -> tuple[Array, Array]:
        """Return the outlines of left and of right footprints, each as pairs of points (N, 3), meters."""
        ankles, balls, left = partial_walk.footprints()
        along = (balls - ankles)[:, :2]
        length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
        ahead = along / length
        right = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
        mirrored = np.where(left, -1.0, 1.0)[:, None, None]
        shape = FOOT_OUTLINE[None] * length[:, None]
        flat = ankles[:, None, :2] + mirrored * shape[..., :1] * right[:, None] + shape[..., 1:] * ahead[:, None]
        level = partial_walk.walk.surroundings.ground.heights(ankles) + FOOTPRINT_HEIGHT_M
        points = np.concatenate([flat, np.broadcast_to(level[:, None, None], (*flat.shape[:2], 1))], axis=-1)
        lines = np.stack([points, np.roll(points, -1, axis=1)], axis=2)
        return lines[left].reshape(-1, 3), lines[~left].reshape(-1, 3)
