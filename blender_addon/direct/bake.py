"""One bake: from an armature's settings to keys on its rig, a slice at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.ball.ball_track import BallTrack
from ...core.ball.retargeting import retarget_ball
from ...core.control.navigation.path_repair import DETOUR_NOTE
from ...core.control.path.path import Path
from ...core.control.path.terrain_profile import TerrainProfile
from ...core.control.walk.finished_walk import Walk
from ...core.control.walk.path_walk import WalkRollout
from ...core.control.walk.plan import plan_walk
from ...core.evaluation.quality import measure_traces
from ...core.features.ball import HAND_SENSORS
from ...core.labelling import Labels
from ...core.labelling.phase.phase import find_strikes
from ...core.labelling.semantics import actions
from ...core.message import Message
from ...core.models.model_file import ControllerModel
from ...core.motion import Clip
from ...core.motion.contacts import FootContacts
from ...core.motion.proportions import PLAUSIBLE_LEG_LENGTHS_M, leg_length
from ...core.motion.roles import PAW_CONTACTS, contact_names
from ...core.motion.rotations import Array
from ...core.motion.signals import Mask
from ..animation.bake_report import describe_bad, quality_rows, store_quality
from ..animation.fcurve_io.reader import scene_rate
from ..animation.layers import keep_with_record, revert_companion
from ..animation.likeness_report import plain_frames, store_likeness
from ..animation.moving_parent import rides_along
from ..animation.output import walk_source, walk_start_frame, write_output
from ..label.ball_object import find_ball, place_ball
from ..label.labels import write_labels
from ..rig.check import require_walking_size
from ..rig.chosen_controller import load_chosen
from ..rig.rig_report import plan_and_measure
from ..rig.sole_height import place_on_soles, sole_offset
from ..rig.store import calibrate_to_model, rig_map_of
from ..scene.path_reader import WorldPath, read_path
from ..scene.walk_scene import CharacterWalkScene, read_walk_scene
from ..ui.operator_base import require_editable, require_present
from ..ui.translations import translate_interface
from ..units import require_meters
from . import walk_cache
from .ball_cues import require_free_flight
from .detour import describe_detour
from .fingers import finger_tracks
from .inserts.baking import store_inserts, with_inserted_clips
from .key_poses.baking import PosedBake, WalkClock, store_posed_bake, through_key_poses
from .passes import common_ball, one_ball, waiting_partners
from .staleness import store_inputs
from .steps.baking import store_edits, with_edits
from .walk_request import make_clock, read_walk_request
from .waypoints import path_from_waypoints, read_waypoints, store_waypoint_results

SUMMARY_MEASURES = {
    "cross_track_max_cm": ("path_deviation", "worst"),
    "skate_mean_cm_s": ("foot_sliding", "mean"),
    "penetration_max_mm": ("ground_penetration", "worst"),
}
"""Measures of the report in the bake's one-line summary."""
UNEVEN_PATH_RISE_M = 0.1
ACTION_OF_GAIT = {"stand": "idle", "run": "run", "jog": "run"}
"""The action that a gait is; all others are a walk."""


@dataclass(frozen=True)
class BakeResult:
    """The result of a bake and its messages."""

    action: bpy.types.Action
    message: str


