"""Showing a preview in every 3D viewport: the ghost, what it carries, and what the network sees of its goal."""

from typing import Final

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ....core.message import Message
from ...rig.figure import BodyMesh
from ...ui.viewport_preview import ViewportPreview, draw_headline
from . import debug_geometry
from .rollout import InteractionRollout

BAR_COLOR: Final = (0.35, 0.65, 1.0, 0.9)
LINE_WIDTH_PX: Final = 2.5
POINT_SIZE_PX: Final = 5.0
BAR_SIZE_PX: Final = (14.0, 60.0)
"""Pixels that an expert's bar is wide, and high when it counts alone."""


class InteractionPreview(ViewportPreview):
    """A preview that is being shown; its drawing hangs on no data of the file."""

    def __init__(self, rollout: InteractionRollout) -> None:
        super().__init__()
        self.rollout = rollout
        self.figure = BodyMesh.of(rollout.clip.skeleton)

    def draw_scene(self) -> None:
        """Draw body, things, lines and points into the scene, behind what is before them."""
        acting, bake = self.rollout, self.rollout.bake
        shows = set(bpy.context.window_manager.footfall.interaction_overlays)
        gpu.state.depth_test_set("LESS_EQUAL")
        gpu.state.depth_mask_set(True)
        gpu.state.blend_set("ALPHA")
        shader = gpu.shader.from_builtin("SMOOTH_COLOR")
        places, colours = self.figure.posed_vertices(acting.clip, 0)
        content = {"pos": places, "color": colours}
        batch_for_shader(shader, "TRIS", content, indices=self.figure.triangles).draw(shader)
        for number, matrix in acting.moved_objects():
            mesh = acting.meshes[number]
            content = {"pos": mesh.world_vertices(matrix), "color": mesh.colors}
            batch_for_shader(shader, "TRIS", content, indices=mesh.triangles).draw(shader)
        gpu.state.point_size_set(POINT_SIZE_PX)
        flat = gpu.shader.from_builtin("UNIFORM_COLOR")
        for name, places in debug_geometry.overlay_points(acting.sequencer, shows, bake.scale, bake.floor_height):
            flat.bind()
            flat.uniform_float("color", debug_geometry.OVERLAY_COLORS[name])
            batch_for_shader(flat, "POINTS", {"pos": places}).draw(flat)
        thick = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
        thick.bind()
        thick.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
        thick.uniform_float("lineWidth", LINE_WIDTH_PX)
        for name, places in debug_geometry.overlay_lines(acting.sequencer, shows, bake.scale, bake.floor_height):
            thick.uniform_float("color", debug_geometry.OVERLAY_COLORS[name])
            batch_for_shader(thick, "LINE_STRIP", {"pos": places}).draw(thick)
        gpu.state.blend_set("NONE")
        gpu.state.depth_mask_set(False)
        gpu.state.depth_test_set("NONE")

    def draw_text(self) -> None:
        """Say what is being done, at the upper edge; experts as bars at the lower one."""
        context = bpy.context
        draw_headline(
            Message(
                "Preview of {armature_name}: {status_text}   |   Space: pause   Esc: end it",
                armature_name=self.rollout.armature_name,
                status_text=self.rollout.status_text(),
            )
        )
        shares = debug_geometry.expert_weights(self.rollout.sequencer)
        if "EXPERT_WEIGHTS" in context.window_manager.footfall.interaction_overlays and shares is not None:
            self._draw_expert_bars(np.asarray(shares, dtype=float), context.preferences.system.ui_scale)

    @staticmethod
    def _draw_expert_bars(weights: np.ndarray, scale: float) -> None:
        """Draw the blending weight of each expert as a bar."""
        width, height = (size * scale for size in BAR_SIZE_PX)
        left, bottom = 2 * width, 40 * scale
        corners, triangles = [], []
        for number, share in enumerate(weights):
            x, top = left + 1.3 * width * number, bottom + height * max(float(share), 0.01)
            triangles += [(4 * number, 4 * number + 1, 4 * number + 2), (4 * number, 4 * number + 2, 4 * number + 3)]
            corners += [(x, bottom), (x + width, bottom), (x + width, top), (x, top)]
        shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        shader.bind()
        shader.uniform_float("color", BAR_COLOR)
        gpu.state.blend_set("ALPHA")
        batch_for_shader(shader, "TRIS", {"pos": corners}, indices=triangles).draw(shader)
        gpu.state.blend_set("NONE")
