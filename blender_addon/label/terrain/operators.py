"""Building of ground patches, and display of the fitted ground of a clip."""

from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.labelling import Labels
from ....core.message import Message
from ....core.motion.rotations import Array
from ....core.terrain.clip_terrain import find_best_patches, flat_level
from ....core.terrain.fitting import fit_terms
from ....core.terrain.foot_points import FootPoints, FootTracks
from ....core.terrain.ground import Ground
from ....core.terrain.ground_from_contacts import ground_from_contacts
from ....core.terrain.heightfield import sample_heightfield
from ....core.terrain.refinement import FittedGround, bend_plane, refine_ground
from ....core.terrain.stride_segments import stride_segments
from ....core.terrain.terrain_file import FILE_CELL_SIZE_M, FILE_SQUARE_SIDE_M
from ...rig.clip_reader import read_mapped_action
from ...ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_work
from ...ui.operator_base import FootfallOperator, active_armature, require_armature, why_no_armature
from ...ui.plain import choice, flag, integer
from ...ui.translations import CONTEXT
from ..labels import read_labels
from .patches import make_patches, open_patches, patches_folder

TERRAIN_COLLECTION: Final = "Fitted Terrain"
SOURCE_ITEMS: Final = (
    ("PATCH", "Patch", "Terrain patch from the database, fitted to the motion"),
    ("ORIGINAL", "Original", "Terrain on which the clip was captured, estimated from its contacts"),
    (
        "DEFORMED_PLANE",
        "Deformed Plane",
        "Plane deformed to match the footsteps, a baseline to compare patches with",
    ),
)
TERRAIN_TYPE_ITEMS: Final = (
    ("AUTOMATIC", "Automatic", "Determine from the heights of the contacts whether the ground is level or uneven"),
    ("ROUGH", "Rough", "Treat the ground as uneven in any case, without looking at the contacts"),
    ("BEAM", "Beam", "Narrow beam to walk on, with a drop on both sides"),
)


