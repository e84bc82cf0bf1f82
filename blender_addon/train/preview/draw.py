"""Drawing a preview in every 3D viewport, in real time."""

import time
from typing import Final

from ....core.message import Message
from ....core.motion.rotations import UP
from ...rig.figure import BodyMesh
from ...ui.gpu_drawing import draw_ghost, draw_lines, scene_depth
from ...ui.viewport_preview import ViewportPreview, draw_headline
from .rollout import PreviewWalk

LOOP_PAUSE_S: Final = 0.6
"""Pause at the end of the walk before it starts again, seconds."""
PATH_HEIGHT_M: Final = 0.01
"""Height of the drawn path over the ground, meters."""
LINE_WIDTH_PX: Final = 2.0
PATH_COLOR: Final = (1.0, 0.75, 0.2, 0.9)


class RunPreview(ViewportPreview):
    """An active preview; it keeps no references to data of the file."""

    def __init__(self, preview_walk: PreviewWalk) -> None:
        super().__init__()
        self.preview_walk = preview_walk
        self.body_mesh = BodyMesh.of(preview_walk.clip.skeleton)
        self.loop_started_at = time.monotonic()

    def frame_at(self, now: float) -> int:
        """Return the frame to show at a time (``time.monotonic``); the walk is played in a loop."""
        clip = self.preview_walk.clip
        passed = (now - self.loop_started_at) % (clip.duration + LOOP_PAUSE_S)
        return min(int(passed * clip.rate), len(clip) - 1)

    def draw_scene(self) -> None:
        """Draw the path and the body into the 3D scene, hidden by objects in front of them."""
        vertices, colors = self.body_mesh.posed_vertices(self.preview_walk.clip, self.frame_at(time.monotonic()))
        with scene_depth():
            draw_lines(self.preview_walk.path_points + PATH_HEIGHT_M * UP, PATH_COLOR, LINE_WIDTH_PX, "LINE_STRIP")
            draw_ghost(vertices, colors, self.body_mesh.triangles)

    def draw_text(self) -> None:
        """Draw the name and the quality of the walk."""
        draw_headline(
            Message(
                "Preview of '{name}': {quality}   |   Esc: End",
                name=self.preview_walk.title,
                quality=self.preview_walk.quality,
            )
        )