class WalkBake:
    """The bake of a walk along a path for one armature; nothing in the file changes before :meth:`finish`.

    Args:
        armature: the character.
        context: the context.
        controller: the name of a controller and the controller, in place of the one that the settings name.
        crowd_index: its number among the characters baked together, so that they do not march in step.
        seed_offset: added to the seed of the settings.
        again: whether a walk that is baked already stays at its frames.

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
            require_meters(Message("A ball"))
        if not PLAUSIBLE_LEG_LENGTHS_M[0] < legs < PLAUSIBLE_LEG_LENGTHS_M[1]:
            self.warnings.append(
                Message(
                    "the legs of '{name}' are {legs} m long: check the scale of the armature",
                    name=armature.name,
                    legs=f"{legs:.3g}",
                )
            )
        if calibration.bad_roles():
            self.warnings.append(
                Message(
                    "Bones not aligned with the controller: {join}. See Rig > Reference Pose",
                    join=", ".join(calibration.bad_roles()),
                )
            )
        around = read_walk_scene(armature, context, self.path.places, make_clock(self.start_frame, scene, model))
        # A preview shows networks that may not know the style or performer yet.
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
        self.reused_frames = walk_cache.resume(armature, self.walk, self.scene_key) if self.is_single else 0
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
        # A path that hangs on the character's parent goes with it, as on the deck of a ship.
        self.is_carried = rides_along(armature, settings.path) and not around.moving_names
        self.ground_is_level = around.is_level
        self.gait_names = model.gaits

    @property
    def fraction(self) -> float:
        """The completed share of the frames, 0 to 1."""
        return self.walk.frames_done / max(self.walk.total_frames, 1)

    def advance(self, frames: int) -> bool:
        """Generate some frames; return false when all are done."""
        return self.walk.advance(frames)

    def post_process(self) -> None:
        """Do the part of :meth:`finish` that does not change the file."""
        self.finished_walk = self.walk.finish()

    def finish(self, scene: bpy.types.Scene) -> BakeResult:
        """Write the walk to the destination of the settings, keep the previous animation, and measure the result."""
        armature = require_present(self.armature_name, scene)
        rate, ground = self.frame_rate, self.walk.surroundings.ground
        finished = self.finished_walk or self.walk.finish()
        clock = WalkClock(self.start_frame, rate, finished.clip.rate)
        inserted = with_inserted_clips(armature, scene, finished, ground, clock)
        edited = with_edits(armature, inserted.walk, ground, clock)
        walk, walked = edited.walk, edited.walk.clip.resampled(rate)
        ball, elsewhere = self._ball_of(walk)
        if ball is not None:
            targets = [cue.target for cue in armature.footfall.path_events if cue.target is not None]
            require_free_flight(ball, elsewhere, targets, bpy.context)
        marks = labels_from_walk(walk, self.gait_names, self.start_ground_height).resampled(rate, len(walked))
        feet = FootContacts(marks.contacts[:, : walk.contacts.probabilities.shape[1]])
        posed = through_key_poses(armature, place_on_soles(walked, armature), feet, ground, clock)
        measured = self._measured_clip(armature, walk, posed, clock)
        of_character = self.path_name.startswith(armature.name)
        name = self.path_name if of_character else f"{armature.name} {self.path_name}"
        contacts = dict(zip(marks.contact_joints, marks.contacts.T, strict=True))
        height = self.start_ground_height
        fingers, carried = [] if ball is None else finger_tracks(armature, self.rig_map, ball), self.is_carried
        made = write_output(
            armature, self.rig_map, posed.clip, self.start_frame, name, contacts, self.source, height, fingers, carried
        )
        record = made.record
        store_posed_bake(armature, record.action, posed)
        store_inserts(armature, inserted)
        store_edits(armature, record.action, edited, clock)
        if record.kind != "RANGE":
            write_labels(armature, record.action, marks, self.start_frame)
            scene.frame_end = max(scene.frame_end, self.start_frame + len(posed.clip) - 1)
        if ball is not None:
            self._place_ball(armature, record.action, self._on_soles(ball, walked, posed.clip), elsewhere, scene)
        armature.footfall.baked_action = record.action
        quality = self._store_quality(armature, walk, measured, len(posed.clip))
        model, calibration = self.walk.model, self.walk.plan.calibration
        plan_and_measure(armature, scene, posed.clip, feet, ground, calibration, model, self.start_frame)
        bad = describe_bad(quality_rows(armature))
        armature.footfall.quality_summary = translate_interface(
            Message.joined("; ", (part for part in (quality, bad) if part))
        )
        if self.is_single:
            walk_cache.store(armature, self.walk, self.scene_key)
        said = [
            Message("Baked {len} frames", len=len(posed.clip)),
            *store_waypoint_results(armature, walk.waypoint_results),
            describe_dribble(walk) if self.walk.plan.dribble is not None else "",
            quality,
            self.detour or "",
            bad,
            record.message,
            *made.warnings,
            *inserted.issues.values(),
            *edited.issues.values(),
            *posed.warnings,
            *waiting_partners(armature),
            *self.warnings,
        ]
        armature.footfall.detour = translate_interface(self.detour or "")
        store_inputs(armature, scene, "WALK")
        return BakeResult(record.action, Message.joined("; ", (part for part in said if part)))

    def _measured_clip(self, armature: bpy.types.Object, walk: Walk, posed: PosedBake, clock: WalkClock) -> Clip:
        """Return the motion that is measured, at the walk's rate: with its key poses, on soles of usual height."""
        if not posed.keys:
            return walk.clip
        ground = self.walk.surroundings.ground
        whole = through_key_poses(armature, place_on_soles(walk.clip, armature), walk.contacts, ground, clock).clip
        offset = np.array([0.0, 0.0, sole_offset(whole.skeleton, armature)])
        return replace(whole, root_positions=whole.root_positions - offset)

    def _place_ball(
        self,
        armature: bpy.types.Object,
        action: bpy.types.Action,
        ball: BallTrack,
        elsewhere: Mask,
        scene: bpy.types.Scene,
    ) -> None:
        """Key the ball, which may be one with another character's; one that is made by the bake goes with it."""
        common, own = common_ball(armature), find_ball(armature)
        track, first = one_ball(ball, elsewhere, self.start_frame, armature, self._partners_hands(len(ball)))
        ball_object = place_ball(armature, action, track, first, scene, common)
        keep_with_record(armature, action, ball_object, common is None)
        if own not in (None, common):
            revert_companion(armature, own)

    def _store_quality(self, armature: bpy.types.Object, walk: Walk, measured: Clip, frames: int) -> str:
        """Store the reports of the bake, of so many frames of the scene, and return its quality as a short text."""
        ground, rate = self.walk.surroundings.ground, self.frame_rate
        # Obstacles, waypoints and other characters may lead a character off its path, which is no error.
        points = self.walk.drawn_path.points if self.waypoints else self.path.points
        if self.detour is not None or not self.is_single:
            points = self.walk.scale * self.walk.path.points
        found = measure_traces(measured, walk.contacts, ground, points, walk.standing_clip)
        rows = {
            row.measure: row for row in store_quality(armature, found, measured.rate, self.start_frame, frames, rate)
        }
        judged = plain_frames(walk.clip, walk.gaits, self.gait_names, ground)
        store_likeness(armature, walk.clip, judged, self.start_frame, frames, rate)
        report = {key: getattr(rows[one], what) for key, (one, what) in SUMMARY_MEASURES.items() if one in rows}
        return format_quality(report, not self.ground_is_level)

    def _ball_of(self, walk: Walk) -> tuple[BallTrack | None, Mask]:
        """Return the ball of a walk at the scene's frames, `None` without one, and where another one has it."""
        if walk.ball is None:
            return None, np.zeros(0, dtype=bool)
        track = walk.ball.track.resampled(self.frame_rate, len(walk.clip.resampled(self.frame_rate)))
        at = np.arange(len(track)) / self.frame_rate * walk.clip.rate
        return track, walk.ball.elsewhere[np.minimum(np.rint(at).astype(int), len(walk.ball.elsewhere) - 1)]

    def _partners_hands(self, frames: int) -> Array:
        """Return where (N, 3) the hands are that the ball is with when it is not the character's, meters.

        At the scene's frames, so many at least, for as long as the other character is animated.
        """
        play = self.walk.plan.ball_play
        cues = [] if play is None else [action.cue for action in play.actions if action.cue.with_other]
        if not cues or cues[-1].target is None:
            return np.zeros((frames, 3))
        hands, step = self.walk.scale * cues[-1].target, self.walk.model.rate / self.frame_rate
        at = np.arange(max(frames, int((len(hands) - 1) / step) + 1)) * step
        return np.column_stack([np.interp(at, np.arange(len(hands)), axis) for axis in hands.T])

    def _on_soles(self, ball: BallTrack, walked: Clip, placed: Clip) -> BallTrack:
        """Return a ball that goes with the hands of a body which was placed on its soles."""
        if self.walk.plan.ball_play is not None:  # its flights lead through points of the scene
            return ball
        floor = self.start_ground_height
        track = retarget_ball(ball, walked, placed, floor)
        return replace(track, positions=track.positions + np.array([0.0, 0.0, floor]))


