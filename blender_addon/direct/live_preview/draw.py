"""Showing a walk while its path is edited: planning it anew, making it a slice at a time, and drawing it."""

import time
from typing import Final

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ....core.control.walk.path_walk import PathWalk
from ....core.errors import FootfallError
from ....core.motion.rotations import UP, Array
from ...label.overlay.footprints import OUTLINE
from ...rig.figure import Figure
from ...scene.path_reader import WorldPath
from ...ui.redraw import redraw
from ...ui.translations import reported
from ...ui.viewport_preview import ShownPreview, draw_headline
from .planning import Basis, line_of, planned, told
from .rollout import Walked

SLICE: Final = 0.012
"""Seconds a tick in which frames are made; a third of what Blender takes for all else, where that is slow, ..."""
LONGEST_SLICE: Final = 0.25
"""... but no longer than this."""
FRAMES: Final = 4
"""Frames that are made between two looks at the clock."""
PAUSE: Final = 0.6
"""Seconds at the end, before the ghost begins anew."""
LIFT: Final = 0.012
"""Metres by which prints are drawn over the ground."""
LEFT, RIGHT, WAY = (0.35, 0.6, 1.0, 0.9), (1.0, 0.6, 0.25, 0.9), (1.0, 0.75, 0.2, 0.7)


