"""Insertion of clips into a walk: poses match best at the seams, and the walk continues on its path.

Seams are chosen as in motion graphs (Kovar, Gleicher and Pighin 2002), by pose, velocity and contacts. The remaining
differences decay after the seams (inertialization, Bollo 2018), and feet are locked again across both.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.contacts import FootContacts
from ...motion.roles import is_quadruped
from ...motion.root_frame import RootTrack, into_frame, root_track
from ...motion.rotations import Array, length, multiply, rotate, rotation_about_up, wrap_angle
from ...terrain.ground import Scene
from ...tuning import Tuning, tuned
from ..performance import Performance
from ..performance.seam import TUNING as SEAM
from ..performance.seam import faded, relocked


@dataclass(frozen=True, slots=True)
class ClipInsertionTuning(Tuning):
    search: float = tuned(0.6, "s", 0.0, 5.0)
    """Time before and after the requested frame in which a seam is searched, about a stride."""
    trim: float = tuned(0.5, "s", 0.0, 5.0)
    """Longest time that may be cut from either end of a clip for a better seam."""
    max_trim_share: float = tuned(0.25, "1", 0.0, 0.5)
    """Largest share of the clip that may be cut from either end."""
    velocity_weight: float = tuned(0.15, "s", 0.0, 5.0)
    """Cost of a velocity difference between walk and clip, in meters of position difference per m/s."""
    contact_cost: float = tuned(0.06, "m", 0.0, 1.0)
    """Cost of a foot that stands on only one side of a seam, in meters of position difference."""
    waiting_cost: float = tuned(0.02, "m/s", 0.0, 1.0)
    """Cost of a second between a seam and the requested frame, in meters of position difference."""
    rest: float = tuned(0.6, "s", 0.0, 5.0)
    """Shortest remainder of the walk after an inserted clip."""
    root_smoothing: float = tuned(0.3, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that smooths the roots of walk and clip."""
    usual_move: float = tuned(1.2, "1", 1.0, 10.0)
    """Joint displacement per frame at a seam above which it is reported, relative to the largest in walk and clip."""
    max_turn: float = tuned(2.4, "rad", 0.0, np.pi)
    """Largest turn that is spread over an inserted clip to bring the walk back to its path."""
    max_aside: float = tuned(0.9, "m", 0.0, 5.0)
    """Largest sideways shift that is spread over an inserted clip to bring the walk back to its path."""
    max_aside_share: float = tuned(0.35, "1", 0.0, 2.0)
    """Sideways shift allowed in addition to ``max_aside``, as a share of the clip's travel."""


TUNING: Final = ClipInsertionTuning()

TOUCHING: Final = ("hips", "hand.L", "hand.R")
"""Joints with contacts in a walk that could also touch objects."""


@dataclass(frozen=True, slots=True, eq=False)
class Insertion:
    """A clip to insert into a walk.

    Attributes:
        frame: frame of the walk at which the clip should begin.
        clip: the motion, at the walk's rate and on the walk's body, over the plane z = 0.
        contacts: foot contacts of the clip.
        repeats: number of times that the clip is played.
    """

    frame: int
    clip: Clip
    contacts: FootContacts
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class Seams:
    """The seams between a walk and a clip.

    Attributes:
        leaves: frame of the walk at which the clip replaces it.
        begins: first frame of the clip that is played.
        ends: frame of the clip after the last one that is played.
        resumes: frame of the original walk from which it continues after the clip.
    """

    leaves: int
    begins: int
    ends: int
    resumes: int