def _ground_warnings(walk_scene: CharacterWalkScene, path: WorldPath, path_name: str) -> Iterator[str]:
    """Yield warnings about the ground, before the walk."""
    yield from walk_scene.warnings
    if walk_scene.is_level and path.rise > UNEVEN_PATH_RISE_M:
        yield (
            Message(
                "'{path_name}' climbs {rise} m, but there is no ground: the walk is level at {mean_height} m. "
                "Set walk surfaces under Ground",
                path_name=path_name,
                rise=f"{path.rise:.2f}",
                mean_height=f"{path.mean_height:.2f}",
            )
        )
    if walk_scene.moving_names:
        names = [f"'{name}'" for name in walk_scene.moving_names]
        listed = (
            ", ".join(names)
            if len(names) < 4
            else Message("{join} and {len} more", join=", ".join(names[:2]), len=len(names) - 2)
        )
        yield Message("moving ground is followed frame by frame: {listed}", listed=listed)


def _missing_ground_warnings(path: WorldPath, walk: WalkRollout, level_height: float) -> Iterator[str]:
    """Yield a warning if parts of a drawn path have no ground."""
    profile = TerrainProfile.from_path(Path(path.points), walk.surroundings, level_height, walk.body_scale * walk.scale)
    without = ~profile.is_walkable
    if without.any():
        length, first = path.length * without.mean(), profile.arc_lengths[np.flatnonzero(without)[0]]
        yield Message(
            "{length} m of the path have no ground to walk on, first at {first} m",
            length=f"{length:.1f}",
            first=f"{first:.1f}",
        )


