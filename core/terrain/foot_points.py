"""Points at which the feet of a clip stand and swing, to which a ground is fitted."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..labelling import Labels
from ..motion import Clip
from ..motion.heel import BALL_HEIGHT_M, heel_positions
from ..motion.proportions import ANKLE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M, body_scale
from ..motion.rotations import UP, Array
from ..motion.signals import TRAVEL_WINDOW_S, runs_of

TERRAIN_HORIZON_S: Final = 1.0
"""Time before and after a frame in which a controller sees the ground (PFNN section 4.3)."""
MAX_CONTACT_DRIFT_M: Final = 0.03
"""Horizontal drift of a foot above which its contact is divided."""
MIN_JUMP_SHARE: Final = 0.5
"""Weight of the gait *jump* above which a frame belongs to a jump."""
MIN_JUMP_HEIGHT_M: Final = 0.18
"""Least height of both of an adult's feet above the ground in a jump; skips and long flights of runs are lower."""
MIN_OTHER_CONTACT_SHARE: Final = 0.5
"""Smallest share of an overhanging point's contact in which the foot's other point is in contact."""
EDGE_DROP_M: Final = 0.1
"""Least height of an adult's overhanging heel or ball above the ground below it."""
EDGE_RADIUS_M: Final = 0.06
"""Horizontal radius around an adult's overhanging heel or ball in which the ground below it is searched."""
MIN_TIPPING_HEIGHT_M: Final = 0.05
"""Least change of height during a contact, for an adult, of a point that tips over an edge."""
BEAM_WIDTH_M: Final = 0.3
"""Width of a beam, as in the released code."""
BEAM_HEIGHT_M: Final = 0.4
"""Height of a beam above the ground beside it, as in the released code."""
OFF_BEAM_SIGMA_M: Final = 0.5
"""Standard deviation of the distance of points beside a beam from the path."""
OFF_BEAM_POINT_COUNT: Final = 100
"""Number of points drawn beside a beam."""


@dataclass(frozen=True, eq=False)
class FootPoints:
    """Points to which a ground is fitted; world, meters.

    Attributes:
        contacts: (C, 3) points of standing feet.
        contact_weights: (C) number of frames that each contact point represents.
        swings: (S, 3) points of feet in the air.
        swing_weights: (S) number of frames that each swing point represents.
        jumping: (S) whether the swing point belongs to a jump.
        off_beam: (B, 3) points beside a beam, at the greatest height allowed for the ground there; empty without a
            beam.
    """

    contacts: Array
    contact_weights: Array
    swings: Array
    swing_weights: Array
    jumping: NDArray[np.bool_]
    off_beam: Array = field(default_factory=lambda: np.zeros((0, 3)))

    @property
    def centre(self) -> Array:
        """Mean (3) of the contacts, world, meters; without contacts, mean of all points."""
        if len(self.contacts):
            return np.average(self.contacts, axis=0, weights=self.contact_weights)
        return self.swings.mean(axis=0) if len(self.swings) else np.zeros(3)


