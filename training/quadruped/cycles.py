"""Cycles: keyframed gaits and idles on the spot, as periodic motion of the network body with a ground speed.

Most animal animations run on the spot, as on a belt that moves with the stance paws (*Root Motion from Stance*). On a
body of another size, lengths scale with the legs and times with their square root, which keeps the Froude number
(Alexander and Jayes 1983).
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...core.control.feet.paw_lock import FRONT_PAWS
from ...core.errors import FootfallError
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.motion import Clip, Skeleton
from ...core.motion.paws import ancestors, paw_tracks
from ...core.motion.proportions import scale_between
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import Array, slerp
from ...core.motion.signals import runs_of
from ...core.retarget.calibration import calibrate
from ...core.retarget.retarget import retarget
from ...core.retarget.root_motion import remove_root_motion
from ...core.retarget.stance_travel import stance_velocity
from .postures import STAND, on_the_ground, posture_of, symmetrical, with_folded_legs

LOW_PAW_SHARE: Final = 0.55
"""Height, as a share of a paw's lift, below which it may be in stance; keyframed paws still sink as they move back."""
STANCE_SPEED_SHARE: Final = 0.1
"""Least speed of a low paw, as a share of the ground's, that counts as moving with the ground."""
MAX_STANCE_GAP: Final = 0.06
"""Half of the longest gap in a contact that is closed, in cycles."""
SAME_POSE_RATIO: Final = 0.5
"""Distance of the paws in the last frame from the first, relative to their usual step between frames, below which both
frames count as the same pose."""
MAX_SEAM_RATIO: Final = 4.0
"""Distance of the paws in the last frame from the first, relative to their usual step, above which a clip is no cycle.
"""
STANDING_STEP_M_S: Final = 0.25
"""Speed of the fastest paw below which an animal stands, per meter of leg length."""


@dataclass(frozen=True, eq=False)
class Cycle:
    """One period of a gait or an idle of the network body on the spot; phase 0 is the strike of the right hind paw.

    Attributes:
        name: name of the clip.
        roots: (N, 3) positions of the hips, meters, relative to the middle of the trunk, which faces +Y.
        rotations: (N, J, 4) rotations of the joints, each relative to its parent.
        contacts: (N, 4) contact probabilities of the paws.
        seconds: duration of the period.
        speed: ground speed, m/s; 0 for an idle.
        posture: posture of an idle: ``"stand"``, ``"sit"`` or ``"lie"``.
    """

    name: str
    roots: Array
    rotations: Array
    contacts: Array
    seconds: float
    speed: float
    posture: str = STAND

    def at(self, phases: Array) -> tuple[Array, Array, Array]:
        """Return hip positions (F, 3), m, joint rotations (F, J, 4) and paw contacts (F, 4) at phases (F), cycles."""
        count = len(self.roots)
        at = phases % 1.0 * count
        index = at.astype(np.intp) % count
        following, share = (index + 1) % count, (at - np.floor(at))[:, None]
        turned = slerp(
            self.rotations[index], self.rotations[following], np.broadcast_to(share, (len(at), self.rotations.shape[1]))
        )
        roots, contacts = ((1 - share) * own[index] + share * own[following] for own in (self.roots, self.contacts))
        return roots, turned, contacts

    def paws_at(self, body: Skeleton, phases: Array) -> Array:
        """Return the positions (F, 4, 3), m, of a body's paws at phases (F), cycles, in the frame of ``roots``."""
        tracks = paw_tracks(Clip(body, FEATURE_RATE_HZ, self.roots, self.rotations))
        at = phases % 1.0 * len(tracks)
        index = at.astype(np.intp) % len(tracks)
        share = (at - np.floor(at))[:, None, None]
        return (1 - share) * tracks[index] + share * tracks[(index + 1) % len(tracks)]

    @property
    def hind_lag(self) -> float:
        """Time from the strike of the right hind paw to that of the left one, cycles."""
        return (_first_strike(self.contacts[:, 0]) - _first_strike(self.contacts[:, 2])) / len(self.contacts)

    def with_fore_lag(self, body: Skeleton, lag: float) -> "Cycle":
        """Return the cycle with the front legs shifted in time, so that each strikes ``lag`` cycles after its hind leg.

        A lag of a quarter is a walk, of a half a trot, of 0 a pace (footfall diagrams, Hildebrand 1965).

        Args:
            body: the network body.
            lag: lag of a front paw behind the hind paw of its side, cycles.
        """
        own = (_first_strike(self.contacts[:, 3]) - _first_strike(self.contacts[:, 2])) / len(self.contacts)
        phases = np.arange(len(self.roots)) / len(self.roots) + own - lag
        _, turned, contacts = self.at(phases)
        fore = fore_limb_joints(body)
        rotations, held = self.rotations.copy(), self.contacts.copy()
        rotations[:, fore], held[:, FRONT_PAWS] = turned[:, fore], contacts[:, FRONT_PAWS]
        return replace(self, rotations=rotations, contacts=held)


def fore_limb_joints(body: Skeleton) -> list[int]:
    """Return the joint indices of both front legs of a body."""
    tops = [body.roles.get(f"front_shoulder.{side}", body.joint(f"front_thigh.{side}")) for side in "LR"]
    return [joint for joint in range(len(body)) if any(joint == top or top in ancestors(body, joint) for top in tops)]


