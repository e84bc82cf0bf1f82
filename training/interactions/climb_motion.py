"""Captured climbs up and down a ladder or steps, the structures climbed, and adaptation to other structures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.labelling.shown_interactions import action_ranges
from ...core.motion import Clip
from ...core.motion.blending import blend_corrections
from ...core.motion.proportions import ADULT_LEG_LENGTH_M, ANKLE_JOINT_HEIGHT_M
from ...core.motion.root_frame import out_of_frame
from ...core.motion.rotations import Array, slerp
from ...core.motion.signals import runs_of
from ...core.scene.climb_fitting import LIMBS, ClimbFit, Support, fit_climbs, floor_height, soles
from ...core.scene.climb_structure import ClimbStructure
from ...core.scene.contact_points import CONTACT_DISTANCE_M
from ...core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...core.scene.object_fitting import PALM_FLESH_M, palm_positions
from ...core.tuning import Tuning, tuned
from .captured_clip import CapturedClip
from .clip_stitching import ContactClip


@dataclass(frozen=True, slots=True)
class ClimbMotionTuning(Tuning):
    standing_speed: float = tuned(0.6, "m/s", 0.01, 2.0)
    """Speed of hips and ankles below which a body with both feet on the floor stands, before or after a climb."""
    speed_smoothing: float = tuned(3.0, "frames", 0.1, 30.0)
    """Standard deviation of the Gaussian that smooths this speed."""
    lift: int = tuned(25, "frames", 1, 120)
    """Frames in which a foot is lifted before its first support on the structure, or lowered after the last."""
    first_frame: int = tuned(24, "frames", 0, 600)
    """Frames dropped at the start of a clip, since some start in a T-pose."""
    min_levels: int = tuned(2, "1", 1, 20)
    """Least number of levels of a usable climb."""
    floor_margin: float = tuned(0.128, "m", 0.0, 0.4)
    """Largest height of an adult's ankle over its standing height at which the foot still touches the floor."""
    spacing_range_ratio: tuple[float, float] = tuned((0.9, 1.12), "1", 0.5, 2.0)
    """Range of the distance between levels, relative to the captured one."""
    blend: int = tuned(60, "frames", 1, 240)
    """Longest time over which a limb blends from one support to the next."""
    hips_smoothing: float = tuned(8.0, "frames", 0.1, 60.0)
    """Standard deviation of the Gaussian that smooths the hips' displacement, which follows the feet."""
    rest_speed: float = tuned(0.25, "m/s", 0.01, 1.0)
    """Speed of hips and ankles below which the body rests at the top."""
    linger_speed: float = tuned(0.7, "1", 0.05, 2.0)
    """Playback speed, relative to the captured one, of a rest that is prolonged by playing it back and forth."""


TUNING: Final = ClimbMotionTuning()

LABELED_ACTION: Final = "climb"
"""Action of the labels."""


@dataclass(frozen=True, eq=False)
class ClimbMotion:
    """A climb of F frames, from standing on the floor until standing on the floor again.

    Attributes:
        motion: the motion on a floor at height 0; its contacts are with the floor.
        fit: the structure that is climbed.
        rest: first frame of the longest rest at the top, and frame after its last.
        action: half-open frame range of the action *mount*.
    """

    motion: ContactClip
    fit: ClimbFit
    rest: tuple[int, int]
    action: tuple[int, int]

    def __len__(self) -> int:
        return len(self.motion)

    @property
    def holds(self) -> NDArray[np.bool_]:
        """Mask (F, 4), true while a limb, in the order of ``climb_fitting.LIMBS``, is in contact with the structure."""
        result = np.zeros((len(self), len(LIMBS)), dtype=bool)
        for one in self.fit.supports:
            result[one.start : one.stop, LIMBS.index(one.limb)] = True
        return result

    def lingering(self, frames: int) -> "ClimbMotion":
        """Return the climb with its rest ``frames`` longer, played back and forth; unchanged if it has no rest."""
        start, stop = self.rest
        if stop - start < 2 or frames <= 0:
            return self
        span = stop - 1 - start
        turns = 2 * max(round(frames * TUNING.linger_speed / (2 * span)), 1)
        share = np.linspace(0.0, turns, round(turns * span / TUNING.linger_speed))
        at = start + span * (0.5 - 0.5 * np.cos(np.pi * share))
        rows = np.concatenate([np.arange(start, dtype=float), at, np.arange(start, len(self), dtype=float)])
        before = np.minimum(rows.astype(np.intp), len(self) - 2)
        clip = self.motion.clip
        between = (rows - before)[:, None]
        roots = clip.root_positions[before] * (1 - between) + clip.root_positions[before + 1] * between
        turned = slerp(clip.rotations[before], clip.rotations[before + 1], between)
        added = len(rows) - len(self)
        return ClimbMotion(
            ContactClip(
                replace(clip, root_positions=roots, rotations=turned), self.motion.contacts[np.rint(rows).astype(int)]
            ),
            _later(self.fit, start, added),
            (start, stop + added),
            (self.action[0], self.action[1] + added),
        )


