"""The ball in a clip, inferred from the motion of the character's hands alone.

A learned model predicts contacts, ball positions and velocities from the hands; dynamic programming chooses the
sequence of contacts; least squares fit the free flights between them, adjusting release and catch times, end points and
restitution slightly.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..errors import FootfallError
from ..motion import Clip
from ..motion.rotations import Array
from ..motion.signals import runs_of
from .ball_track import BASKETBALL_RADIUS_M, BallTrack
from .contact_sequence import ContactSequence, can_lie, find_contact_sequence
from .cue_model import MASKS, SHIPPED_MODEL, BallEvidence, load_cue_model
from .cues import usual_centers
from .flight_fitting import FreeSegment, fit_flights
from .free_motion import Arc, BallPhysics, caught_arcs, released_arcs, sample_arcs
from .hands import CUE_RATE_HZ, HandMotion, read_hands
from .spin import ball_rotations

MIN_CLIP_S: Final = 0.5
"""Shortest clip in which a ball is inferred."""
MIN_HELD_FRAMES: Final = 3
"""Fewest frames, at ``CUE_RATE_HZ``, in which hands must hold the ball for the clip to count as ball play."""
HOLD_SMOOTHING_FRAMES: Final = 3.0
"""Standard deviation of the Gaussian that smooths a held ball's position relative to the hands."""
END_CORRECTION_FRAMES: Final = 4.0
"""Decay length of the correction that joins the end of a hold to the adjacent flight."""


@dataclass(frozen=True, slots=True, eq=False)
class BallFit:
    """An inferred ball.

    Attributes:
        track: motion of the ball, one sample per frame of the clip.
        restitution: ratio of vertical speeds after and before a bounce.
        bounces: (B) times of the bounces, seconds from the first frame.
    """

    track: BallTrack
    restitution: float
    bounces: Array


def infer_ball(
    clip: Clip, radius: float = BASKETBALL_RADIUS_M, floor: float = 0.0, model_file: Path = SHIPPED_MODEL
) -> BallFit:
    """Infer the motion of the ball that a character plays with from the motion of the character's hands.

    Args:
        clip: the character's motion.
        radius: radius of the ball, meters.
        floor: height of the floor, meters, world.
        model_file: file of the cue model.

    Raises:
        FootfallError: the clip is too short, its skeleton has no hands, or its motion does not look like ball play.
    """
    if clip.duration < MIN_CLIP_S:
        raise FootfallError(
            "'{name}' is {seconds} s long, too short to find a ball in: choose a clip of at least {least} s",
            name=clip.name,
            seconds=f"{clip.duration:.2f}",
            least=f"{MIN_CLIP_S:g}",
        )
    hands = read_hands(clip, floor)
    physics = BallPhysics(hands.gravity, radius / hands.scale)
    evidence = load_cue_model(model_file).evidence(hands, physics.radius)
    sequence = find_contact_sequence(evidence, physics)
    if sequence.cost >= 0.0 or sequence.contacts.any(axis=1).sum() < MIN_HELD_FRAMES:
        raise FootfallError(
            "No hand in '{name}' moves as if it held, caught or dribbled a ball: choose another clip or part of it",
            name=clip.name,
        )
    return _ball_of_sequence(clip, hands, evidence, sequence, physics)


def _ball_of_sequence(
    clip: Clip, hands: HandMotion, evidence: BallEvidence, sequence: ContactSequence, physics: BallPhysics
) -> BallFit:
    """Return the fitted ball, given the sequence of its contacts with the hands."""
    centers = held_centers(hands, evidence, sequence.grasps)
    segments = free_segments(centers, evidence, sequence.grasps, physics)
    flights, restitution = fit_flights(segments, physics)
    physics = replace(physics, restitution=restitution)
    times = np.arange(len(clip)) / clip.rate
    frame_times = np.arange(len(hands)) / CUE_RATE_HZ
    held = _corrected(centers, flights)
    positions = np.column_stack([np.interp(times, frame_times, axis) for axis in held.T])
    cue_frames = np.minimum(np.rint(times * CUE_RATE_HZ).astype(int), len(hands) - 1)
    contacts = sequence.contacts[cue_frames]
    bounces: list[float] = []
    for start, stop, arcs in _all_arcs(flights, centers, evidence, sequence, physics):
        inside = (times > start) & (times < stop)
        positions[inside] = sample_arcs(arcs, times[inside], physics)
        contacts[inside] = False
        bounces += [arc.start for arc in arcs[1:] if start < arc.start < stop]
    positions[:, 2] = np.maximum(positions[:, 2], physics.radius)
    rotations = ball_rotations(hands, positions, contacts, clip.rate, physics.radius)
    center, radius = hands.to_clip(positions), physics.radius * hands.scale
    track = BallTrack(clip.rate, radius, center, rotations, contacts, is_inferred=True)
    return BallFit(track, restitution, np.array(bounces))


