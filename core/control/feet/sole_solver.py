"""The sole of a foot: held still during contacts, of constant length, and above the ground.

A foot is a rigid sole between two points, its heel and its ball. While the ball touches, the foot pivots on the ball;
while only the heel touches, it pivots on the heel; between the two, the pivot moves from one to the other.
"""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...jobs.steps import finished
from ...motion import Clip
from ...motion.blending import blend_corrections, smooth_falloff
from ...motion.heel import BALL_HEIGHT_M, flat_foot_frames
from ...motion.limb_ik import Leg
from ...motion.proportions import ANKLE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M
from ...motion.rotations import UP, Array, exp, multiply, normalize, rotate, rotation_between
from ...motion.signals import runs_of
from ...retarget.contacts import SolePoints
from ...terrain.ground import Scene, ground_heights_at
from ...tuning import Tuning, tuned
from .foot_pose import LockTargets, SoleContacts
from .foothold import Foothold, LegReach, find_foothold
from .landing_lead import beyond_turn, clear_leads, fade_frames
from .resting_place import carry_to_middle_frame, rest_position
from .stepping import step_rise
from .swept_ground import SweptGround
from .swing_clearance import swing_lift, swing_shift

# Lengths in meters are those of an adult; they are multiplied by the body's scale.


@dataclass(frozen=True, slots=True)
class Soles(Tuning):
    contact_blend: float = tuned(0.15, "s", 0.02, 1.0)
    """Time over which a foot's correction fades in before a contact, and out after it."""
    probe_height: float = tuned(0.4, "m", 0.05, 2.0)
    """Height above a foot from which the ground under it is searched downward."""
    max_foot_rise: float = tuned(0.9, "1", 0.0, 0.99)
    """Largest rise of heel or ball when the foot is tilted onto a step, as a share of the sole's length."""
    toe_tip_height: float = tuned(0.02, "m", 0.0, 0.05)
    """Height of the tip of the toes above their sole."""
    tilt: float = tuned(0.05, "s", 0.0, 0.5)
    """Time before and after a contact in which the foot is tilted to lift its heel or ball out of the ground."""
    max_tilt_rise: float = tuned(0.08, "m", 0.0, 0.2)
    """Largest height of ground onto which heel or ball is lifted by tilting the foot."""
    sunk_depth: float = tuned(0.001, "m", 0.0, 0.02)
    """Depth beyond which a held heel counts as sunk into the ground."""
    step: float = tuned(0.8, "s", 0.1, 3.0)
    """Longest stance that is held where its heel lands; a longer one is held where its ball rests."""
    flat_landing: float = tuned(0.04, "s", 0.0, 0.3)
    """Largest time between the landings of heel and ball at which a foot counts as landing flat."""
    hip_sink_share: float = tuned(0.25, "1", 0.0, 1.0)
    """Largest drop of the hips that is accepted for a foothold, as a share of the leg's length."""


TUNING: Final = Soles()