def insert_clip(walk: Performance, insertion: Insertion, ground: Scene) -> tuple[Performance, Seams]:
    """Return a walk with a clip inserted, and the seams between them.

    Raises:
        FootfallError: the clip has another body, is too short, or ends too far from the walk's path; the frame is
            outside the walk, the ground moves, or the character has four legs.
    """
    _require_fitting(walk, insertion, ground)
    clip, contacts = _repeated(insertion)
    seams = find_seams(walk, clip, contacts, insertion.frame)
    _require_free_hands(walk, seams, insertion)
    part = _led_along(walk, clip.cut(seams.begins, seams.ends), seams, ground)
    before, after = walk.cut(0, seams.leaves), walk.cut(seams.resumes, len(walk))
    count = len(part)
    middle = walk.held_still(seams.leaves, part, FootContacts(contacts.probabilities[seams.begins : seams.ends]))
    joined = before.concat(middle).concat(after)
    smooth = faded(joined.clip, (seams.leaves, seams.leaves + count))
    margin = round((TUNING.search + SEAM.fade) * smooth.rate)
    # Far from the seams the walk is already locked, and remains unchanged.
    span = slice(max(seams.leaves - margin, 0), min(seams.leaves + count + margin, len(smooth)))
    return relocked(joined.with_clip(smooth), span, ground), seams


def _require_fitting(walk: Performance, insertion: Insertion, ground: Scene) -> None:
    """Raise :class:`FootfallError` if a clip cannot be inserted into a walk."""
    clip = insertion.clip
    if is_quadruped(walk.clip.skeleton.roles):
        raise FootfallError("Clips cannot be inserted into the motion of four-legged characters: remove the clip")
    if not ground.is_static:
        raise FootfallError(
            "Clips cannot be inserted on moving ground, as the motion after the clip would be too late for the "
            "ground: remove the clip"
        )
    if not clip.skeleton.matches(walk.clip.skeleton):
        raise FootfallError(
            "The inserted clip '{name}' moves another body: retarget it to this rig first", name=clip.name
        )
    if len(clip) < 2 * round(TUNING.trim * clip.rate):
        raise FootfallError(
            "The inserted clip '{name}' is {seconds} s long, too short to blend in and out: choose a clip of "
            "at least one second",
            name=clip.name,
            seconds=f"{clip.duration:.1f}",
        )
    if not 0 <= insertion.frame < len(walk.clip):
        raise FootfallError(
            "The inserted clip '{name}' begins at {seconds} s, but the bake is only {duration} s long: choose "
            "an earlier frame",
            name=clip.name,
            seconds=f"{insertion.frame / clip.rate:.1f}",
            duration=f"{walk.clip.duration:.1f}",
        )


def _require_free_hands(walk: Performance, seams: Seams, insertion: Insertion) -> None:
    """Raise :class:`FootfallError` if the character touches or holds an object during an inserted clip."""
    span = slice(seams.leaves, seams.resumes + 1)
    busy = any(walk.touches(joint)[span].any() for joint in TOUCHING)
    if busy or any(one.held[span].any() for one in walk.objects):
        raise FootfallError(
            "The inserted clip '{name}' begins while the character holds or touches an object: insert the clip "
            "before or after that contact",
            name=insertion.clip.name,
        )


def _repeated(insertion: Insertion) -> tuple[Clip, FootContacts]:
    """Return a clip played as often as requested, each time from where the last one ended, and its contacts."""
    clip, contacts = insertion.clip, insertion.contacts.probabilities
    for _ in range(insertion.repeats - 1):
        track = root_track(insertion.clip)
        turn = rotation_about_up(np.array(root_track(clip).yaws[-1] - track.yaws[0]))
        again = insertion.clip.transformed(turn, np.zeros(3))
        start, end = again.root_positions[0], clip.root_positions[-1]
        again = replace(again, root_positions=again.root_positions + np.append((end - start)[:2], 0.0))
        whole = replace(
            clip,
            root_positions=np.concatenate([clip.root_positions, again.root_positions]),
            rotations=np.concatenate([clip.rotations, again.rotations]),
        )
        clip = faded(whole, (len(clip),))
        contacts = np.concatenate([contacts, insertion.contacts.probabilities])
    return clip, FootContacts(contacts)


