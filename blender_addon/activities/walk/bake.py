"""The bake of a walk: from an armature's settings to keys on its rig, in slices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ....core.ball.ball_track import BallTrack
from ....core.ball.retargeting import retarget_ball
from ....core.control.ball.accompaniment import ball_of
from ....core.control.navigation.path_repair import DETOUR_NOTE
from ....core.control.path.path import Path
from ....core.control.path.terrain_profile import TerrainProfile
from ....core.control.performance import Performance
from ....core.control.walk.finished_walk import Walk
from ....core.control.walk.path_walk import WalkRollout
from ....core.control.walk.plan import plan_walk
from ....core.control.walk.walk_performance import walk_performance
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion import Clip
from ....core.motion.proportions import PLAUSIBLE_LEG_LENGTHS_M, leg_length
from ....core.motion.rotations import Array
from ....core.motion.signals import Mask
from ...animation.fcurve_io.reader import scene_rate
from ...animation.fcurve_io.tracks import PropertyTrack
from ...animation.layers import keep_with_record, revert_companion
from ...animation.likeness_report import plain_frames, store_likeness
from ...animation.moving_parent import rides_along
from ...animation.output import BakeOutput, walk_source, walk_start_frame
from ...label.ball_object import find_ball, place_ball
from ...rig.check import require_walking_size
from ...rig.chosen_controller import load_chosen
from ...rig.sole_height import sole_offset
from ...rig.store import calibrate_to_model, rig_map_of
from ...scene.path_reader import WorldPath, read_path
from ...scene.walk_scene import CharacterWalkScene, read_walk_scene
from ...shot import rollout_cache
from ...shot.bake_result import BakeResult
from ...shot.write import BakeJob, EditedPerformance, write_performance
from ...ui.operator_base import require_editable, require_present
from ...ui.translations import translate_interface
from ...units import require_meters_for_ball
from .ball_cues import require_free_flight
from .detour import describe_detour
from .fingers import finger_tracks
from .passes import common_ball, one_ball, waiting_partners
from .request import make_clock, read_walk_request
from .waypoints import path_from_waypoints, read_waypoints, store_waypoint_results

UNEVEN_PATH_RISE_M = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class CachedWalk:
    """The roll-out of a baked walk.

    Attributes:
        walk: the roll-out.
        scene_key: key that identifies the walk's surroundings.
    """

    walk: WalkRollout
    scene_key: tuple


class WalkBake:
    """The bake of a walk along a path for one armature; nothing in the file changes before :meth:`finish`.

    Args:
        armature: the character.
        context: the context.
        controller: name of a controller and the controller, instead of the one in the settings.
        crowd_index: number of the character among those baked together, which keeps them out of step.
        seed_offset: number added to the seed in the settings.
        again: whether to keep the frames of an existing bake.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        context: bpy.types.Context,
        controller: tuple[str, ControllerModel] | None = None,
        crowd_index: int | None = None,
        seed_offset: int = 0,
        again: bool = False,
    ) -> None:
        settings, scene = armature.footfall, context.scene
        require_editable(armature, "Armature")
        self.armature_name = armature.name_full
        self.controller, model = controller or load_chosen(settings)
        self.source = walk_source(armature)
        self.start_frame = walk_start_frame(armature, scene, self.source if again else None)
        self.frame_rate = scene_rate(scene)
        self.waypoints = read_waypoints(armature, scene, self.start_frame)
        self.path: WorldPath = (
            read_path(settings.path) if settings.path else path_from_waypoints(armature, self.waypoints)
        )
        self.path_name = settings.path.name if settings.path else "Waypoints"
        self.speed = float(settings.speed)
        self.warnings = list(self.path.warnings)
        self.rig_map = rig_map_of(armature)
        calibration = calibrate_to_model(armature, model)
        legs = leg_length(calibration.target)
        require_walking_size(armature, legs)
        if settings.ball != "NONE":
            require_meters_for_ball()
        if not PLAUSIBLE_LEG_LENGTHS_M[0] < legs < PLAUSIBLE_LEG_LENGTHS_M[1]:
            self.warnings.append(
                Message(
                    "The legs of '{name}' are {length} m long: check the scale of the armature",
                    name=armature.name,
                    length=f"{legs:.3g}",
                )
            )
        if calibration.bad_roles():
            self.warnings.append(
                Message(
                    "These bones are not aligned with the controller: {bones}. Change the Reference Pose in "
                    "the panel Rig",
                    bones=", ".join(calibration.bad_roles()),
                )
            )
        around = read_walk_scene(armature, context, self.path.places, make_clock(self.start_frame, scene, model))
        # A preview shows networks that may lack the style or performer.
        request = read_walk_request(
            armature,
            scene,
            model,
            self.path,
            around,
            calibration,
            self.start_frame,
            seed_offset=seed_offset + (crowd_index or 0),
            drop_unknown_names=controller is not None,
        )
        self.walk = WalkRollout(model, plan_walk(request, model))
        self.scene_key = around.scene_key
        self.is_single = crowd_index is None
        self.reused_frames = self._resume(armature) if self.is_single else 0
        self.start_ground_height = self.walk.scale * float(self.walk.profile.height_at(0.0))
        self.warnings += [
            *_ground_warnings(around, self.path, self.path_name),
            *_missing_ground_warnings(self.path, self.walk, request.start_level),
        ]
        planned = self.walk.scale * self.walk.path.points
        drawn = self.walk.drawn_path.points
        self.detour = describe_detour(armature, context, drawn, planned) if self.is_single else None
        told = DETOUR_NOTE if self.detour else ""
        self.warnings += [note for note in self.walk.notes if getattr(note, "template", note) != told]
        self.finished_walk: Walk | None = None
        # A path parented to the character's parent moves with it, as on the deck of a ship.
        self.is_carried = rides_along(armature, settings.path) and not around.moving_names
        self.ground_is_level = around.is_level
        self.gait_names = model.gaits

    def _resume(self, armature: bpy.types.Object) -> int:
        """Reuse the frames of the last bake that are still valid; return their number."""
        kept = rollout_cache.stored(armature, CachedWalk)
        return self.walk.resume_from(kept.walk) if kept is not None and kept.scene_key == self.scene_key else 0

    @property
    def fraction(self) -> float:
        """Share of the frames that are done, 0 to 1."""
        return self.walk.frames_done / max(self.walk.total_frames, 1)

    def advance(self, frames: int) -> bool:
        """Generate some frames; return false when all are done."""
        return self.walk.advance(frames)

    def post_process(self) -> None:
        """Do the part of :meth:`finish` that makes no changes to the file."""
        self.finished_walk = self.walk.finish()

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Write the walk to the destination in the settings, keep the previous animation, and measure the result."""
        armature = require_present(self.armature_name, scene)
        finished = self.finished_walk or self.walk.finish()
        made = walk_performance(finished, self.gait_names, self.start_ground_height)
        ball, elsewhere = self._ball_of(made)
        planned = ball_of(self.walk.plan)
        if ball is not None:
            targets = [cue.target for cue in armature.footfall.path_events if cue.target is not None]
            require_free_flight(ball, elsewhere, targets, bpy.context)

        def write_ball(output: BakeOutput, edited: EditedPerformance) -> tuple[str, ...]:
            if ball is not None:
                placed = self._on_soles(ball, edited.walked.clip, edited.shown.clip)
                self._place_ball(armature, output.record.action, placed, elsewhere, scene)
            return ()

        beside = [] if ball is None else finger_tracks(armature, self.rig_map, ball)
        written = write_performance(armature, scene, made, self._job(armature, finished.clip, beside), write_ball)
        settings = armature.footfall
        walk, frames = written.performance, len(written.clip)
        judged = plain_frames(walk.clip, walk.labels.gaits, self.gait_names, self.walk.surroundings.ground)
        store_likeness(armature, walk.clip, judged, self.start_frame, frames, self.frame_rate)
        settings.detour = translate_interface(self.detour or "")
        if self.is_single:
            rollout_cache.store(armature, CachedWalk(self.walk, self.scene_key), self.walk.frames_done)
        said = [
            Message("Baked {count} frames", count=frames),
            *store_waypoint_results(armature, walk.waypoint_results),
            describe_dribble(finished) if planned is not None and planned.dribble is not None else "",
            self.detour or "",
            *written.notes,
            *waiting_partners(armature),
            *self.warnings,
        ]
        return BakeResult(written.record.action, Message.joined(". ", (part for part in said if part)))

    def _job(self, armature: bpy.types.Object, clip: Clip, beside: Sequence[PropertyTrack]) -> BakeJob:
        """Return the job for writing the bake: a walk on the armature's body, with tracks for the fingers."""
        # Obstacles, waypoints and other characters may lead a character off its path, which is not an error.
        points = self.walk.drawn_path.points if self.waypoints else self.path.points
        if self.detour is not None or not self.is_single:
            points = self.walk.scale * self.walk.path.points
        of_character = self.path_name.startswith(armature.name)
        return BakeJob(
            self.source,
            self.path_name if of_character else f"{armature.name} {self.path_name}",
            self.start_frame,
            ground=self.walk.surroundings.ground,
            floor=self.start_ground_height,
            rig_map=self.rig_map,
            rise=sole_offset(clip.skeleton, armature),
            calibration=self.walk.plan.calibration,
            model=self.walk.model,
            path=points,
            is_level=self.ground_is_level,
            beside=beside,
            is_carried=self.is_carried,
        )

    def _place_ball(
        self,
        armature: bpy.types.Object,
        action: bpy.types.Action,
        ball: BallTrack,
        elsewhere: Mask,
        scene: bpy.types.Scene,
    ) -> None:
        """Key the ball, which may be shared with another character; a ball made by the bake becomes its child."""
        common, own = common_ball(armature), find_ball(armature)
        track, first = one_ball(ball, elsewhere, self.start_frame, armature, self._partners_hands(len(ball)))
        ball_object = place_ball(armature, action, track, first, scene, common)
        keep_with_record(armature, action, ball_object, common is None)
        if own not in (None, common):
            revert_companion(armature, own)

    def _ball_of(self, walk: Performance) -> tuple[BallTrack | None, Mask]:
        """Return a walk's ball at the scene's frames, if any, and a mask of frames when another character has it."""
        if walk.ball is None:
            return None, np.zeros(0, dtype=bool)
        track = walk.ball.track.resampled(self.frame_rate, len(walk.clip.resampled(self.frame_rate)))
        at = np.arange(len(track)) / self.frame_rate * walk.clip.rate
        return track, walk.ball.elsewhere[np.minimum(np.rint(at).astype(int), len(walk.ball.elsewhere) - 1)]

    def _partners_hands(self, frames: int) -> Array:
        """Return the positions (N, 3) of the hands that have the ball while this character does not, meters.

        The positions are at the scene's frames, for at least `frames`, as long as the other character is animated.
        """
        ball = ball_of(self.walk.plan)
        actions = ball.play.actions if ball is not None and ball.play is not None else ()
        cues = [action.cue for action in actions if action.cue.with_other]
        if not cues or cues[-1].target is None:
            return np.zeros((frames, 3))
        hands, step = self.walk.scale * cues[-1].target, self.walk.model.rate / self.frame_rate
        at = np.arange(max(frames, int((len(hands) - 1) / step) + 1)) * step
        return np.column_stack([np.interp(at, np.arange(len(hands)), axis) for axis in hands.T])

    def _on_soles(self, ball: BallTrack, walked: Clip, placed: Clip) -> BallTrack:
        """Return the ball moved along with the hands after the body was placed on its soles."""
        planned = ball_of(self.walk.plan)
        if planned is not None and planned.play is not None:  # its flights pass through points of the scene
            return ball
        floor = self.start_ground_height
        track = retarget_ball(ball, walked, placed, floor)
        return replace(track, positions=track.positions + np.array([0.0, 0.0, floor]))