def held_centers(hands: HandMotion, evidence: BallEvidence, grasps: NDArray[np.intp]) -> Array:
    """Return the ball's centers (F, 3), scaled to an adult: smoothed relative to the holding hands, else interpolated.

    Args:
        hands: motion of the hands.
        evidence: evidence of the ball from the hands.
        grasps: (F) index in ``MASKS`` of the hands that hold the ball.
    """
    held = grasps >= 0
    frames = np.arange(len(grasps))
    raw = np.empty((len(grasps), 3))
    raw[held] = evidence.centers[frames[held], grasps[held]]
    base = usual_centers(hands)
    shares = np.array([*MASKS, (True, True)], dtype=float)[grasps]
    shares = scipy.ndimage.gaussian_filter1d(shares, HOLD_SMOOTHING_FRAMES, axis=0, mode="nearest")
    carried = (base * (shares / shares.sum(axis=1, keepdims=True))[..., None]).sum(axis=1)
    offsets = np.zeros_like(carried)
    for start, stop in runs_of(held):
        offsets[start:stop] = scipy.ndimage.gaussian_filter1d(
            (raw - carried)[start:stop], HOLD_SMOOTHING_FRAMES, axis=0, mode="nearest"
        )
    offsets = np.column_stack([np.interp(frames, frames[held], axis[held]) for axis in offsets.T])
    return carried + offsets


def free_segments(
    centers: Array, evidence: BallEvidence, grasps: NDArray[np.intp], physics: BallPhysics
) -> list[FreeSegment]:
    """Return the segments between two holds in which no hand holds the ball, with the hands' evidence at both ends.

    Args:
        centers: (F, 3) centers of the ball from :func:`held_centers`, meters scaled to an adult.
        evidence: evidence of the ball from the hands.
        grasps: (F) index in ``MASKS`` of the hands that hold the ball.
        physics: physics of the ball.
    """
    moving = np.gradient(centers, axis=0) * CUE_RATE_HZ
    found = []
    for start, stop in runs_of(grasps < 0):
        if start == 0 or stop == len(grasps):
            continue
        first, last = int(start) - 1, int(stop)
        before, after = max(first - 1, 0), min(last + 1, len(grasps) - 1)
        ends = np.array([first, last])
        found.append(
            FreeSegment(
                ends / CUE_RATE_HZ,
                centers[ends],
                np.stack([moving[before], moving[after]]),
                np.stack([evidence.released[first, grasps[first]], evidence.caught[last, grasps[last]]]),
                bool(can_lie(centers[ends], physics).all()),
            )
        )
    return found


def _corrected(centers: Array, flights: list[FreeSegment]) -> Array:
    """Move the held centers (F, 3) so that they meet the ends of the adjacent flights, and return them."""
    result = centers.copy()
    frames = np.arange(len(centers))
    for flight in flights:
        for end, is_before in enumerate((True, False)):
            frame = round(flight.hold_times[end] * CUE_RATE_HZ)
            beside = frames <= frame if is_before else frames >= frame
            fade = np.exp(-np.abs(frames - frame) / END_CORRECTION_FRAMES) * beside
            result += fade[:, None] * flight.shifts[end]
    return result


def _all_arcs(
    flights: list[FreeSegment], centers: Array, evidence: BallEvidence, sequence: ContactSequence, physics: BallPhysics
) -> list[tuple[float, float, list[Arc]]]:
    """Return start time, end time (seconds) and arcs of each stretch in which no hand holds the ball.

    Stretches before the first hold and after the last one are included.
    """
    found = [(float(flight.times[0]), float(flight.times[1]), flight.arcs(physics)) for flight in flights]
    held = np.flatnonzero(sequence.grasps >= 0)
    first, last = int(held[0]), int(held[-1])
    if first > 0:
        time = first / CUE_RATE_HZ
        if can_lie(centers[first], physics):
            lying = Arc(0.0, np.append(centers[first, :2], physics.radius), np.zeros(3), rolls=True)
            found.append((-1.0, time, [lying]))
        else:
            speed = evidence.caught[first, sequence.grasps[first]]
            found.append((-1.0, time, caught_arcs(time, centers[first], speed, 0.0, physics)))
    if last < len(centers) - 1:
        time, end = last / CUE_RATE_HZ, len(centers) / CUE_RATE_HZ
        if can_lie(centers[last], physics):
            lying = Arc(time, np.append(centers[last, :2], physics.radius), np.zeros(3), rolls=True)
            found.append((time, end + 1.0, [lying]))
        else:
            speed = evidence.released[last, sequence.grasps[last]]
            found.append((time, end + 1.0, released_arcs(time, centers[last], speed, end, physics)))
    return found