def _later(fit: ClimbFit, frame: int, count: int) -> ClimbFit:
    """Return the fit of a clip into which ``count`` frames were inserted at a frame."""

    def moved(at: int) -> int:
        return at + count if at > frame else at

    supports = tuple(replace(one, start=moved(one.start), stop=moved(one.stop)) for one in fit.supports)
    return replace(fit, supports=supports, frames=(moved(fit.frames[0]), moved(fit.frames[1])))


def find_climb_motions(captured: CapturedClip) -> tuple[ClimbMotion, ...]:
    """Return the climbs of a clip; if some are labeled, only those.

    Raises:
        FootfallError: the clip shows no climb.
    """
    clip = captured.clip
    # Climbing feet have no common ground: the floor is at their first height.
    clip = replace(clip, root_positions=clip.root_positions - [0.0, 0.0, floor_height(clip)])
    contacts = captured.labels.foot_contacts.held & _near_floor(clip)
    named = action_ranges(captured.labels, LABELED_ACTION) if LABELED_ACTION in captured.labeled_actions else None
    found = [_cut_climb(ContactClip(clip, contacts), fit, named) for fit in fit_climbs(clip)]
    return tuple(one for one in found if one is not None)


def _near_floor(clip: Clip) -> NDArray[np.bool_]:
    """Return whether each heel and ball (F, 4) is near the floor."""
    limit = (ANKLE_JOINT_HEIGHT_M + TUNING.floor_margin) * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    low = clip.positions[:, [clip.skeleton.joint(f"foot.{side}") for side in "LR"], 2] < limit
    return np.repeat(low, 2, axis=1)


def _cut_climb(motion: ContactClip, fit: ClimbFit, named: Sequence[tuple[int, int]] | None) -> ClimbMotion | None:
    """Return a climb from the standing before it to the standing after it; ``None`` if either is missing.

    Args:
        motion: the motion.
        fit: the structure under a climb in it.
        named: half-open ranges labeled as climbing; ``None`` without such labels.
    """
    if len(fit.structure.levels) < TUNING.min_levels:
        return None
    first, last = fit.frames
    within = [one for one in named or [(first - TUNING.lift, last + TUNING.lift)] if one[0] < last and first < one[1]]
    if not within:
        return None
    speed = _body_speed(motion.clip)
    standing = _near_floor(motion.clip).all(axis=1) & (speed < TUNING.standing_speed)
    motion = replace(motion, contacts=motion.contacts | standing[:, None])
    stands = np.flatnonzero(standing)
    before, after = stands[(stands >= TUNING.first_frame) & (stands < first)], stands[stands > last]
    if not len(before) or not len(after):
        return None
    start, stop = int(before[-1]), int(after[0]) + 1
    inside = [
        (replace(one, start=max(one.start - start, 0), stop=min(one.stop, stop) - start), level)
        for one, level in zip(fit.supports, fit.level_numbers, strict=True)
        if one.stop > start and one.start < stop
    ]
    cut = replace(
        fit,
        supports=tuple(one for one, _ in inside),
        level_numbers=tuple(level for _, level in inside),
        frames=(first - start, last - start),
    )
    # The climbs up and down may have separate labels.
    action = max(within[0][0] - start, 0), min(within[-1][1], stop) - start
    return ClimbMotion(motion.cut(start, stop), cut, _find_rest(speed[start:stop] < TUNING.rest_speed, cut), action)


def _body_speed(clip: Clip) -> Array:
    """Return the smoothed speed (F), m/s, of whichever of hips and ankles is fastest."""
    joints = [clip.skeleton.joint(role) for role in ("hips", "foot.L", "foot.R")]
    smooth = gaussian_filter1d(clip.positions[:, joints], TUNING.speed_smoothing, axis=0, mode="nearest")
    return np.linalg.norm(np.gradient(smooth, axis=0), axis=-1).max(axis=1) * clip.rate