@dataclass(frozen=True, eq=False)
class SoleSolver:
    """Solver of one foot's sole, from the foot's original motion, its contacts and the ground.

    Attributes:
        clip: the motion.
        leg: joints of the leg.
        contacts: held contacts of the foot.
        scene: the ground.
        standing: the same body on level ground, whose flat feet define heels and soles.
        scale: size of the body relative to an adult.
    """

    clip: Clip
    leg: Leg
    contacts: SoleContacts
    scene: Scene
    standing: Clip
    scale: float

    @cached_property
    def original(self) -> SolePoints:
        """Heel and ball in each frame of the original motion."""
        return SolePoints.from_clip(self.clip, self.leg, self.standing)

    @cached_property
    def toe_vectors(self) -> Array:
        """Vectors (F, 3), meters, world, from the ball to the tip of the toes in the original motion."""
        assert self.leg.toe is not None
        rotations = self.clip.world[1][:, self.leg.toe]
        return rotate(rotations, np.broadcast_to(self.clip.skeleton.tips[self.leg.toe], (len(rotations), 3)))

    @cached_property
    def sole_heights(self) -> tuple[float, float]:
        """Heights, meters, of the heel's and the ball's joint above the ground in a flat foot."""
        # Where the foot is never flat, its heel is unknown and the ankle takes its place.
        known = not np.allclose(self.original.heel, self.clip.positions[:, self.leg.foot])
        return (
            TOE_JOINT_HEIGHT_M - BALL_HEIGHT_M if known else ANKLE_JOINT_HEIGHT_M
        ) * self.scale, TOE_JOINT_HEIGHT_M * self.scale

    @property
    def end_heights(self) -> tuple[float, float, float]:
        """Heights, meters, of heel, ball and tip of the toes above the ground in a flat foot."""
        return *self.sole_heights, TUNING.toe_tip_height * self.scale

    @cached_property
    def lock_targets(self) -> LockTargets:
        """Positions at which heel and ball are held during contacts, and the normals of the ground there."""
        return finished(self.find_lock_targets())

    def find_lock_targets(self) -> Generator[None, None, LockTargets]:
        """Find :attr:`lock_targets`, and yield after each contact."""
        old, contacts, (heel_above, ball_above) = self.original, self.contacts, self.sole_heights
        targets = LockTargets(*(np.full_like(old.ball, np.nan) for _ in range(3)))
        found: list[tuple[int, int, Foothold]] = []
        for start, stop in runs_of(contacts.ball):
            both = start + np.flatnonzero(contacts.heel[start:stop])
            heel = None if len(both) else self._raised_offset(old.heel - old.ball, ball_above - heel_above, start, stop)
            foothold = self._find_foothold(old.ball, ball_above, start, stop, both if len(both) else None, heel)
            found.append((start, stop, foothold))
            targets.ball[start:stop] = self._carry_with_ground(
                foothold.point + foothold.normal * ball_above, foothold.frame, start, stop
            )
            targets.normal[start:stop] = foothold.normal
            yield
        for start, stop in runs_of(contacts.heel):
            shared = [(min(stop, b) - max(start, a), a, b, foothold) for a, b, foothold in found]
            most, begin, end, foothold = max(shared, default=(0, 0, 0, None), key=lambda overlap: overlap[0])
            if most <= 0 or foothold is None:
                ball = self._raised_offset(old.ball - old.heel, heel_above - ball_above, start, stop)
                foothold = self._find_foothold(old.heel, heel_above, start, stop, raised_offset=ball)
                place = foothold.point + foothold.normal * heel_above
            else:
                behind = foothold.tangent(self._foot_direction(np.arange(max(start, begin), min(stop, end))))
                reach = np.sqrt(self.sole_length**2 - (ball_above - heel_above) ** 2)
                place = foothold.point - behind * reach + foothold.normal * heel_above
            targets.heel[start:stop] = self._carry_with_ground(place, foothold.frame, start, stop)
            yield
        self.__dict__["lock_targets"] = targets  # as the property does
        return targets

    @cached_property
    def flat_foot_frames(self) -> NDArray[np.intp]:
        """Frames of the standing clip in which the foot is flat."""
        assert self.leg.toe is not None
        return flat_foot_frames(self.standing, self.leg.foot, self.leg.toe)

    @cached_property
    def sole_length(self) -> float:
        """Length of the sole from heel to ball, meters."""
        # Rounded to a nanometer to be the same in all pieces of a walk.
        return round(float(np.median(np.linalg.norm(self.original.ball - self.original.heel, axis=-1))), 9)

    def solve_soles(self) -> SolePoints:
        """Return the corrected heels and balls: at constant distance, still during contacts, never below the ground."""
        soles, touches, rate = self.planted_soles(), self.contacts.heel | self.contacts.ball, self.clip.rate
        turn = rotation_between(self.original.ball - self.original.heel, soles.ball - soles.heel)
        ends = soles.heel, soles.ball, soles.ball + rotate(multiply(toe_bend(self, turn), turn), self.toe_vectors)
        depths, moved, rise = self._depths(ends), np.zeros_like(soles.ball), 0.0
        if self.scene.is_static:
            rise = step_rise(ends[2], depths, touches, self.scale)
            moved = swing_shift(ends[2], depths, touches, rate, self.scale)
            depths = self._depths(tuple(end + moved for end in ends)) if moved.any() else depths
        moved = moved + np.maximum(swing_lift(depths, touches, rate), rise)[:, None] * UP
        return SolePoints(soles.heel + moved, soles.ball + moved)

    def _depths(self, ends: tuple[Array, ...]) -> Array:
        """Return how deep (F) the deepest of heel, ball and tip of the toes (F, 3) is in the ground, meters."""
        pairs = zip(ends, self.end_heights, strict=True)
        return np.max([self._min_heights(points, above) - points[:, 2] for points, above in pairs], axis=0)

    def planted_soles(self) -> SolePoints:
        """Return heels and balls at constant distance, still during contacts, elsewhere perhaps below the ground."""
        old, contacts, targets = self.original, self.contacts, self.lock_targets
        leads = self._heel_lead_frames()
        flat = np.where(leads < TUNING.flat_landing * self.clip.rate, self._fade_frames, leads)  # else heels would jump
        track = old.heel + self._blend_to_targets(old.ball, targets.ball, flat) - old.ball
        heel = self._blend_to_targets(track, targets.heel, self._clear_lead_frames(track, targets.heel))
        ball = self._blend_to_targets(old.ball + beyond_turn(heel - old.heel, self.sole_length), targets.ball, leads)
        tilted = self._tilt_weights()
        for points, above, held in (
            (ball, self.sole_heights[1], contacts.ball),
            (heel, self.sole_heights[0], contacts.heel),
        ):
            rise = self._min_heights(points, above) - points[:, 2]
            is_tilted = ~held & (rise > 0.0) & (rise < TUNING.max_tilt_rise * self.scale)
            points[:, 2] += tilted * np.where(is_tilted, rise, 0.0)
        along = normalize(ball - heel)
        ball_weight = contacts.ball_weight[:, None]
        heel = ball_weight * (ball - along * self.sole_length) + (1 - ball_weight) * heel
        ball = heel + along * self.sole_length
        # A resting heel whose foot lands nearer to it would be pushed into the ground.
        sunk = self._min_heights(heel, self.sole_heights[0]) - heel[:, 2] > TUNING.sunk_depth * self.scale
        heel, ball = (
            self._tip_above_ground(ball, heel, self.sole_heights[0], contacts.ball & (~contacts.heel | sunk)),
            self._tip_above_ground(heel, ball, self.sole_heights[1], contacts.heel & ~contacts.ball),
        )
        return SolePoints(heel, ball)

    def _tilt_weights(self) -> Array:
        """Return the weights (F) of tilting the foot clear of the ground: 1 next to a contact, 0 away from it.

        Next to a contact there is no time to raise the foot; farther away the whole foot is raised.
        """
        touches = self.contacts.heel | self.contacts.ball
        if not touches.any():
            return np.zeros(len(touches))
        away = np.asarray(scipy.ndimage.distance_transform_cdt(~touches), dtype=float)
        return smooth_falloff((away - 1) / (TUNING.tilt * self.clip.rate))

    def solve_ankle(self) -> Array:
        """Return the ankle positions (F, 3), meters, world, of a foot without a toe joint, held only at the ankle."""
        ankle, above = self.original.heel, ANKLE_JOINT_HEIGHT_M * self.scale
        places = np.full_like(ankle, np.nan)
        for start, stop in runs_of(self.contacts.heel):
            foothold = self._find_foothold(ankle, above, start, stop)
            places[start:stop] = self._carry_with_ground(
                foothold.point + foothold.normal * above, foothold.frame, start, stop
            )
        placed = self._blend_to_targets(ankle, places)
        depths = self._min_heights(placed, above) - placed[:, 2]
        return placed + swing_lift(depths, self.contacts.heel, self.clip.rate)[:, None] * UP

    def _tip_above_ground(
        self, fixed_end: Array, moving_end: Array, sole_height: float, rows: NDArray[np.bool_]
    ) -> Array:
        """Return one end (F, 3) of a foot, rotated about the other end onto the ground in the chosen frames (F)."""
        rise = np.maximum(moving_end[:, 2], self._min_heights(moving_end, sole_height)) - fixed_end[:, 2]
        rise = np.clip(rise, -TUNING.max_foot_rise * self.sole_length, TUNING.max_foot_rise * self.sole_length)
        level = normalize((moving_end - fixed_end)[:, :2]) * np.sqrt(self.sole_length**2 - rise**2)[:, None]
        return np.where(rows[:, None], fixed_end + np.concatenate([level, rise[:, None]], axis=-1), moving_end)

    def _find_foothold(
        self,
        track: Array,
        end_height: float,
        start: int,
        stop: int,
        flat_sole_frames: NDArray[np.intp] | None = None,
        raised_offset: Array | None = None,
    ) -> Foothold:
        """Return the foothold of a contact, valid at the contact's middle frame.

        Args:
            track: (F, 3) positions of the touching end, meters.
            end_height: Height of the touching end above its sole, meters.
            start: First frame of the contact.
            stop: Frame after the contact's last frame.
            flat_sole_frames: Frames in which the whole sole touches, if any.
            raised_offset: (3) offset from the touching end to the raised end, meters, if the sole is not flat.
        """
        middle = (start + stop - 1) // 2
        run = carry_to_middle_frame(self.scene, track, start, stop, TUNING.probe_height * self.scale)
        ahead = self._foot_direction(np.arange(start, stop) if flat_sole_frames is None else flat_sole_frames)
        length = 0.0 if flat_sole_frames is None else self.sole_length
        place = rest_position(run, 0, len(run))
        if flat_sole_frames is not None:
            place[:2] += self._landing_offset(start, stop, ahead)
        leg = (1 + TUNING.hip_sink_share) * self.leg.length(self.clip.skeleton) + ANKLE_JOINT_HEIGHT_M * self.scale
        hips = carry_to_middle_frame(self.scene, self.clip.positions[:, self.leg.thigh], start, stop, 0.0)
        reach = LegReach(hips[0], leg)
        landing = max(start - self._fade_frames, 0)  # The heel uses the foothold of its ball and may land earlier.
        swept = None if self.scene.is_static else SweptGround(self.scene, (landing, stop - 1))
        top = TUNING.probe_height * self.scale
        return find_foothold(
            self.scene, place, ahead, length, self.scale, top, middle, reach, raised_offset, end_height, swept
        )

    def _landing_offset(self, start: int, stop: int, ahead: Array) -> Array:
        """Return the offset (2), meters, from a ball's resting position to where it is when the heel lands.

        A network's feet slip inward and backward a little while they stand. If they were held where their balls finally
        rest, they would be moved inward from the heel strike on, and steps would be narrower than the network's.

        Args:
            start: First frame of the contact of the ball, which the heel shares.
            stop: Frame after the contact's last frame.
            ahead: (2) direction of the foot.
        """
        runs = runs_of(self.contacts.heel)
        begin, end = max(runs, key=lambda run: min(run[1], stop) - max(run[0], start))
        first, last = min(start, int(begin)), max(stop, int(end))
        heel, ball = (
            carry_to_middle_frame(self.scene, track, first, last, TUNING.probe_height * self.scale)
            for track in (self.original.heel, self.original.ball)
        )
        apart = rest_position(heel, begin - first, end - first) - rest_position(ball, start - first, stop - first)
        share = min(TUNING.step * self.clip.rate / (last - first), 1.0) ** 2
        return share * (apart[:2] + ahead * self.sole_length)

    def _raised_offset(self, end_offsets: Array, height_difference: float, start: int, stop: int) -> Array:
        """Return the offset (3), meters, from the sole under one end to the sole under the other when that is lowest.

        Args:
            end_offsets: (F, 3) offsets from the first end to the other, meters.
            height_difference: Height of the first end above its sole, less that of the other, meters.
            start: First frame of the run.
            stop: Frame after the run's last frame.
        """
        return end_offsets[start + np.argmin(end_offsets[start:stop, 2])] + UP * height_difference

    def _foot_direction(self, frames: NDArray[np.intp]) -> Array:
        """Return the mean horizontal direction (2) of the foot over frames; without a toe joint, that of the body."""
        if self.leg.toe is None:
            left, right = (self.clip.positions[frames, self.clip.skeleton.joint(f"thigh.{side}")] for side in "LR")
            return normalize(np.cross(UP, right - left)[:, :2].mean(axis=0))
        return normalize((self.original.ball[frames, :2] - self.original.heel[frames, :2]).mean(axis=0))

    def _carry_with_ground(self, position: Array, source_frame: int, start: int, stop: int) -> Array:
        """Return, for each frame of a run (N, 3), a position (3) given at one frame, carried along with the ground."""
        if self.scene.is_static:
            return np.broadcast_to(position, (stop - start, 3))
        return np.array(
            [self.scene.move_with_ground(position[None], source_frame, frame)[0] for frame in range(start, stop)]
        )

    def _heel_lead_frames(self) -> NDArray[np.intp]:
        """Return by how many frames (R) the heel lands before the ball, for each contact of the ball.

        Until then the ball moves with the heel. If both land together, or the ball lands first, the ball blends over
        the usual time.
        """
        heels = runs_of(self.contacts.heel)
        leads = []
        for start, _ in runs_of(self.contacts.ball):
            before = [int(start - begin) for begin, end in heels if begin < start <= end]
            leads.append(min(before[0], self._fade_frames) if before else self._fade_frames)
        return np.array(leads, dtype=np.intp)

    def _clear_lead_frames(self, track: Array, targets: Array) -> NDArray[np.intp]:
        """Return the number of frames (R) over which a heel blends from its track (F, 3) to each held position."""
        offsets = self.original.ball - self.original.heel

        def depths(leads: NDArray[np.intp], frames: NDArray[np.intp]) -> Array:
            heel = self._blend_to_targets(track, targets, leads)[frames]
            ball = heel + offsets[frames]
            ends = zip((heel, ball, ball + self.toe_vectors[frames]), self.end_heights, strict=True)
            return np.max([self._min_heights(end, above, frames) - end[:, 2] for end, above in ends], axis=0)

        landings = runs_of(~np.isnan(targets[:, 0]))[:, 0]
        return clear_leads(landings, self._fade_frames, depths, self.clip.rate, self.scale)

    @property
    def _fade_frames(self) -> int:
        """Number of frames over which a correction fades before and after a contact."""
        return max(round(TUNING.contact_blend * self.clip.rate), 1)

    def _blend_to_targets(self, track: Array, targets: Array, lead_frames: NDArray[np.intp] | None = None) -> Array:
        """Return a track (F, 3) moved to its targets (F, 3), NaN where it has none, with blends in between.

        ``lead_frames`` (R) limits the blend before each run of targets.
        """
        held = ~np.isnan(targets[:, 0])
        if not len(runs := runs_of(held)):
            return track.copy()
        correction = np.where(held[:, None], targets - track, 0.0)
        ends = correction[runs - [0, 1]]
        leads, fades = fade_frames(ends, self._fade_frames, lead_frames, self.clip.rate, self.scale)
        return track + blend_corrections(correction, runs, fades, leads)

    def _min_heights(self, points: Array, sole_height: float, frames: NDArray[np.intp] | None = None) -> Array:
        """Return the lowest heights (N), meters, at which points (N, 3) clear the ground.

        -inf where there is no ground.
        """
        heights = ground_heights_at(self.scene, points + UP * TUNING.probe_height * self.scale, frames)
        return np.where(np.isnan(heights), -np.inf, heights + sole_height)


