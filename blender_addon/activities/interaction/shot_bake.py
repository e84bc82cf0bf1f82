"""The bake of a character's beats as one motion: walks over the scene's ground, and interactions on any level."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ....core.body import forward_direction
from ....core.body.skinned_mesh import rest_positions
from ....core.control.pair.partner_dance import DanceSource
from ....core.control.performance import ObjectTrack, Performance
from ....core.control.runtime.handover import is_same_body
from ....core.control.shot.activity import STEP_FRAMES
from ....core.control.shot.cast import CastMember, CastRollout
from ....core.control.shot.memo import ShotMemo
from ....core.control.shot.outcome import Shot, TaskTake
from ....core.control.shot.request import Manner, ShotRequest
from ....core.control.shot.shot import ShotRollout
from ....core.errors import FootfallError
from ....core.evaluation.quality import MeasureTrace
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion import Skeleton
from ....core.motion.proportions import scale_between
from ....core.motion.rotations import Array, rotate, unroll
from ....core.terrain.ground import Scene
from ...animation.fcurve_io.reader import scene_rate
from ...animation.fcurve_io.rig import read_rig
from ...animation.output import BakeOutput
from ...animation.shown_frame import shown_at
from ...controllers import library
from ...controllers.dances import load_dance
from ...controllers.generators import load_chosen_generator
from ...controllers.strikes import load_fighter
from ...rig.chosen_controller import load_chosen
from ...rig.finger_bones import with_fingers
from ...rig.skin import skin_of
from ...rig.sole_height import floor_height, sole_offset
from ...rig.store import calibrate_to_model, rig_map_of
from ...scene.ground_choice import choose_ground
from ...scene.ground_tags import WALKABLE
from ...scene.mesh_ground import Clock
from ...scene.walk_scene import read_walk_scene
from ...shot import rollout_cache
from ...shot.bake_result import BakeResult
from ...shot.clock import BakeClock
from ...shot.write import BakeJob, EditedPerformance, write_performance
from ...ui.operator_base import require_editable, require_present
from .beat_reader import BeatReader, ground_height
from .object_keys import write_moved_objects
from .partners import (
    SOURCE,
    bystanders_of,
    cast_of,
    common_start,
    passed_balls,
    recorded_motion,
    recorded_partners,
)
from .properties import DANCE, DRIBBLE, FIGHT, STRIKE, WITHOUT_INTERACTION
from .shot_balls import ShotBalls, share_balls, walkers
from .shot_sentences import in_scene, moved_by_refinement, skipped_beats, touch_gaps_of, unreached_rests
from .shot_weapons import ShotWeapons, with_hands_target
from .touch_gaps import gap_traces

MAX_FACING_ERROR_RAD: Final = np.radians(30.0)
"""Largest angle between an armature's -Y and the facing of its body at which -Y counts as the facing."""