def labels_from_walk(walk: Walk, gait_names: tuple[str, ...], ground_height: float) -> Labels:
    """Return labels from the controller's own outputs for its walk."""
    feet = walk.contacts
    names = contact_names(walk.clip.skeleton.roles)
    hind = names == PAW_CONTACTS
    left, right = (
        find_strikes(feet.held[:, column] if hind else feet.planted(side), walk.clip.rate)
        for side, column in (("L", 0), ("R", 2))
    )
    done = np.zeros((len(walk.gaits), len(actions.ACTION_NAMES)))
    for gait, share in zip(gait_names, walk.gaits.T, strict=True):
        done[:, actions.ACTION_NAMES.index(ACTION_OF_GAIT.get(gait, "walk"))] += share
    touching = feet.probabilities
    if walk.ball is not None:
        names, touching = (*names, *HAND_SENSORS), np.column_stack([touching, walk.ball.track.contacts.astype(float)])
    labels = Labels(
        walk.clip.rate,
        names,
        touching,
        walk.phase,
        gait_names,
        walk.gaits,
        left,
        right,
        ground_height,
    )
    return replace(labels, actions=done)


def describe_dribble(walk: Walk) -> str:
    """Return the number of contacts with a dribbled ball, in words; empty without a ball."""
    if walk.ball is None:
        return ""
    return Message("{contacts} ball contacts", contacts=walk.ball.joined.contacts)


def format_quality(report: dict, show_penetration: bool = False) -> str:
    """Return the bake's quality as a short text; on uneven ground with the penetration of the feet."""
    words = []
    for key, text, digits in (
        ("cross_track_max_cm", Message("path deviation up to {value} cm"), 1),
        ("skate_mean_cm_s", Message("foot sliding {value} cm/s on average"), 1),
        ("penetration_max_mm", Message("ground penetration up to {value} mm"), 0),
    ):
        if report.get(key) is not None and (show_penetration or key != "penetration_max_mm"):
            words.append(Message(text, value=f"{report[key]:.{digits}f}"))
    return Message.joined(", ", words)