@dataclass(frozen=True, eq=False)
class FootTracks:
    """Tracks of the feet over the F frames of a clip; world, meters.

    Attributes:
        rate: frames per second.
        sole_points: (F, 4, 3) points of the sole under heel and ball, in the order of ``roles.FOOT_CONTACTS``.
        down: (F, 4) whether each point is in contact.
        jumping: (F) whether the character jumps high enough to clear an obstacle.
        hip_positions: (F, 2) horizontal positions of the hips.
        hip_velocities: (F, 2) smoothed horizontal velocities of the hips, m/s.
        contact_runs: (N, 2) first frame and frame after the last of each contact, or of each part of a drifting
            contact.
        contact_points: (N, 3) mean horizontal position and median height of each contact.
    """

    rate: float
    sole_points: Array
    down: NDArray[np.bool_]
    jumping: NDArray[np.bool_]
    hip_positions: Array
    hip_velocities: Array
    contact_runs: NDArray[np.intp]
    contact_points: Array

    @staticmethod
    def of(clip: Clip, labels: Labels) -> "FootTracks":
        """Create the tracks of the feet of a labeled clip.

        Raises:
            FootfallError: the clip has no feet, or the labels have no foot contacts.
        """
        soles = _sole_points(clip)
        down = labels.foot_contacts.held
        names = labels.gait_names
        jump = labels.gaits[:, names.index("jump")] if "jump" in names else np.zeros(len(labels))
        hips = clip.positions[:, clip.skeleton.joint("hips"), :2]
        step = np.gradient(hips, 1 / clip.rate, axis=0) if len(hips) > 1 else np.zeros_like(hips)
        course = scipy.ndimage.uniform_filter1d(
            step, max(round(TRAVEL_WINDOW_S * clip.rate), 1), axis=0, mode="nearest"
        )
        down &= ~_overhanging_contacts(soles, down, body_scale(clip))
        runs, places = _contact_runs(soles, down)
        over = soles[..., 2].min(axis=1) - _support_heights(runs, places, np.arange(len(soles)))
        jumping = jump > MIN_JUMP_SHARE
        for start, stop in runs_of(jumping):
            jumping[start:stop] = over[start:stop].max() > MIN_JUMP_HEIGHT_M * body_scale(clip)
        return FootTracks(clip.rate, soles, down, jumping, hips, course, runs, places)

    def points(self, start: int, stop: int, frames_per_swing: int = 1) -> FootPoints:
        """Return the points of the feet in frames [start, stop) and in one second before and after them.

        Earlier and later frames are weighted by the share of [start, stop) from which they are at most a second away.
        If there is no contact in that time, the nearest contact is used.

        Args:
            start: first frame.
            stop: frame after the last.
            frames_per_swing: frames between two points of a swinging foot.
        """
        first, weights = self._visible_frames(start, stop)
        total = np.concatenate([[0.0], np.cumsum(weights)])
        inside = np.clip(self.contact_runs - first, 0, len(weights))
        shares = total[inside[:, 1]] - total[inside[:, 0]]
        if len(shares) and not shares.any():  # a long flight that ends on the ground
            away = np.maximum(start - self.contact_runs[:, 1], self.contact_runs[:, 0] - stop)
            shares[np.argmin(away)] = 1.0
        seen = shares > 0.0
        frames, points = np.nonzero(~self.down[first : first + len(weights)])
        sampled = frames % frames_per_swing == 0
        frames, points = frames[sampled], points[sampled]
        return FootPoints(
            self.contact_points[seen],
            shares[seen],
            self.sole_points[first + frames, points],
            weights[frames] * frames_per_swing,
            self.jumping[first + frames],
        )

    def off_beam_points(self, start: int, stop: int) -> Array:
        """Return random points (B, 3), world, m, beside the beam under frames [start, stop), 40 cm below its top.

        Their distance from the path has a normal distribution of deviation 50 cm, without those within 15 cm.
        """
        first, weights = self._visible_frames(start, stop)
        chance = np.random.default_rng(0)
        frames = first + chance.integers(len(weights), size=OFF_BEAM_POINT_COUNT)
        xy = self.hip_positions[frames] + chance.normal(scale=OFF_BEAM_SIGMA_M, size=(OFF_BEAM_POINT_COUNT, 2))
        away = np.linalg.norm(xy[:, None] - self.hip_positions[first : first + len(weights)], axis=-1).min(axis=1)
        level = _support_heights(self.contact_runs, self.contact_points, frames)
        return np.column_stack([xy, level - BEAM_HEIGHT_M])[away > BEAM_WIDTH_M / 2]

    def _visible_frames(self, start: int, stop: int) -> tuple[int, Array]:
        """Return the first frame visible from frames [start, stop), and the share of them that sees each later one."""
        reach = round(TERRAIN_HORIZON_S * self.rate)
        first, last = max(start - reach, 0), min(stop + reach, len(self.sole_points))
        frames = np.arange(first, last)
        seeing = np.minimum(frames + reach + 1, stop) - np.maximum(frames - reach, start)
        return first, seeing / max(stop - start, 1)