def toe_bend(foot: SoleSolver, turn: Array) -> Array:
    """Return the rotations (F, 4), world, that keep the toes of a turned foot on the ground while its ball touches.

    `turn` (F, 4) is the foot's rotation from its original pose. Unbent, the toes would penetrate the ground or point up
    with the foot.
    """
    leg, clip = foot.leg, foot.clip
    still = np.tile([1.0, 0.0, 0.0, 0.0], (len(clip), 1))
    runs = runs_of(foot.contacts.ball)
    if leg.toe is None or len(runs) == 0:
        return still
    standing = foot.standing.world[1][foot.flat_foot_frames, leg.toe]
    tip = clip.skeleton.tips[leg.toe]
    if len(standing) == 0 or np.linalg.norm(tip) < 1e-6:
        return still
    flat = normalize(rotate(standing, np.broadcast_to(tip, (len(standing), 3))))
    usual = float(np.median(np.arcsin(np.clip(flat[:, 2], -1.0, 1.0))))
    turned = rotate(turn, normalize(foot.toe_vectors))
    normal = np.where(np.isnan(foot.lock_targets.normal), UP, foot.lock_targets.normal)
    rise = np.arcsin(np.clip(np.sum(turned * normal, axis=-1), -1.0, 1.0))
    axis = normalize(np.cross(turned, normal))
    correction = np.where(foot.contacts.ball, usual - rise, 0.0)[:, None]
    return exp(blend_corrections(correction, runs, max(round(TUNING.contact_blend * clip.rate), 1)) * axis)
