"""Drawing of a preview in every 3D viewport: the ghost, and the objects that it moves."""

import bpy

from .....core.message import Message
from ....rig.figure import BodyMesh
from ....ui.gpu_drawing import draw_ghost, draw_mesh, scene_depth
from ....ui.viewport_preview import ViewportPreview, draw_headline
from .playback import ShotPlayback


class InteractionPreview(ViewportPreview):
    """An active preview; its drawing keeps no references to data of the file."""

    def __init__(self, rollout: ShotPlayback) -> None:
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
        """Draw body and moved objects into the scene, with depth test."""
        acting = self.rollout
        clip = acting.clip
        if clip is None:
            return
        vertices, colors = self.figure.posed_vertices(clip, 0)
        with scene_depth():
            draw_ghost(vertices, colors, self.figure.triangles)
            for number, matrix in acting.moved_objects():
                mesh = acting.meshes[number]
                draw_mesh(mesh.world_vertices(matrix), mesh.colors, mesh.triangles)

    def draw_text(self) -> None:
        """Draw the current activity at the upper edge."""
        draw_headline(
            Message(
                "Preview of {armature_name}: {status_text}   |   Space: Pause   Esc: End",
                armature_name=self.rollout.armature_name,
                status_text=self.rollout.status_text(),
            )
        )
