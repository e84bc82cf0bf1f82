"""Bakes of errands: the character's motion, and that of the things they move, together."""

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from ...core.control.interaction.sequencer import InteractionSequencer, InteractionTask
from ...core.control.navigation.approach_pose import blocking_penalty
from ...core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from ...core.errors import FootfallError
from ...core.evaluation.quality import traces
from ...core.features.interaction import CONTACTS
from ...core.models.model_file import ControllerModel
from ...core.motion.proportions import scale_between
from ...core.motion.roles import JOINTS
from ...core.motion.rotations import Array, rotate
from ...core.scene.affordances import find_placement_surfaces, placement_poses
from ...core.scene.interaction_object import InteractionObject
from ...core.terrain.ground import Plane
from ..animation.bake_report import remember
from ..animation.fcurve_io.reader import scene_rate
from ..animation.layers import Destination, write
from ..animation.output import first_frame, write_output
from ..controllers import library
from ..direct.bake import Result, quality_line
from ..label.labels import write_labels
from ..rig.sole_height import on_its_soles
from ..rig.store import calibration_of, rig_map_of
from ..scene.objects import SceneThing, obstacles_of, read_thing
from ..ui.operator_base import require_editable
from .labels import labels_of_errands
from .object_keys import hung_tracks, object_tracks
from .tasks import WITH_THING

LIFTED = 0.002
"""Metres by which something that is put down is above what it stands on."""
EDGE = 0.03
"""Metres that it stays away from the edge."""
ABOVE = 0.1
"""Metres over its place from which one looks down on what it is put on."""
STANDS = 0.3
"""Metres from there to whoever puts it down."""


