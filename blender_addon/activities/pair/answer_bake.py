"""The bake of a character that responds to its partner's motion: follows, faces, circles or defends."""

from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ....core.control.pair.answer_walk import AnswerWalk, begin_answer
from ....core.control.pair.fitted_dance import fit_walk
from ....core.control.pair.relation import Relation
from ....core.control.pair.relation_kinds import RELATIONS, RelationKind
from ....core.control.passes.gaze import face_of, look_at
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion import Clip
from ....core.motion.proportions import scale_between
from ....core.motion.root_frame import root_track
from ....core.retarget.retarget import ground_height
from ....core.scene.body_overlap import deepest_overlap
from ....core.terrain.walk_scene import WalkScene
from ...animation.fcurve_io.body_reader import read_body
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers import BakeSource
from ...rig.chosen_controller import load_chosen
from ...rig.sole_height import rise_after
from ...rig.store import calibrate_to_model, mapped_skeleton, rig_map_of
from ...scene.mesh_ground import Clock
from ...scene.walk_scene import read_walk_scene
from ...shot.write import BakeJob
from ...ui.modal_operator import WorkSteps, part_of_work
from ...ui.operator_base import require_present
from .pair import Pair
from .written_walk import write_walk

SLICE_FRAMES: Final = 8
READ_WORK_SHARE, WALK_WORK_SHARE = 0.2, 0.9
"""Shares of the work that are done after reading the partner's motion, and after the character's walk."""


class AnswerBake:
    """The bake of a character that responds; the file is only changed at the end.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    def __init__(self, pair: Pair, context: bpy.types.Context) -> None:
        armature, partner = pair
        settings = armature.footfall
        self.name, self.partner_name, self.partner_full_name = armature.name_full, partner.name, partner.name_full
        _, self.model = load_chosen(settings)
        self.calibration = calibrate_to_model(armature, self.model)
        self.scale = scale_between(self.model.skeleton, self.calibration.target)
        self.rise = rise_after(self.model.skeleton, self.calibration.target, armature)
        partner_map = rig_map_of(partner)
        body = mapped_skeleton(partner, partner_map)
        self.partner_rise = rise_after(body, body, partner)
        self.relation, self.seed = _read_relation(settings.partner), settings.partner.seed
        data = partner.animation_data
        if data is None or data.action is None:
            raise FootfallError(
                "'{name}' has no action for the partner to respond to: bake or assign one first", name=partner.name
            )
        self.walk_scene, self.warnings = WalkScene(), ()
        self.reading = read_body(partner, data.action, context.scene, partner_map)

    def work(self, scene: bpy.types.Scene) -> WorkSteps:
        """Yield the share done and the current activity; write the motion at the end."""
        read, start_frame = yield from part_of_work(self.reading, 0.0, READ_WORK_SHARE, Message("reads"))
        other = read.resampled(self.model.rate)
        answer = self.begin(other, start_frame, bpy.context)
        while answer.advance(SLICE_FRAMES):
            share = answer.frames_done / answer.total_frames
            yield READ_WORK_SHARE + (WALK_WORK_SHARE - READ_WORK_SHARE) * share, Message("bakes")
        armature, ground = require_present(self.name, scene), self.walk_scene.ground
        walk = fit_walk(answer.finish(), self.calibration, self.scale, self.rise, ground)
        clip = look_at(walk.clip, face_of(other))
        walk, level = replace(walk, clip=clip), answer.start_level * self.scale
        job = BakeJob(
            BakeSource("ANSWER", self.partner_full_name),
            f"{armature.name}_{self.relation.kind}_{self.partner_name}",
            start_frame,
            ground=ground,
            floor=level,
            rig_map=rig_map_of(armature),
            rise=self.rise,
            calibration=self.calibration,
            model=self.model,
        )
        notes = write_walk(armature, walk, self.model.gaits, scene, job)
        return Message.joined("; ", [self._describe(clip, other), *notes, *self.warnings])

    def begin(self, other: Clip, start_frame: int, context: bpy.types.Context) -> AnswerWalk:
        """Return a walk that responds to a motion, with no frame generated yet; it heeds the ground and walls.

        Args:
            other: the partner's motion, at the controller's rate.
            start_frame: scene frame of the partner's first frame.
            context: the context.

        Raises:
            FootfallError: there is no room for the character.
        """
        armature, level = require_present(self.name, context.scene), ground_height(other) - self.partner_rise
        roots = root_track(other).positions
        way = np.column_stack([roots, np.full(len(roots), level)])
        clock = Clock(start_frame, scene_rate(context.scene) / self.model.rate)
        found = read_walk_scene(armature, context, way, clock)
        self.walk_scene, self.warnings = found.walk_scene, found.warnings
        above = np.append(roots[0], other.root_positions[0, 2])
        below = float(found.walk_scene.ground.heights(above))
        level = below if np.isfinite(below) else level
        return begin_answer(self.model, self.relation, other, self.scale, self.seed, self.walk_scene, level)

    def _describe(self, clip: Clip, other: Clip) -> Message:
        """Return a message about the distance kept to the partner and about collisions."""
        apart = np.linalg.norm(root_track(clip).positions - root_track(other).positions, axis=-1)
        touching = 100 * float(np.mean(deepest_overlap(clip, other) > 0.0))
        return Message(
            "'{name}' stays {least} to {most} m away from '{partner}'. They touch in {touching} % of the frames",
            name=self.name,
            partner=self.partner_name,
            least=f"{apart.min():.2f}",
            most=f"{apart.max():.2f}",
            touching=f"{touching:.1f}",
        )


def _read_relation(settings: bpy.types.PropertyGroup) -> Relation:
    """Return the relation to the partner that a character's settings describe, in world meters."""
    kinds: dict[str, RelationKind] = {kind.upper(): kind for kind in RELATIONS}
    goal = None if settings.goal is None else np.array(settings.goal.matrix_world.translation[:2])
    return Relation(kinds[settings.relation], settings.distance, settings.circle_speed, goal)