def _find_rest(slow: NDArray[np.bool_], fit: ClimbFit) -> tuple[int, int]:
    """Return the longest range of frames in which both feet are on the highest level and the body is slow."""
    highest = len(fit.structure.levels) - 1
    on = np.zeros((len(slow), 2), dtype=bool)
    for one, level in zip(fit.supports, fit.level_numbers, strict=True):
        if level == highest:
            on[one.start : one.stop, "LR".index(one.limb[-1])] = True
    runs = runs_of(slow & on.all(axis=1))
    if not len(runs):
        top = next(one for one, level in zip(fit.supports, fit.level_numbers, strict=True) if level == highest)
        return (top.start + top.stop) // 2, (top.start + top.stop) // 2
    start, stop = max(runs, key=lambda run: int(run[1] - run[0]))
    return int(start), int(stop)


def adapt_climb(climb: ClimbMotion, spacing: float) -> ClimbMotion:
    """Return a climb adapted by full-body IK to the same structure with levels ``spacing`` meters apart.

    Feet keep their places on their levels, hands their places along the rails, both at the captured distance from the
    surface (relationship descriptors, NSM section 5.2); the hips follow the feet.
    """
    clip, fit = climb.motion.clip, climb.fit
    target = fit.structure.with_spacing(spacing)
    tracks = _limb_tracks(clip)
    floor = np.any(climb.motion.contacts.reshape(len(clip), 2, 2), axis=-1)
    shifts = {}
    moved = [
        replace(one, position=one.position + _support_shift(one, level, fit, target))
        for one, level in zip(fit.supports, fit.level_numbers, strict=True)
    ]
    for number, limb in enumerate(LIMBS):
        corrections, known = np.zeros((len(clip), 3)), np.zeros(len(clip), dtype=bool)
        if limb.startswith("foot"):
            known |= floor[:, number - 2]
        for one in moved:
            if one.limb == limb:
                rows = slice(one.start, one.stop)
                corrections[rows], known[rows] = one.position - tracks[limb][rows], True
        known[[0, -1]] = True
        shifts[limb] = blend_corrections(corrections, runs_of(known), TUNING.blend)
    feet = (shifts["foot.L"] + shifts["foot.R"]) / 2
    goals = [_goal(clip, "hips", gaussian_filter1d(feet, TUNING.hips_smoothing, axis=0, mode="nearest"))]
    goals += [_goal(clip, limb, shift, keeps_rotation=True) for limb, shift in shifts.items()]
    solved = solve_full_body_ik(clip, goals)
    return replace(
        climb,
        motion=ContactClip(solved, climb.motion.contacts),
        fit=replace(fit, structure=target, supports=tuple(moved)),
    )


def _limb_tracks(clip: Clip) -> dict[str, Array]:
    """Return the trajectory (F, 3) of each limb's contact point: the palm, or the sole under the ball of the foot."""
    return dict(zip(LIMBS, (*palm_positions(clip), *np.moveaxis(soles(clip), 1, 0)), strict=True))


def _goal(clip: Clip, role: str, shift: Array, keeps_rotation: bool = False) -> EffectorGoal:
    """Return the IK goal of a joint displaced by ``shift`` (F, 3), m."""
    joint = clip.skeleton.joint(role)
    rotations = clip.world[1][:, joint] if keeps_rotation else None
    return EffectorGoal(role, clip.positions[:, joint] + shift, np.ones(len(clip)), rotations)


def _support_shift(one: Support, level: int, fit: ClimbFit, target: ClimbStructure) -> Array:
    """Return the displacement (3), m, world, of a foot's or palm's support on the changed structure.

    A foot moves to the height and depth of its level, a palm to the surface of the same part of a rail or rung.
    """
    own = fit.structure
    place = fit.local(one.position[None])[0]
    if level >= 0:
        wanted = np.array([place[0], place[1] + own.depths[level] - target.depths[level], target.levels[level]])
    else:
        scale = target.spacing / own.spacing
        wanted = np.array([place[0], 0.0, scale * place[2]])
        wanted[1] = place[1] + float(own.depths_at(place[2]) - target.depths_at(wanted[2]))
        wanted = _onto_surface(wanted, target)
    return out_of_frame((wanted - place)[None], np.array([fit.yaw + np.pi]))[0]


def _onto_surface(palm: Array, structure: ClimbStructure) -> Array:
    """Move a palm (3), m, so that its skin touches the nearest rung or rail; a palm far from all stays in place."""
    nearest = structure.collider().nearest_points(palm[None])[0]
    away = palm - nearest
    distance = float(np.linalg.norm(away))
    if not 0.0 < distance < CONTACT_DISTANCE_M["hand"]:
        return palm
    return nearest + away * (PALM_FLESH_M / distance)