def read_cycle(clip: Clip, body: Skeleton) -> Cycle | None:
    """Return one period of a clip on the spot, transferred to a body; ``None`` if the clip is not periodic or travels.

    Args:
        clip: a quadruped's motion on its own network body.
        body: the network body.
    """
    velocity = stance_velocity(clip)
    closed = _whole_period(clip)
    if closed is None or np.ptp(root_track(clip).positions, axis=0).max() > 0.5 * clip.skeleton.leg_length:
        return None
    if velocity is None and not _stands(clip):
        return None
    posture = STAND if velocity is not None else posture_of(closed)
    if posture != STAND:
        closed = on_the_ground(closed)
    scale = scale_between(clip.skeleton, body)
    seconds = len(closed) / clip.rate * np.sqrt(scale)
    contacts = _cycle_contacts(closed, velocity)
    speed = 0.0 if velocity is None else _stance_speed(closed, velocity, contacts) * np.sqrt(scale)
    fitted = retarget(closed, calibrate(clip.skeleton, body))
    track = root_track(fitted)
    middle = np.column_stack([np.tile(track.positions.mean(axis=0), (len(fitted), 1)), np.zeros(len(fitted))])
    facing = remove_root_motion(fitted, middle, np.full(len(fitted), float(np.mean(track.yaws))))
    if posture != STAND:
        facing = with_folded_legs(symmetrical(facing))
    strike = _first_strike(contacts[:, 2])
    roots, rotations, held = (
        np.roll(values, -strike, axis=0) for values in (facing.root_positions, facing.rotations, contacts)
    )
    count = max(round(seconds * FEATURE_RATE_HZ), 4)
    own = Cycle(clip.name, roots, rotations, held, seconds, speed, posture)
    roots, rotations, held = own.at(np.arange(count) / count)
    return replace(own, roots=roots, rotations=rotations, contacts=held)


def _whole_period(clip: Clip) -> Clip | None:
    """Return one period of a clip without the repeated first pose; ``None`` if its end does not meet its start."""
    about = paw_tracks(clip) - clip.positions[:, :1]
    steps = np.linalg.norm(np.diff(about, axis=0), axis=-1).max(axis=1)
    gap, usual = float(np.linalg.norm(about[-1] - about[0], axis=-1).max()), float(np.percentile(steps, 90))
    if gap > MAX_SEAM_RATIO * usual + 0.02 * clip.skeleton.leg_length:
        return None
    whole = clip.cut(0, len(clip) - 1) if gap < SAME_POSE_RATIO * usual else clip
    return whole if len(whole) >= 4 else None


def _stands(clip: Clip) -> bool:
    """Return whether all paws stand still."""
    moved = np.linalg.norm(np.diff(paw_tracks(clip), axis=0), axis=-1) * clip.rate
    return bool(np.percentile(moved, 95) < STANDING_STEP_M_S * clip.skeleton.leg_length)


def _cycle_contacts(period: Clip, velocity: Array | None) -> Array:
    """Return the contacts (N, 4) of a period: low paws moving back with the ground, one stance per cycle.

    Args:
        period: one period of a gait or an idle.
        velocity: (2) velocity of the ground, m/s; ``None`` for an idle, whose paws all stand.
    """
    tracks = paw_tracks(period)
    if velocity is None:
        return np.ones(tracks.shape[:2])
    along = _speeds_along(period, velocity) / float(np.linalg.norm(velocity))
    height = tracks[..., 2] - tracks[..., 2].min(axis=0)
    low = height < LOW_PAW_SHARE * np.ptp(tracks[..., 2], axis=0)
    return np.stack([_longest_stance(column) for column in (low & (along > STANCE_SPEED_SHARE)).T], axis=1)


def _speeds_along(period: Clip, velocity: Array) -> Array:
    """Return the speeds (N, 4), m/s, of the paws of a period along the ground's velocity (2)."""
    tracks = paw_tracks(period)
    moved = (np.roll(tracks, -1, axis=0) - np.roll(tracks, 1, axis=0))[..., :2] * period.rate / 2
    return moved @ (velocity / float(np.linalg.norm(velocity)))


def _stance_speed(period: Clip, velocity: Array, contacts: Array) -> float:
    """Return the mean speed, m/s, of the paws in contact (N, 4), since keyframed paws change speed in a stance."""
    down = contacts > 0.5
    return float(_speeds_along(period, velocity)[down].mean()) if down.any() else float(np.linalg.norm(velocity))


def _longest_stance(down: NDArray[np.bool_]) -> Array:
    """Return the longest contact (N) of a cycle, after closing short gaps."""
    count = len(down)
    three = np.tile(down, 3)
    gap = max(round(MAX_STANCE_GAP * count), 1)
    closed = scipy.ndimage.binary_closing(three, np.ones(2 * gap + 1))
    runs = [run for run in runs_of(closed) if run[0] < 2 * count and run[1] > count]
    result = np.zeros(count)
    if runs:
        start, stop = max(runs, key=lambda run: run[1] - run[0])
        result[np.arange(start, min(stop, start + count)) % count] = 1.0
    return result


def _first_strike(contact: Array) -> int:
    """Return the first frame at which a contact (N) begins; 0 if it never begins."""
    down = contact > 0.5
    begins = np.flatnonzero(down & ~np.roll(down, 1))
    return int(begins[0]) if len(begins) else 0


def require_cycles(cycles: list[Cycle]) -> None:
    """Raise a :class:`FootfallError` if no clip shows a gait on the spot."""
    if not any(cycle.speed > 0 for cycle in cycles):
        raise FootfallError("None of the animal clips shows walking, trotting or running: add clips with these gaits")