def find_seams(walk: Performance, clip: Clip, contacts: FootContacts, frame: int) -> Seams:
    """Return the seams, with the insertion near a frame of the walk, at which a clip fits best.

    Args:
        walk: the walk.
        clip: the motion to insert, on the walk's body.
        contacts: foot contacts of the clip.
        frame: frame of the walk near which the clip begins.
    """
    rate = clip.rate
    trim = max(min(round(TUNING.trim * rate), round(TUNING.max_trim_share * len(clip))), 1)
    walked, played = _SeamFeatures.of(walk.clip, walk.contacts), _SeamFeatures.of(clip, contacts)
    leaves, begins = _cheapest(walked, _about(frame, len(walk.clip), rate), played, np.arange(trim), frame)
    travel = length(played.track.positions[-1] - played.track.positions[begins])
    gone = np.concatenate([[0.0], np.cumsum(length(np.diff(walked.track.positions, axis=0)))])
    there = int(np.searchsorted(gone, gone[leaves] + travel).clip(leaves, len(gone) - 1))
    last = max(len(walk.clip) - round(TUNING.rest * rate), leaves)
    window = _about(there, len(walk.clip), rate).clip(leaves, last)
    resumes, ends = _cheapest(walked, window, played, np.arange(len(clip) - trim, len(clip)), there)
    return Seams(leaves, begins, ends + 1, resumes)


@dataclass(frozen=True, eq=False)
class _SeamFeatures:
    """Features of each frame of a motion that are compared at seams.

    Attributes:
        joints: (F, 3 J) joint positions in the frame of the root, meters.
        velocities: (F, 3 J) joint velocities in the frame of the root, m/s.
        contacts: (F, 4) foot contacts.
        track: the root.
    """

    joints: Array
    velocities: Array
    contacts: NDArray[np.bool_]
    track: RootTrack

    @classmethod
    def of(cls, clip: Clip, contacts: FootContacts) -> "_SeamFeatures":
        track = root_track(clip, TUNING.root_smoothing)
        roots = np.column_stack([track.positions, np.zeros(len(clip))])
        joints = into_frame(clip.positions - roots[:, None], track.yaws[:, None])
        moves = np.gradient(clip.positions, axis=0) * clip.rate
        velocities = into_frame(moves, track.yaws[:, None])
        flat = joints.reshape(len(clip), -1), velocities.reshape(len(clip), -1)
        return cls(*flat, contacts.held, track)


def _about(frame: int, count: int, rate: float) -> NDArray[np.intp]:
    """Return the frames, of `count` in a walk, in which a seam near a frame is searched."""
    reach = round(TUNING.search * rate)
    return np.arange(max(frame - reach, 0), min(frame + reach + 1, count))


def _cheapest(
    walked: _SeamFeatures, frames: NDArray[np.intp], played: _SeamFeatures, others: NDArray[np.intp], wished: int
) -> tuple[int, int]:
    """Return the frame of a walk and the frame of a clip that fit each other best."""
    joints = walked.joints.shape[1] / 3
    apart = np.linalg.norm(walked.joints[frames][:, None] - played.joints[others][None], axis=-1) / np.sqrt(joints)
    fast = np.linalg.norm(walked.velocities[frames][:, None] - played.velocities[others][None], axis=-1)
    steps = (walked.contacts[frames][:, None] != played.contacts[others][None]).sum(axis=-1)
    late = np.abs(frames - wished)[:, None] / 60.0
    cost = (
        apart
        + TUNING.velocity_weight * fast / np.sqrt(joints)
        + TUNING.contact_cost * steps
        + TUNING.waiting_cost * late
    )
    best = np.unravel_index(int(cost.argmin()), cost.shape)
    return int(frames[best[0]]), int(others[best[1]])