class ShotBake:
    """The bake of a character's beats; nothing in the file changes before :meth:`finish`.

    Args:
        armature: the character.
        context: the context.
        seed_offset: added to the seed of the settings.
        again: whether the last bake keeps its frames.
        is_companion: whether the shot is part of the bake of a partner.

    Attributes:
        companions: bakes of the partners and of their partners.
        moments: frames of the blows of the whole cast.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    rollout: ShotRollout
    """The character's shot in progress."""
    collisions: Sequence[Message] = ()
    """Sentences about collisions with characters before it, once all are finished."""

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        seed_offset: int = 0,
        again: bool = False,
        start: int | None = None,
    ) -> None:
        settings, scene = armature.footfall, context.scene
        require_editable(armature, "Armature")
        if not settings.interaction_tasks:
            raise FootfallError("The shot has no beats: add one")
        self.armature_name = armature.name_full
        self.kinds = [str(item.type) for item in settings.interaction_tasks]
        self.controller, self.model = library.load_interaction_controller(
            settings.interaction_controller_file, [kind for kind in self.kinds if kind not in WITHOUT_INTERACTION]
        )
        walks, dribbler = walkers(load_chosen(settings)[1], settings.ball != "NONE" or DRIBBLE in self.kinds)
        self.balls = ShotBalls(armature)
        has_walker = is_same_body(walks, self.model)
        cast = cast_of(armature)
        self.start_frame = common_start([armature, *cast], scene, again) if start is None else start
        self.rig_map = rig_map_of(armature)
        self.calibration = calibrate_to_model(armature, self.model)
        self.skin, self.rise = skin_of(armature), sole_offset(self.calibration.target, armature)
        self.scale = scale_between(self.model.skeleton, self.calibration.target)
        at_start = np.append(np.array(armature.matrix_world.translation[:2]), floor_height(armature))
        clock = Clock(self.start_frame, scene_rate(scene) / self.model.rate)
        self.around = read_walk_scene(armature, context, at_start[None], clock)
        choice = choose_ground(armature, scene, context.view_layer)
        striker = self._striker(settings)
        learned = None if striker is None else striker.skeleton
        strikes = striker and with_hands_target(armature, striker.skeleton)
        self.weapons = ShotWeapons(armature, context, (strikes or self.calibration).target, learned)
        reader = BeatReader(
            armature,
            scene,
            self.ground,
            self.start_frame,
            self.scale,
            self.model.rate if has_walker else None,
            self.balls,
            self.weapons,
            self.calibration.target,
            [one for one in scene.objects if choice.object_uses.get(one.session_uid) == WALKABLE],
        )
        # A bake that is made again begins with its objects where they are at its start, not where it has put them.
        with shown_at(scene, self.start_frame if settings.baked_action is not None else scene.frame_current):
            place, yaw = standing_pose(armature, self.calibration.target)
            self.start_height = ground_height(self.ground, np.append(place, floor_height(armature)))
            beats = reader.read()
        self.objects = reader.objects
        request = ShotRequest(
            beats,
            np.append(place, self.start_height),
            yaw,
            self.around.walk_scene,
            [one.interaction_object for one in self.objects],
            self.calibration,
            self.skin,
            self.rise,
            settings.seed + seed_offset,
            _manner(settings),
            None if self.around.moving_names else self.around.scene_key,
            self.balls.states,
            None if dribbler is None else calibrate_to_model(armature, dribbler),
            strikes,
        )
        # Takes of other seeds have memories of their own, which end with them.
        kept = rollout_cache.stored(armature, ShotMemo) if not seed_offset else None
        self.memo = kept or ShotMemo()
        if kept is None and not seed_offset:
            rollout_cache.store(armature, self.memo, 0)
        walker, dances = walks if has_walker else self.model, self._dances(settings)
        self.member = CastMember(walker, self.model, request, striker, self.memo, dribbler, dances)
        self._made: Shot | None = None
        self.moments: list[int] = []
        self.companions: list[ShotBake] = []
        self._leads = start is None
        if self._leads:
            self._gather_cast(armature, cast, context, seed_offset)

    def _gather_cast(
        self,
        armature: bpy.types.Object,
        cast: Sequence[bpy.types.Object],
        context: bpy.types.Context,
        seed_offset: int,
    ) -> None:
        """Make the bakes of the partners, and begin the shots of all together."""
        for one in cast:
            try:
                self.companions.append(ShotBake(one, context, seed_offset, start=self.start_frame))
            except FootfallError as error:
                raise FootfallError("'{name}': {note}", name=one.name_full, note=error) from error
        bakes = {one.armature_name: one for one in (self, *self.companions)}
        share_balls({name: one.balls for name, one in bakes.items()}, passed_balls([armature, *cast]))
        recorded = {
            one.name_full: recorded_motion(one, context.scene, self.start_frame, self.member.walks.rate)
            for one in recorded_partners([armature, *cast])
        }
        around = bystanders_of([armature, *cast], context.scene, self.start_frame, self.model.rate)
        around = {name: clip for name, clip in around.items() if name not in recorded}
        self.cast = CastRollout({name: bakes[name].member for name in sorted(bakes)}, around, recorded)
        for name, one in bakes.items():
            one.rollout = self.cast.shots[name]

    def _striker(self, settings: bpy.types.PropertyGroup) -> ControllerModel | None:
        """Return the controller that strikes, if a beat needs it."""
        if STRIKE not in self.kinds and FIGHT not in self.kinds:
            return None
        return load_fighter(settings.strike_controller_file)[1].strikes

    def _dances(self, settings: bpy.types.PropertyGroup) -> DanceSource | None:
        """Return the dance, if a beat needs it."""
        if DANCE not in self.kinds:
            return None
        return DanceSource(*load_dance(settings.dance, settings.dance_file)[1:])

    # --- Making

    @property
    def clock(self) -> BakeClock:
        """Frames of the scene, and of the shot."""
        return BakeClock(self.start_frame, scene_rate(bpy.context.scene), self.model.rate)

    @property
    def fraction(self) -> float:
        """Approximate share done, 0 to 1, by the number of beats done."""
        count = sum(len(one.kinds) for one in (self, *self.companions))
        return min(self.cast.beats_done / max(count, 1), 0.99)

    @property
    def ground(self) -> Scene:
        """Ground under the shot, world meters."""
        return self.around.walk_scene.ground

    def advance(self, frames: int) -> bool:
        """Generate some frames; return false when all beats are done."""
        return all(self.cast.advance() for _ in range(max(frames // STEP_FRAMES, 1)))

    def post_process(self) -> None:
        """Do the part of :meth:`finish` that does not change the file."""
        if self._made is not None:
            return
        try:
            self._made = self.rollout.finish()
        except FootfallError as error:
            told = in_scene(error.fields.get("reason", str(error)), self.clock)
            raise FootfallError("{reason}", reason=told) from error
        for one in self.companions:  # nothing is written if a partner has no motion
            one.post_process()
        if self._leads:
            bakes = {one.armature_name: one for one in (self, *self.companions)}
            shots = self.cast.joined({name: bakes[name].shot for name in sorted(bakes)})
            collisions = self.cast.collisions(shots)
            for name, one in bakes.items():
                one._made, one.collisions = shots[name], collisions[name]

    @property
    def shot(self) -> Shot:
        """The shot, once all beats are done."""
        self.post_process()
        assert self._made is not None
        return self._made

    def acts(self) -> Sequence[TaskTake]:
        """Return the interaction tasks as performed."""
        return self.shot.acts

    def beat_at(self, frame: int) -> int:
        """Return the index of the character's beat at a frame of the finished parts."""
        return max((number for number, one in self.rollout.beats_so_far.items() if one.first <= frame), default=0)

    def object_tracks(self, made: Performance) -> Iterator[ObjectTrack]:
        """Yield the motion of the origin of each object that moves in the scene."""
        known = {one.interaction_object.name: one for one in self.objects}
        for track in made.objects:
            if not track.moves or track.in_palms:
                continue
            one = known[track.name]
            states = [
                replace(one.interaction_object, position=place / self.scale, rotation=turn)
                for place, turn in zip(track.positions, track.rotations, strict=True)
            ]
            places = [one.scene_matrix(state).decompose() for state in states]
            positions, turns = (np.array([place[part][:] for place in places]) for part in (0, 1))
            yield ObjectTrack(one.name, positions, unroll(turns), track.held)
        yield from self.balls.tracks(made)

    @property
    def skipped_tasks(self) -> list[int]:
        """Numbers, from 1, of the beats that were skipped."""
        return [number for number, one in enumerate(self.shot.beats, start=1) if one.status != "done"]

    # --- Writing

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Write the motion to the destination of the settings, and the objects' motion to actions of their own."""
        self.post_process()
        armature = require_present(self.armature_name, scene)
        present = {thing.name_full for thing in scene.objects}
        for one in (self, *self.companions):
            require_present(one.armature_name, scene)
            if (name := next((name for name in one.used_names() if name not in present), None)) is not None:
                raise FootfallError("'{name}' was deleted during the bake: nothing was baked", name=name)

        def write_objects(output: BakeOutput, edited: EditedPerformance) -> list[str]:
            output, others = self.balls.place_own(output, edited.shown, self.start_frame, scene)
            hand = self.rig_map.bones["hand.R"]
            held = self.weapons.tracks(edited.shown.clip, armature.footfall.interaction_tasks, self.shot.beats)
            return write_moved_objects(armature, scene, output, [*others.objects, *held], hand, self.start_frame)

        def touch_traces(edited: Performance) -> list[MeasureTrace]:
            return self._gap_traces(armature, edited)

        made = self.shot.performance
        cast = (self, *self.companions)
        moments = sorted({beat.blow for one in cast for beat in one.shot.beats if beat.blow is not None})
        for one in cast:
            one.moments = one.moments or moments
        moved = replace(made, objects=tuple(self.object_tracks(made)))
        written = write_performance(armature, scene, moved, self._job(armature), write_objects, touch_traces)
        self._store_spans(armature.footfall.interaction_tasks, written.performance)
        rollout_cache.store(armature, self.memo, self.memo.frames)
        said = [
            Message("Baked {count} frames", count=len(written.clip)),
            *moved_by_refinement(self.shot.corrections),
            *touch_gaps_of(written.rows),
            *unreached_rests(self.acts(), self.scale),
            *written.notes,
            *skipped_beats(self.shot.beats, self.clock),
            *self.collisions,
            *self.balls.hits(made),
            *(
                Message("'{name}': {note}", name=one.armature_name, note=one.finish(scene).message)
                for one in self.companions
            ),
        ]
        return BakeResult(written.record.action, Message.joined(". ", (part for part in said if part)))

    def _store_spans(self, items: Sequence[bpy.types.PropertyGroup], edited: Performance) -> None:
        """Store the scene's frames of each beat for the timeline."""
        clock = self.clock
        for item, one in zip(items, self.shot.beats, strict=False):  # the list may have changed during the bake
            first, last = (edited.frame_from(at) for at in (one.first, one.last))
            item.first_frame = item.last_frame = 0
            item.is_skipped = one.status != "done"
            if one.status != "left out" and first is not None and last is not None:
                item.first_frame, item.last_frame = clock.scene_frame(first), clock.scene_frame(last)

    def used_names(self) -> Iterator[str]:
        """Yield the full names of the objects and balls that the beats use."""
        yield from (*self.balls.names, *self.weapons.held)
        for act in self.acts():
            for task in act.recording.tasks:
                if task.object_index >= 0:
                    yield self.objects[act.objects[task.object_index]].name

    def _job(self, armature: bpy.types.Object) -> BakeJob:
        """Return what the bake is of."""
        return BakeJob(
            SOURCE,
            f"{armature.name}_{self.controller}",
            self.start_frame,
            ground=self.ground,
            floor=self.start_height,
            rig_map=with_fingers(armature, read_rig(armature), self.rig_map, self.shot.performance.clip.skeleton.roles),
            rise=self.rise,
            calibration=self.calibration,
            model=self.model,
            is_level=self.around.is_level,
            moments=self.moments,
        )

    def _gap_traces(self, armature: bpy.types.Object, edited: Performance) -> list[MeasureTrace]:
        """Return the gaps between the baked skin and the objects that it touches, at the frames of the bake."""
        recordings = [
            (act.first, act.recording, [self.objects[one].name for one in act.objects]) for act in self.acts()
        ]
        return gap_traces(armature, self.calibration.target, recordings, edited, self.clock)


def _manner(settings: bpy.types.PropertyGroup) -> Manner:
    """Return the way in which a character walks."""
    varies = settings.control_variation and settings.seed
    return Manner(
        settings.performer,
        float(settings.performer_share),
        float(settings.control_variation),
        load_chosen_generator(settings.generator, settings.generator_file) if varies else None,
        float(settings.responsiveness),
    )


def standing_pose(armature: bpy.types.Object, body: Skeleton) -> tuple[Array, float]:
    """Return the position (2) of an armature's object, meters, and its facing, radians.

    Rigs face along -Y of their object, except in some files, where the body shows the facing.
    """
    matrix = armature.matrix_world
    front = rotate(np.array(matrix.to_quaternion()[:]), np.array([0.0, -1.0, 0.0]))
    ahead = forward_direction(body, rest_positions(body))
    if float(front @ ahead) < np.cos(MAX_FACING_ERROR_RAD):
        front = ahead
    return np.array(matrix.translation[:2]), float(np.arctan2(-front[0], front[1]))