def _ground_warnings(walk_scene: CharacterWalkScene, path: WorldPath, path_name: str) -> Iterator[str]:
    """Yield warnings about the ground that can be given before the walk."""
    yield from walk_scene.warnings
    if walk_scene.is_level and path.rise > UNEVEN_PATH_RISE_M:
        yield (
            Message(
                "The path '{path}' climbs {rise} m, but there is no ground under it, so the walk stays at a "
                "height of {height} m: set walk surfaces under Ground",
                path=path_name,
                rise=f"{path.rise:.2f}",
                height=f"{path.mean_height:.2f}",
            )
        )
    if walk_scene.moving_names:
        names = [f"'{name}'" for name in walk_scene.moving_names]
        listed = (
            ", ".join(names)
            if len(names) < 4
            else Message("{names} and {count} more", names=", ".join(names[:2]), count=len(names) - 2)
        )
        yield Message("The walk follows these moving objects frame by frame: {names}", names=listed)


def _missing_ground_warnings(path: WorldPath, walk: WalkRollout, level_height: float) -> Iterator[str]:
    """Yield a warning if there is no ground under parts of a drawn path."""
    profile = TerrainProfile.from_path(Path(path.points), walk.surroundings, level_height, walk.body_scale * walk.scale)
    without = ~profile.is_walkable
    if without.any():
        length, first = path.length * without.mean(), profile.arc_lengths[np.flatnonzero(without)[0]]
        yield Message(
            "There is no ground under {length} m of the path, from {start} m along the path",
            length=f"{length:.1f}",
            start=f"{first:.1f}",
        )


def describe_dribble(walk: Walk) -> str:
    """Return a sentence with the number of contacts with a dribbled ball; empty without a ball."""
    if walk.ball is None:
        return ""
    return Message("The ball is touched {count} times", count=walk.ball.joined.contacts)