class LivePreview(ShownPreview):
    """A character's walk as it would be baked; it hangs on no data of the file.

    Attributes:
        armature: the name of whose walk it is.
        stale: whether the path has changed since it was planned.
        unsettled: whether what stands about has.
    """

    def __init__(self, armature: bpy.types.Object) -> None:
        super().__init__()
        self.armature = armature.name_full
        self.stale = self.unsettled = True
        self.trouble = ""
        self.begun = self._left = time.monotonic()
        self.walked: Walked | None = None
        self._basis: Basis | None = None
        self._told: tuple = ()
        self._line: WorldPath | None = None
        self._going = False
        self._figure: Figure | None = None
        self._prints: tuple[Array, Array] = (np.zeros((0, 3)), np.zeros((0, 3)))

    def tick(self) -> None:
        """Plans anew what has changed, and makes some more of the walk."""
        elsewhere = time.monotonic() - self._left
        armature = bpy.data.objects.get(self.armature)
        if armature is None:
            self.trouble, self.walked = reported("The character is gone"), None
            return
        if self.unsettled or told(armature) != self._told or (self.stale and self._is_elsewhere(armature)):
            self._plan(armature)
        self.stale = False
        if self.walked is not None and self._going:
            until = time.monotonic() + min(max(SLICE, elsewhere / 3), LONGEST_SLICE)
            while self._going and time.monotonic() < until:
                self._going = self.walked.advance(FRAMES)
            self._prints = self._outlines(self.walked)
        self._left = time.monotonic()

    def _plan(self, armature: bpy.types.Object) -> None:
        context = bpy.context
        try:
            if self.unsettled or self._basis is None:
                self._basis, self.walked = Basis.of(armature, context), None
            walk = planned(armature, context.scene, self._basis)
        except FootfallError as error:
            self.trouble, self.walked = str(error), None
        else:
            self.trouble, self.walked = "", self._after(walk)
            self._figure = self._figure or Figure.of(walk.model.skeleton)
            self._going = True
        self.stale = self.unsettled = False
        self._told = told(armature)

    def _is_elsewhere(self, armature: bpy.types.Object) -> bool:
        """Whether the path is not where it was last read: to read a curve in Edit Mode is a change to Blender."""
        try:
            line = line_of(armature, bpy.context.scene)
        except FootfallError:
            return True
        before, self._line = self._line, line
        if before is None or len(before.points) != len(line.points):
            return True
        pairs = ((before.points, line.points), (before.heights, line.heights), (before.paces, line.paces))
        return not all(np.array_equal(np.asarray(one), np.asarray(other)) for one, other in pairs)

    def _after(self, walk: PathWalk) -> Walked:
        before = self.walked
        return Walked(walk, before, walk.resume_from(before.walk) if before is not None else 0)

    def draw_scene(self) -> None:
        """Draws way, prints and ghost into the scene, behind what is before them."""
        walked = self.walked
        if walked is None or not len(walked) or self._figure is None:
            return
        gpu.state.depth_test_set("LESS_EQUAL")
        gpu.state.blend_set("ALPHA")
        scale, way = walked.walk.scale, walked.walk.path.points
        heights = walked.walk.profile.height_at(walked.walk.path.arc_lengths)
        _lines(scale * np.column_stack([way, heights]) + LIFT * UP, "LINE_STRIP", WAY)
        for prints, colour in zip(self._prints, (LEFT, RIGHT), strict=True):
            if len(prints):
                _lines(prints, "LINES", colour)
        gpu.state.depth_mask_set(True)
        places, colours = self._figure.at(walked.pose(self._frame(walked)), 0)
        shader = gpu.shader.from_builtin("SMOOTH_COLOR")
        content = {"pos": places * np.float32(scale), "color": colours}
        batch_for_shader(shader, "TRIS", content, indices=self._figure.triangles).draw(shader)
        gpu.state.blend_set("NONE")
        gpu.state.depth_mask_set(False)
        gpu.state.depth_test_set("NONE")

    def draw_text(self) -> None:
        """Says how long the walk is, or why there is none."""
        draw_headline(self.trouble or self._headline())

    def _headline(self) -> str:
        if self.walked is None:
            return reported("Preview")
        walk = self.walked.walk
        share = "" if not self._going else f" ({100 * len(self.walked) / max(walk.total_frames, 1):.0f} %)"
        length = walk.scale * walk.path.length
        return f"{length:.1f} m, {walk.total_frames / walk.model.rate:.1f} s{share}"

    def _frame(self, walked: Walked) -> int:
        """The frame that is shown now: from the first to the last, then anew."""
        rate = walked.walk.model.rate
        passed = (time.monotonic() - self.begun) % (walked.walk.total_frames / rate + PAUSE)
        return min(int(passed * rate), len(walked) - 1)

    def _outlines(self, walked: Walked) -> tuple[Array, Array]:
        """Pairs of points (N, 3), metres, of the outlines of left prints, and of right ones."""
        ankles, balls, left = walked.prints()
        along = (balls - ankles)[:, :2]
        length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
        ahead = along / length
        right = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
        mirrored = np.where(left, -1.0, 1.0)[:, None, None]
        shape = OUTLINE[None] * length[:, None]
        flat = ankles[:, None, :2] + mirrored * shape[..., :1] * right[:, None] + shape[..., 1:] * ahead[:, None]
        level = walked.walk.surroundings.ground.heights(ankles) + LIFT
        points = np.concatenate([flat, np.broadcast_to(level[:, None, None], (*flat.shape[:2], 1))], axis=-1)
        lines = np.stack([points, np.roll(points, -1, axis=1)], axis=2)
        return lines[left].reshape(-1, 3), lines[~left].reshape(-1, 3)


def _lines(points: Array, kind: str, colour: tuple[float, float, float, float]) -> None:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", 2.0)
    shader.uniform_float("color", colour)
    batch_for_shader(shader, kind, {"pos": points.astype(np.float32)}).draw(shader)


def watch(preview: LivePreview, depsgraph: bpy.types.Depsgraph) -> None:
    """Notes what has changed in the scene: the path and what else the walk is told, or what stands about."""
    armature = bpy.data.objects.get(preview.armature)
    if armature is None:
        return
    settings = armature.footfall
    watched = {thing.session_uid for thing in (settings.path, settings.path and settings.path.data) if thing}
    for update in depsgraph.updates:
        block = update.id.original
        if block.session_uid in watched:
            preview.stale = True
        elif isinstance(block, bpy.types.Object) and block.type == "MESH" and block.find_armature() is None:
            preview.unsettled = True
    redraw()