class FOOTFALL_OT_make_terrain_patches(ModalWorkOperator, bpy.types.Operator):
    """Make terrain patches to fit under clips: rocks, stairs, ramps, ledges, dunes and curbs"""

    bl_idname = "footfall.make_terrain_patches"
    bl_label = "Make Terrain Patches"
    bl_options = {"REGISTER"}
    needs_meters = True
    cancel_message = "Canceled: the existing patches are kept"

    count: integer(
        "Count",
        "Number of patches. 20,000 take 635 MB of disk space; 1,000 are enough for a test",
        20_000,
        100,
        200_000,
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    def work(self, context: bpy.types.Context) -> WorkSteps:
        made = yield from part_of_work(
            make_patches(patches_folder(), self.count), 0.0, 1.0, Message("Making terrain patches")
        )
        return Message("Made {count} patches in '{folder}'", count=made.count, folder=made.folder)


class FOOTFALL_OT_show_terrain_patch(FootfallOperator, bpy.types.Operator):
    """Show, as a mesh, the terrain that fits the motion around the current frame"""

    bl_idname = "footfall.show_terrain_patch"
    bl_label = "Show Fitted Terrain"
    needs_meters = True

    terrain: choice("Terrain", "Terrain to show", SOURCE_ITEMS, translation_context=CONTEXT)
    rank: integer("Rank", "Rank of the patch. 1 is the patch that fits best", 1, 1, 1000, soft_max=10)
    source_terrain: choice(
        "Source Terrain", "Terrain on which the clip was captured", TERRAIN_TYPE_ITEMS, translation_context=CONTEXT
    )
    deform: flag("Deform", "Deform the terrain so that the feet stand on it", True)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_armature(context)
        armature = active_armature(context)
        if reason is None and (armature is None or not (armature.animation_data and armature.animation_data.action)):
            return "Select an armature that has an action"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        armature, scene = require_armature(context), context.scene
        action = armature.animation_data.action
        clip, first = read_mapped_action(armature, action, scene)
        labels = read_labels(armature, action, clip, first)
        feet = FootTracks.of(clip, labels)
        level = flat_level(feet)
        if level is not None and self.source_terrain == "AUTOMATIC":
            raise FootfallError(
                "'{name}' was captured on level ground, at a height of {level} m, so no patch is needed: set "
                "Source Terrain to Rough to fit a patch anyway",
                name=action.name,
                level=f"{level:.2f}",
            )
        start, stop = _part_at_frame(labels, scene.frame_current - first)
        points = feet.points(start, stop)
        if self.source_terrain == "BEAM":
            points = replace(points, off_beam=feet.off_beam_points(start, stop))
        name, ground = self._fitted(feet, points)
        bent = refine_ground(ground, points) if self.deform and isinstance(ground, FittedGround) else ground
        _show_as_mesh(context, f"Ground of {action.name}", bent, points.centre)
        off = [f"{1000 * fit_terms(points, one).down ** 0.5:.1f} mm" for one in (ground, bent)]
        span = {"terrain": name, "start": first + start, "end": first + stop - 1}
        if bent is ground:
            return Message(
                "{terrain}, frames {start} to {end}: the contacts are {distance} away from the surface",
                distance=off[0],
                **span,
            )
        return Message(
            "{terrain}, frames {start} to {end}: the contacts are {distance} away from the surface, and {deformed} "
            "after it was deformed",
            distance=off[0],
            deformed=off[1],
            **span,
        )

    def _fitted(self, feet: FootTracks, points: FootPoints) -> tuple[str, Ground]:
        """Return the selected ground's name, and the ground before it is refined."""
        if self.terrain == "ORIGINAL":
            return "Original terrain of the clip", FittedGround(ground_from_contacts(feet), np.zeros(3))
        if self.terrain == "DEFORMED_PLANE":
            return "Plane deformed to match the footsteps", bend_plane(points)
        patches = open_patches()
        if self.rank > patches.count:
            raise FootfallError(
                "There are only {count} terrain patches: choose a rank up to {count}", count=patches.count
            )
        grounds, _, numbers = find_best_patches(points, patches, self.rank)
        return Message(
            "Terrain patch {number} of {count}, rank {rank} by fit",
            number=numbers[-1],
            count=patches.count,
            rank=self.rank,
        ), grounds[-1]


def _part_at_frame(labels: Labels, frame: int) -> tuple[int, int]:
    """Return the frames [start, stop) of the stride segment at a frame, or nearest to it."""
    parts = stride_segments(labels).tolist()
    return next(((start, stop) for start, stop in parts if frame < stop), parts[-1])


def _show_as_mesh(context: bpy.types.Context, name: str, ground: Ground, center: Array) -> None:
    """Add a square piece of ground to the scene as a mesh, replacing an earlier mesh with its name."""
    field = sample_heightfield(
        ground, center[:2] - FILE_SQUARE_SIDE_M / 2, center[:2] + FILE_SQUARE_SIDE_M / 2, FILE_CELL_SIZE_M
    )
    rows, columns = field.grid.shape
    corner = np.arange(rows * columns).reshape(rows, columns)
    faces = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], axis=-1)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(field.grid_points.reshape(-1, 3).tolist(), [], faces.reshape(-1, 4).tolist())
    mesh.shade_smooth()
    collection = bpy.data.collections.get(TERRAIN_COLLECTION) or bpy.data.collections.new(TERRAIN_COLLECTION)
    if collection.name not in context.scene.collection.children:
        context.scene.collection.children.link(collection)
    for old in [thing for thing in collection.objects if thing.name == name]:
        bpy.data.meshes.remove(old.data)  # including the object
    collection.objects.link(bpy.data.objects.new(name, mesh))


CLASSES = (FOOTFALL_OT_make_terrain_patches, FOOTFALL_OT_show_terrain_patch)
