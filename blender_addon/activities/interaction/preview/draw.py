"""Drawing of a preview in every 3D viewport: the ghosts of the cast, and the objects that they move."""

from collections.abc import Iterator

import bpy

from .....core.message import Message
from .....core.motion import Clip
from ....rig.figure import BodyMesh
from ....ui.gpu_drawing import draw_ghost, draw_mesh, scene_depth
from ....ui.viewport_preview import ViewportPreview, draw_headline
from .playback import ShotPlayback


class InteractionPreview(ViewportPreview):
    """An active preview; its drawing keeps no references to data of the file."""

    def __init__(self, rollout: ShotPlayback) -> None:
        super().__init__()
        self.rollout = rollout
        self.figures = {
            one.armature_name: BodyMesh.of(
                one.calibration.target, bpy.data.objects[one.armature_name].footfall.rig.body_type
            )
            for one in (rollout.bake, *rollout.bake.companions)
        }

    def start(self) -> None:
        """Begin to draw."""
        super().start()
        self.hide_body()

    def hide_body(self) -> None:
        """Hide the bodies of the characters whose ghosts are shown."""
        if self.rollout.clip is not None:
            self.hide_bodies(*(name for name, _ in self.shown_bodies()))

    def shown_bodies(self) -> Iterator[tuple[str, Clip]]:
        """Yield the names of the shown characters, the active one first, each with its body at the shown frame."""
        clip = self.rollout.clip
        if clip is not None:
            yield self.rollout.armature_name, clip
            yield from (one for one in self.rollout.partner_clips() if one[0] in self.figures)

    def draw_scene(self) -> None:
        """Draw bodies and moved objects into the scene, with depth test."""
        acting = self.rollout
        bodies = [(self.figures[name], clip) for name, clip in self.shown_bodies()]
        posed = [(figure, *figure.posed_vertices(clip, 0)) for figure, clip in bodies]
        with scene_depth():
            for figure, vertices, colors in posed:
                draw_ghost(vertices, colors, figure.triangles)
            for number, matrix in acting.moved_objects():
                mesh = acting.meshes[number]
                draw_mesh(mesh.world_vertices(matrix), mesh.colors, mesh.triangles)

    def draw_text(self) -> None:
        """Draw the current activity at the upper edge."""
        draw_headline(
            Message(
                "Preview of '{armature}': {status}   |   Space: Pause   Esc: End",
                armature=self.rollout.armature_name,
                status=self.rollout.status_text(),
            )
        )