class InteractionBake:
    """A character's errands. Nothing in the file changes before :meth:`finish`.

    Args:
        armature: who acts.
        context: where.
        controller: the name of a controller and the controller, in place of the one that the settings name.

    Raises:
        FootfallError: something is missing or does not fit; one sentence that says what.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        controller: tuple[str, ControllerModel] | None = None,
    ) -> None:
        settings, scene = armature.footfall, context.scene
        require_editable(armature, "Armature")
        if not settings.errands:
            raise FootfallError("There is nothing to do: add an errand.")
        self.armature_name = armature.name_full
        self.controller, model = controller or library.load_interacting(settings.interaction_file)
        self.start = first_frame(armature, scene)
        self.rig_map = rig_map_of(armature)
        self.calibration = calibration_of(armature, model.skeleton)
        self.level = float(armature.matrix_world.translation.z)
        self.scale = scale_between(model.skeleton, self.calibration.target)
        self.things, numbers = self._things(settings.errands, scene)
        errands = [self._errand(item, number) for item, number in zip(settings.errands, numbers, strict=True)]
        place, yaw = _stands(armature)
        self.play = InteractionSequencer(model, [one.thing for one in self.things], errands, place / self.scale, yaw)

    def _things(
        self, errands: Sequence[bpy.types.PropertyGroup], scene: bpy.types.Scene
    ) -> tuple[list[SceneThing], list[int]]:
        """All things about, and which of them each errand is done with."""
        found: dict[str, int] = {}
        things: list[SceneThing] = []
        numbers = []
        for errand in errands:
            if errand.action not in WITH_THING:
                numbers.append(-1)
                continue
            if errand.thing is None:
                raise FootfallError("An errand has no object: choose what it is done with.")
            name = errand.thing.name_full
            if name not in found:
                found[name] = len(things)
                things.append(read_thing(errand.thing, errand.action, self.scale, self.level))
            numbers.append(found[name])
        taken = [errand.thing for errand in errands if errand.thing is not None]
        return [*things, *obstacles_of(scene, taken, self.scale, self.level)], numbers

    def _errand(self, item: bpy.types.PropertyGroup, number: int) -> InteractionTask:
        place = direction = None
        if item.action in ("walk", "run", "carry"):
            if item.place is None:
                what = "to put it" if item.action == "carry" else "to go"
                raise FootfallError(f"It is not said where {what}: choose a place, an empty or an object.")
            if item.action == "carry" and item.place.type == "MESH":
                place, stand = self._on(item.place, self.things[number].thing)
                return InteractionTask(item.action, number, place, stand_direction=stand)
            place, direction = _place(item.place, self.level, self.scale, on_floor=item.action != "carry")
        return InteractionTask(item.action, number, place, direction, duration=item.seconds)

    def _on(self, table: bpy.types.Object, box: InteractionObject) -> tuple[Array, Array]:
        """Where a box is put on an object (3), metres of the controller, and the side (2) on which its bearer stands:
        near an edge before which there is room, the nearest one to where the box is.
        """
        surface = read_thing(table, "", self.scale, self.level).thing
        others = [one.thing.posed_collider for one in self.things if one.thing.name != box.name]
        lower, upper = box.collider.bounds
        width, depth = (float(size) for size in (upper - lower)[:2])
        spots = [
            (surface.posed_collider.to_world(place[None])[0], rotate(surface.rotation, np.append(way, 0.0))[:2])
            for top in find_placement_surfaces(surface.collider)
            for place, way in placement_poses(top, width, depth, EDGE)
        ]
        if not spots:
            raise FootfallError(f"There is no room for '{box.name}' on '{table.name}': choose something larger.")

        def far(spot: tuple[Array, Array]) -> float:
            place, way = spot
            stand = place[:2] + (depth / 2 + EDGE + STANDS) * way
            return float(np.linalg.norm(stand - box.position[:2])) + blocking_penalty(stand, others)

        place, way = min(spots, key=far)
        height = (_height(table, self.scale * place + [0.0, 0.0, self.level]) - self.level) / self.scale
        return np.array([place[0], place[1], height + LIFTED]), way

    @property
    def fraction(self) -> float:
        """About the share that is made: errands that are done."""
        return min(self.play.task_index / len(self.play.tasks), 0.99)

    def advance(self, frames: int) -> bool:
        """Makes some frames; false when all errands are done."""
        return self.play.advance(frames)

    def finish(self, scene: bpy.types.Scene) -> Result:
        """Writes the motion where the settings say, and the things' motion to actions of their own."""
        armature = next((one for one in scene.objects if one.name_full == self.armature_name), None)
        if armature is None:
            raise FootfallError(f"Armature '{self.armature_name}' is gone: nothing was baked.")
        performed = refine_interaction(self.play, self.calibration)
        rate = scene_rate(scene)
        clip = performed.clip
        lifted = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.0, self.level]))
        moved = on_its_soles(lifted.resampled(rate), armature)
        name = f"{armature.name}_{self.controller}"
        contacts = {
            role: np.interp(np.arange(len(moved)) / rate, np.arange(len(clip)) / clip.rate, column)
            for role, column in zip(CONTACTS, performed.contacts.T, strict=True)
        }
        made = write_output(armature, self.rig_map, moved, self.start, name, contacts, self.level)
        things = self._write_things(scene, armature, performed, len(moved), rate)
        if made.record.kind != "RANGE":
            scene.frame_end = max(scene.frame_end, self.start + len(moved) - 1)
            labels = labels_of_errands(performed, self.level)
            write_labels(armature, made.record.action, labels.resampled(rate, len(moved)), self.start)
        armature.footfall.baked = made.record.action
        found = traces(lifted, performed.contacts[:, -len(JOINTS) :], Plane(self.level))
        rows = {row.measure: row for row in remember(armature, found, lifted.rate, self.start, len(moved), rate)}
        armature.footfall.quality = quality_line({"skate_mean_cm_s": rows["slide"].mean} if "slide" in rows else {})
        quality = armature.footfall.quality
        said = [f"Baked {len(moved)} frames", quality, *things, *self._said(), made.record.message, *made.warnings]
        return Result(made.record.action, "; ".join(part for part in said if part))

    @property
    def given_up(self) -> list[int]:
        """The numbers, from 1, of the errands that could not be done."""
        return [event.task_index + 1 for event in self.play.events if event.kind == "gave up"]

    def _said(self) -> list[str]:
        return [f"errand {number} was given up: it could not be reached" for number in self.given_up]

    def _write_things(
        self, scene: bpy.types.Scene, armature: bpy.types.Object, performed: RefinedInteraction, count: int, rate: float
    ) -> list[str]:
        """Keys of the things that move; a sentence for each."""
        said = []
        at = np.minimum(np.round(np.arange(count) / rate * performed.clip.rate).astype(int), len(performed.objects) - 1)
        for number, one in enumerate(self.things):
            frames = [performed.objects[frame][number] for frame in at]
            if all(frame is frames[0] or _alike(frame, frames[0]) for frame in frames):
                continue
            thing = next(found for found in scene.objects if found.name_full == one.name)
            matrices = [one.matrix(frame) for frame in frames]
            tracks = object_tracks(thing, matrices)
            held = self._held(number, at)
            if armature.footfall.carried_by == "CHILD_OF" and held.any():
                hand = armature.pose.bones[self.rig_map.bones["hand.R"]]
                tracks = hung_tracks(thing, armature, hand, matrices, held, self.start)
            write(thing, tracks, self.start, Destination(), f"{thing.name}_moved")
            said.append(f"'{thing.name}' moves")
        return said

    def _held(self, number: int, at: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether (F) a thing is in somebody's hands, at frames (F) of the play."""
        held = np.zeros(len(self.play.frames), dtype=bool)
        for event in self.play.events:
            if event.kind in ("took", "put") and self.play.tasks[event.task_index].object_index == number:
                held[event.frame :] = event.kind == "took"
        return held[at]


def _alike(one: InteractionObject, other: InteractionObject) -> bool:
    return np.allclose(one.position, other.position, atol=1e-7) and np.allclose(one.rotation, other.rotation, atol=1e-7)


def _place(thing: bpy.types.Object, level: float, scale: float, on_floor: bool) -> tuple[Array, Array]:
    """Where an object says to go (3), metres of the controller, and which way to face (2)."""
    matrix = np.array(thing.matrix_world)
    position, front = matrix[:3, 3] - [0.0, 0.0, level], matrix[:2, 1]
    if on_floor:
        position = position * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(front))
    return position / scale, front / length if length > 1e-6 else np.array([0.0, 1.0])


def _height(table: bpy.types.Object, place: Array) -> float:
    """How high an object's surface is about a place (3) on it, metres: colliders are up to a voxel higher."""
    back = table.matrix_world.inverted()
    above = back @ Vector((*place[:2], place[2] + ABOVE))
    down = (back.to_3x3() @ Vector((0.0, 0.0, -1.0))).normalized()
    hit, point, _, _ = table.evaluated_get(bpy.context.evaluated_depsgraph_get()).ray_cast(above, down)
    return float((table.matrix_world @ point).z) if hit else float(place[2])


def _stands(armature: bpy.types.Object) -> tuple[Array, float]:
    """Where an armature's object stands (2), metres, and which way it faces, radians: rigs look along -Y."""
    matrix = armature.matrix_world
    front = rotate(np.array(matrix.to_quaternion()[:]), np.array([0.0, -1.0, 0.0]))
    return np.array(matrix.translation[:2]), float(np.arctan2(-front[0], front[1]))