def _support_heights(runs: NDArray[np.intp], contact_points: Array, frames: NDArray[np.intp]) -> Array:
    """Return the feet's height (N) around the given frames (N), meters, linear between contacts; 0 without contacts."""
    if len(runs) == 0:
        return np.zeros(len(frames))
    middle = runs.mean(axis=1)
    order = np.argsort(middle, kind="stable")
    return np.interp(frames, middle[order], contact_points[order, 2])


def _contact_runs(sole_points: Array, down: NDArray[np.bool_]) -> tuple[NDArray[np.intp], Array]:
    """Return the values of :attr:`FootTracks.contact_runs` and :attr:`FootTracks.contact_points`."""
    runs: list[tuple[int, int]] = []
    places: list[Array] = []
    for track, state in zip(np.moveaxis(sole_points, 1, 0), down.T, strict=True):
        for start, stop in runs_of(state):
            extent = float(np.linalg.norm(np.ptp(track[start:stop, :2], axis=0)))
            pieces = min(int(np.ceil(extent / MAX_CONTACT_DRIFT_M)), stop - start) or 1
            cuts = np.linspace(start, stop, pieces + 1).round().astype(int).tolist()
            for first, last in pairwise(cuts):
                runs.append((first, last))
                places.append(np.append(track[first:last, :2].mean(axis=0), np.median(track[first:last, 2])))
    return np.array(runs, dtype=np.intp).reshape(-1, 2), np.array(places).reshape(-1, 3)


def _overhanging_contacts(sole_points: Array, down: NDArray[np.bool_], scale: float) -> NDArray[np.bool_]:
    """Return the contacts (F, 4) in which a heel or ball hangs over a step's edge while the rest of the foot stands.

    An overhanging point is as still as the foot, but tips over the edge, or a foot stands or passes far below it at
    another time. If both points seem to hang, both count as standing.
    """
    result = np.zeros_like(down)
    every = sole_points.reshape(-1, 3)
    for point, track in enumerate(np.moveaxis(sole_points, 1, 0)):
        other = down[:, point ^ 1]
        for start, stop in runs_of(down[:, point]):
            if other[start:stop].mean() < MIN_OTHER_CONTACT_SHARE:
                continue
            middle = np.median(track[start:stop], axis=0)
            below = every[every[:, 2] < middle[2] - EDGE_DROP_M * scale, :2]
            under = len(below) > 0 and np.linalg.norm(below - middle[:2], axis=-1).min() < EDGE_RADIUS_M * scale
            if under or np.ptp(track[start:stop, 2]) > MIN_TIPPING_HEIGHT_M * scale:
                result[start:stop, point] = True
    both = result[:, ::2] & result[:, 1::2]
    return result & ~np.repeat(both, 2, axis=1)


def _sole_points(clip: Clip) -> Array:
    """Return the values of :attr:`FootTracks.sole_points`; without a toe joint, both points are under the ankle."""
    skeleton, scale = clip.skeleton, body_scale(clip)
    columns: list[Array] = []
    for side in "LR":
        foot = skeleton.joint(f"foot.{side}")
        toe = skeleton.roles.get(f"toe.{side}", foot)
        if toe == foot:
            columns += [clip.positions[:, foot] - ANKLE_JOINT_HEIGHT_M * scale * UP] * 2
            continue
        # The heel's point is as far below the ball's joint as the labels' sole.
        columns.append(heel_positions(clip, foot, toe) - (TOE_JOINT_HEIGHT_M - BALL_HEIGHT_M) * scale * UP)
        columns.append(clip.positions[:, toe] - TOE_JOINT_HEIGHT_M * scale * UP)
    return np.stack(columns, axis=1)
