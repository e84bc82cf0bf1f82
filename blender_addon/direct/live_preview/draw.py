"""Showing a walk while its path is edited: planning it anew, making it a slice at a time, and drawing it."""

import time
from typing import Final

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ....core.control.walk.path_walk import WalkRollout
from ....core.errors import FootfallError
from ....core.motion.rotations import UP, Array
from ...label.overlay.footprints import FOOT_OUTLINE
from ...rig.figure import BodyMesh
from ...scene.path_reader import WorldPath
from ...ui.redraw import tag_redraw_all
from ...ui.viewport_preview import ViewportPreview, draw_headline
from .planning import WalkInputs, read_character_path, start_walk, walk_settings_key
from .rollout import PartialWalk

SLICE_S: Final = 0.012
"""Seconds per tick in which frames are made, at least; a third of Blender's own time where that is slow."""
MAX_SLICE_S: Final = 0.25
"""Longest time per tick in which frames are made, seconds."""
FRAMES_PER_CLOCK_CHECK: Final = 4
"""Frames that are made between two looks at the clock."""
LOOP_PAUSE_S: Final = 0.6
"""Seconds at the end, before the ghost begins anew."""
FOOTPRINT_HEIGHT_M: Final = 0.012
"""Metres by which prints are drawn over the ground."""
LEFT_COLOR, RIGHT_COLOR, PATH_COLOR = (0.35, 0.6, 1.0, 0.9), (1.0, 0.6, 0.25, 0.9), (1.0, 0.75, 0.2, 0.7)


class LivePreview(ViewportPreview):
    """A character's walk as it would be baked; it hangs on no data of the file.

    Attributes:
        armature: the name of the armature that walks.
        stale: whether the path has changed since it was planned.
        inputs_changed: whether the surroundings have.
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
        """Plan anew what has changed, and makes some more of the walk."""
        elsewhere = time.monotonic() - self._last_tick_at
        armature = bpy.data.objects.get(self.armature_name)
        if armature is None:
            self.error, self.partial_walk = "The character is gone", None
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
            while self._is_computing and time.monotonic() < until:
                self._is_computing = self.partial_walk.advance(FRAMES_PER_CLOCK_CHECK)
            self._footprints = self._footprint_outlines(self.partial_walk)
        self._last_tick_at = time.monotonic()

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
            self._body_mesh = self._body_mesh or BodyMesh.of(walk.model.skeleton)
            self._is_computing = True
        self.path_may_have_changed = self.inputs_changed = False
        self._settings_key = walk_settings_key(armature)

    def _path_changed(self, armature: bpy.types.Object) -> bool:
        """Return whether the path is not where it was last read: to read a curve in Edit Mode is a change to
        Blender.
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

    def draw_scene(self) -> None:
        """Draw way, prints and ghost into the scene, behind what is before them."""
        walked = self.partial_walk
        if walked is None or not len(walked) or self._body_mesh is None:
            return
        gpu.state.depth_test_set("LESS_EQUAL")
        gpu.state.blend_set("ALPHA")
        scale, way = walked.walk.scale, walked.walk.path.points
        heights = walked.walk.profile.height_at(walked.walk.path.arc_lengths)
        _lines(scale * np.column_stack([way, heights]) + FOOTPRINT_HEIGHT_M * UP, "LINE_STRIP", PATH_COLOR)
        for prints, colour in zip(self._footprints, (LEFT_COLOR, RIGHT_COLOR), strict=True):
            if len(prints):
                _lines(prints, "LINES", colour)
        gpu.state.depth_mask_set(True)
        places, colours = self._body_mesh.posed_vertices(walked.pose(self._current_frame(walked)), 0)
        shader = gpu.shader.from_builtin("SMOOTH_COLOR")
        content = {"pos": places * np.float32(scale), "color": colours}
        batch_for_shader(shader, "TRIS", content, indices=self._body_mesh.triangles).draw(shader)
        gpu.state.blend_set("NONE")
        gpu.state.depth_mask_set(False)
        gpu.state.depth_test_set("NONE")

    def draw_text(self) -> None:
        """Say how long the walk is, or why there is none."""
        draw_headline(self.error or self._headline())

    def _headline(self) -> str:
        if self.partial_walk is None:
            return "Preview"
        walk = self.partial_walk.walk
        share = "" if not self._is_computing else f" ({100 * len(self.partial_walk) / max(walk.total_frames, 1):.0f} %)"
        length = walk.scale * walk.path.length
        return f"{length:.1f} m, {walk.total_frames / walk.model.rate:.1f} s{share}"

    def _current_frame(self, partial_walk: PartialWalk) -> int:
        """Return the frame that is shown now: from the first to the last, then anew."""
        rate = partial_walk.walk.model.rate
        passed = (time.monotonic() - self.loop_started_at) % (partial_walk.walk.total_frames / rate + LOOP_PAUSE_S)
        return min(int(passed * rate), len(partial_walk) - 1)

    def _footprint_outlines(self, partial_walk: PartialWalk) -> tuple[Array, Array]:
        """Return pairs of points (N, 3), metres, of the outlines of left prints, and of right ones."""
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


def _lines(points: Array, kind: str, color: tuple[float, float, float, float]) -> None:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", 2.0)
    shader.uniform_float("color", color)
    batch_for_shader(shader, kind, {"pos": points.astype(np.float32)}).draw(shader)


def note_changes(preview: LivePreview, depsgraph: bpy.types.Depsgraph) -> None:
    """Note what has changed in the scene: the path and what else the walk is told, or what stands about."""
    armature = bpy.data.objects.get(preview.armature_name)
    if armature is None:
        return
    settings = armature.footfall
    watched = {thing.session_uid for thing in (settings.path, settings.path and settings.path.data) if thing}
    for update in depsgraph.updates:
        block = update.id.original
        if block.session_uid in watched:
            preview.path_may_have_changed = True
        elif isinstance(block, bpy.types.Object) and block.type == "MESH" and block.find_armature() is None:
            preview.inputs_changed = True
    tag_redraw_all()
