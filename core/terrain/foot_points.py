"""Where the feet of a clip stand and swing: what a ground must hold up, and what it must stay under."""

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
from ..motion.signals import runs_of

# Seconds before and after a frame that a controller sees of the ground (PFNN section 4.3).
TERRAIN_HORIZON_S: Final = 1.0
MAX_CONTACT_DRIFT_M: Final = 0.03
"""Metres on the ground that a foot may stray in one contact before it is taken for several."""
MIN_JUMP_SHARE: Final = 0.5
MIN_JUMP_HEIGHT_M: Final = 0.18
"""Metres of an adult over which both feet of who jumps rise; skips and long flights of runs stay below."""
MIN_OTHER_CONTACT_SHARE: Final = 0.5
"""Share of the time that one point of a foot is down in which the other is, too, if it can do without the first."""
# Metres of an adult: how far below a hanging point there is something, how near, and by how much one tips.
EDGE_DROP_M: Final = 0.1
EDGE_RADIUS_M: Final = 0.06
MIN_TIPPING_HEIGHT_M: Final = 0.05
# The released code's measures of a beam, metres.
BEAM_WIDTH_M: Final = 0.3
BEAM_HEIGHT_M: Final = 0.4
OFF_BEAM_SIGMA_M: Final = 0.5
OFF_BEAM_POINT_COUNT: Final = 100
TRAVEL_WINDOW_S: Final = 0.5
"""Seconds over which the direction of travel is taken."""


@dataclass(frozen=True, eq=False)
class FootPoints:
    """What a ground is fitted to; world, metres.

    Attributes:
        contacts: places (C, 3) where a foot stands.
        contact_weights: (C), the frames that each stands for.
        swings: places (S, 3) of feet in the air.
        swing_weights: (S), the frames that each stands for.
        jumping: (S) whether somebody jumps.
        beside: places (B, 3) beside a beam, as high as the ground there may be at most; none where nobody balances.
    """

    contacts: Array
    contact_weights: Array
    swings: Array
    swing_weights: Array
    jumping: NDArray[np.bool_]
    off_beam: Array = field(default_factory=lambda: np.zeros((0, 3)))

    @property
    def centre(self) -> Array:
        """Where the feet stand in the mean (3); the mean of all points where none does."""
        if len(self.contacts):
            return np.average(self.contacts, axis=0, weights=self.contact_weights)
        return self.swings.mean(axis=0) if len(self.swings) else np.zeros(3)


@dataclass(frozen=True, eq=False)
class FootTracks:
    """The feet of a whole clip over its F frames; world, metres.

    Attributes:
        rate: frames a second.
        soles: (F, 4, 3), points of the sole under heel and ball, in the order of ``labelling.contacts.FOOT_CONTACTS``: as high
            over the ground as the plane z = 0 is under a clip that ``fit_clip`` has put there.
        down: (F, 4) whether each is in contact.
        jumping: (F) whether somebody jumps so high that there may be something below.
        way: (F, 2) where the hips are over the ground.
        course: (F, 2) how fast and where to they go, metres a second, smooth.
        runs: first frame and frame after the last (N, 2) of each contact, or of each piece of one that strays.
        places: (N, 3) where it stands: the mean place and the median height.
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
        """Return the feet of a labelled clip; raises :class:`FootfallError` where it has none, or no contacts of
        them.
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
        """Return the points that concern frames [start, stop): theirs, and those of the second before and after.

        A frame around them counts by the share of them that see it. Where nobody stands in all that time, the contact
        nearest to it is taken.

        Args:
            frames_per_swing: how many frames a point of a swinging foot stands for.
        """
        first, weights = self._visible_frames(start, stop)
        total = np.concatenate([[0.0], np.cumsum(weights)])
        inside = np.clip(self.contact_runs - first, 0, len(weights))
        shares = total[inside[:, 1]] - total[inside[:, 0]]
        if len(shares) and not shares.any():  # a long flight: who flies comes down
            away = np.maximum(start - self.contact_runs[:, 1], self.contact_runs[:, 0] - stop)
            shares[np.argmin(away)] = 1.0
        seen = shares > 0.0
        frames, points = np.nonzero(~self.down[first : first + len(weights)])
        kept = frames % frames_per_swing == 0
        frames, points = frames[kept], points[kept]
        return FootPoints(
            self.contact_points[seen],
            shares[seen],
            self.sole_points[first + frames, points],
            weights[frames] * frames_per_swing,
            self.jumping[first + frames],
        )

    def off_beam_points(self, start: int, stop: int) -> Array:
        """Places (B, 3) about the way of frames [start, stop) and what they see that are off a beam, 40 cm below it.

        They lie about it as chance has it, by a deviation of 50 cm; those nearer to it than 15 cm are left out.
        """
        first, weights = self._visible_frames(start, stop)
        chance = np.random.default_rng(0)
        frames = first + chance.integers(len(weights), size=OFF_BEAM_POINT_COUNT)
        xy = self.hip_positions[frames] + chance.normal(scale=OFF_BEAM_SIGMA_M, size=(OFF_BEAM_POINT_COUNT, 2))
        away = np.linalg.norm(xy[:, None] - self.hip_positions[first : first + len(weights)], axis=-1).min(axis=1)
        level = _support_heights(self.contact_runs, self.contact_points, frames)
        return np.column_stack([xy, level - BEAM_HEIGHT_M])[away > BEAM_WIDTH_M / 2]

    def _visible_frames(self, start: int, stop: int) -> tuple[int, Array]:
        """Return the first frame that frames [start, stop) see, and the share of them that see it and those that
        follow.
        """
        reach = round(TERRAIN_HORIZON_S * self.rate)
        first, last = max(start - reach, 0), min(stop + reach, len(self.sole_points))
        frames = np.arange(first, last)
        seeing = np.minimum(frames + reach + 1, stop) - np.maximum(frames - reach, start)
        return first, seeing / max(stop - start, 1)


def _support_heights(runs: NDArray[np.intp], contact_points: Array, frames: NDArray[np.intp]) -> Array:
    """How high (N) feet stand about frames (N), metres: from one contact to the next in time; 0 without any."""
    if len(runs) == 0:
        return np.zeros(len(frames))
    middle = runs.mean(axis=1)
    order = np.argsort(middle, kind="stable")
    return np.interp(frames, middle[order], contact_points[order, 2])


def _contact_runs(sole_points: Array, down: NDArray[np.bool_]) -> tuple[NDArray[np.intp], Array]:
    """See :attr:`FootTracks.runs` and :attr:`FootTracks.places`."""
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
    """Contacts (F, 4) of a heel or ball that hangs over the edge of a step, on which the rest of the foot stands.

    It is as still as the foot. But it tips over the edge, or a foot stands or passes far below its place at another
    time. Where both seem to hang, both stand.
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
    """See :attr:`FootTracks.soles`; both points of a foot without a toe joint are under its ankle."""
    skeleton, scale = clip.skeleton, body_scale(clip)
    columns: list[Array] = []
    for side in "LR":
        foot = skeleton.joint(f"foot.{side}")
        toe = skeleton.roles.get(f"toe.{side}", foot)
        if toe == foot:
            columns += [clip.positions[:, foot] - ANKLE_JOINT_HEIGHT_M * scale * UP] * 2
            continue
        # The heel's point lies as far under the ball's joint as the labels take the sole to be.
        columns.append(heel_positions(clip, foot, toe) - (TOE_JOINT_HEIGHT_M - BALL_HEIGHT_M) * scale * UP)
        columns.append(clip.positions[:, toe] - TOE_JOINT_HEIGHT_M * scale * UP)
    return np.stack(columns, axis=1)