def _led_along(walk: Performance, part: Clip, seams: Seams, ground: Scene) -> Clip:
    """Return the part of a clip between its seams, moved and bent to join the walk's root at both seams."""
    walked, own = root_track(walk.clip, TUNING.root_smoothing), root_track(part, TUNING.root_smoothing)
    turn = float(walked.yaws[seams.leaves] - own.yaws[0])
    placed = part.transformed(rotation_about_up(np.array(turn)), np.zeros(3))
    shift = walked.positions[seams.leaves] - root_track(placed, TUNING.root_smoothing).positions[0]
    placed = replace(placed, root_positions=placed.root_positions + np.append(shift, 0.0))
    track = root_track(placed, TUNING.root_smoothing)
    missing_turn = float(wrap_angle(float(walked.yaws[seams.resumes]) - float(track.yaws[-1])))
    gone = np.concatenate([[0.0], np.cumsum(length(np.diff(track.positions, axis=0)))])
    # Turn and shift are distributed by travel, since a body corrects its course while it steps; without travel, by
    # time.
    times = np.linspace(0.0, 1.0, len(placed))
    shares = smooth_step(np.where(gone[-1] > 0.3, gone / max(gone[-1], 1e-9), times))
    turned = _turned_along(placed, track, missing_turn * shares)
    missing = walked.positions[seams.resumes] - root_track(turned, TUNING.root_smoothing).positions[-1]
    most = TUNING.max_aside + TUNING.max_aside_share * float(gone[-1])
    if abs(missing_turn) > TUNING.max_turn or float(length(missing)) > most:
        raise FootfallError(
            "The inserted clip '{name}' ends {meters} m and {degrees} degrees away from the following bake: "
            "insert the clip where the path turns by that angle, or use a clip that ends as it begins",
            name=part.name,
            meters=f"{float(length(missing)):.1f}",
            degrees=f"{np.degrees(abs(missing_turn)):.0f}",
        )
    roots = turned.root_positions + np.column_stack([shares[:, None] * missing, np.zeros(len(turned))])
    heights = ground.heights(roots)
    return replace(turned, root_positions=roots + np.column_stack([np.zeros((len(roots), 2)), np.nan_to_num(heights)]))


def _turned_along(clip: Clip, track: RootTrack, turns: Array) -> Clip:
    """Return a clip whose path is bent by turns (F), radians, that accumulate step by step."""
    rotations = clip.rotations.copy()
    turning = rotation_about_up(turns)
    rotations[:, 0] = multiply(turning, rotations[:, 0])
    steps = np.diff(track.positions, axis=0)
    bent = rotate(turning[:-1], np.column_stack([steps, np.zeros(len(steps))]))[:, :2]
    way = track.positions[0] + np.concatenate([np.zeros((1, 2)), np.cumsum(bent, axis=0)])
    beside = clip.root_positions[:, :2] - track.positions
    beside = rotate(turning, np.column_stack([beside, np.zeros(len(beside))]))[:, :2]
    return replace(clip, root_positions=np.column_stack([way + beside, clip.root_positions[:, 2]]), rotations=rotations)


def largest_seam_move(made: Performance, walk: Performance, insertion: Insertion, seams: Seams) -> tuple[float, float]:
    """Return the largest displacement of a joint within a frame near the seams, and the usual limit of it, meters.

    Args:
        made: the walk with the clip inserted.
        walk: the original walk.
        insertion: the inserted clip.
        seams: the seams.
    """
    reach = round(SEAM.fade * made.clip.rate)
    moves = _moves(made.clip)
    middle = seams.leaves + seams.ends - seams.begins
    about = [moves[max(seam - reach, 0) : seam + reach].max(initial=0.0) for seam in (seams.leaves, middle)]
    return max(about), max(_moves(walk.clip).max(), _moves(insertion.clip).max()) * TUNING.usual_move


def seam_speeds(
    walk: Performance, insertion: Insertion, seams: Seams
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the body's speeds, m/s, in walk and clip, in this order: at the clip's beginning, and at its end."""
    clip, _ = _repeated(insertion)
    return (
        (_speed_about(walk.clip, seams.leaves), _speed_about(clip, seams.begins)),
        (_speed_about(walk.clip, seams.resumes), _speed_about(clip, seams.ends - 1)),
    )


def _speed_about(clip: Clip, frame: int) -> float:
    """Return the horizontal speed of a body around a frame, m/s."""
    reach = round(TUNING.root_smoothing * clip.rate)
    first, last = max(frame - reach, 0), min(frame + reach, len(clip) - 1)
    way = clip.root_positions[last, :2] - clip.root_positions[first, :2]
    return float(np.linalg.norm(way)) * clip.rate / max(last - first, 1)


def _moves(clip: Clip) -> Array:
    """Return the largest displacement of any joint between frames (F - 1), meters."""
    return length(np.diff(clip.positions, axis=0)).max(axis=1)
