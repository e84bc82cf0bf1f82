"""Drawing a preview in every 3D viewport: the ghost, its attached object, and the object sensor."""

from typing import Final

import bpy
import numpy as np

from .....core.control.interaction.sequencer import InteractionSequencer
from .....core.message import Message
from ....rig.figure import BodyMesh
from ....ui.gpu_drawing import draw_boxes, draw_ghost, draw_lines, draw_mesh, draw_points, scene_depth
from ....ui.viewport_preview import ViewportPreview, draw_headline
from ..task_bake import TaskBake
from . import debug_geometry
from .playback import ShotPlayback
from .rollout import InteractionRollout

BAR_COLOR: Final = (0.35, 0.65, 1.0, 0.9)
LINE_WIDTH_PX: Final = 2.5
POINT_SIZE_PX: Final = 5.0
BAR_SIZE_PX: Final = (14.0, 60.0)
"""Pixels that an expert's bar is wide, and high when it counts alone."""


class InteractionPreview(ViewportPreview):
    """An active preview; its drawing keeps no references to data of the file."""

    def __init__(self, rollout: InteractionRollout | ShotPlayback) -> None:
        super().__init__()
        self.rollout = rollout
        body_type = bpy.data.objects[rollout.armature_name].footfall.rig.body_type
        self.figure = BodyMesh.of(rollout.bake.calibration.target, body_type)

    def start(self) -> None:
        """Begin to draw."""
        super().start()
        self.hide_body()

    def hide_body(self) -> None:
        """Hide the character's own body once its ghost is shown."""
        if self.rollout.clip is not None:
            self.hide_bodies(self.rollout.armature_name)

    def draw_scene(self) -> None:
        """Draw body, objects, lines and points into the scene, with depth test."""
        acting, bake = self.rollout, self.rollout.bake
        clip = acting.clip
        if clip is None:
            return
        vertices, colors = self.figure.posed_vertices(clip, 0)
        with scene_depth():
            draw_ghost(vertices, colors, self.figure.triangles)
            for number, matrix in acting.moved_objects():
                mesh = acting.meshes[number]
                draw_mesh(mesh.world_vertices(matrix), mesh.colors, mesh.triangles)
            if isinstance(acting, InteractionRollout):
                self._draw_overlays(acting.sequencer, bake)

    @staticmethod
    def _draw_overlays(play: InteractionSequencer, bake: TaskBake) -> None:
        """Draw the points and lines of the chosen overlays."""
        shows = set(bpy.context.window_manager.footfall.interaction_overlays)
        for name, points in debug_geometry.overlay_points(play, shows, bake.scale, bake.floor_height):
            draw_points(points, debug_geometry.OVERLAY_COLORS[name], POINT_SIZE_PX)
        for name, line in debug_geometry.overlay_lines(play, shows, bake.scale, bake.floor_height):
            draw_lines(line, debug_geometry.OVERLAY_COLORS[name], LINE_WIDTH_PX, "LINE_STRIP")

    def draw_text(self) -> None:
        """Draw the current activity at the upper edge, and the experts as bars at the lower one."""
        context = bpy.context
        draw_headline(
            Message(
                "Preview of {armature_name}: {status_text}   |   Space: Pause   Esc: End",
                armature_name=self.rollout.armature_name,
                status_text=self.rollout.status_text(),
            )
        )
        if not isinstance(self.rollout, InteractionRollout):
            return
        shares = debug_geometry.expert_weights(self.rollout.sequencer)
        if "EXPERT_WEIGHTS" in context.window_manager.footfall.interaction_overlays and shares is not None:
            self._draw_expert_bars(np.asarray(shares, dtype=float), context.preferences.system.ui_scale)

    @staticmethod
    def _draw_expert_bars(weights: np.ndarray, scale: float) -> None:
        """Draw the blending weight of each expert as a bar."""
        width, height = (size * scale for size in BAR_SIZE_PX)
        left, bottom = 2 * width, 40 * scale
        draw_boxes(
            [
                (left + 1.3 * width * number, bottom, width, height * max(float(weight), 0.01))
                for number, weight in enumerate(weights)
            ],
            BAR_COLOR,
        )
