"""Paw lock: contacts of four paws are held in place throughout a clip, on level ground, slopes and stairs.

Footskate cleanup (Kovar, Schreiner and Gleicher 2002) for legs of any number of bones. The trunk rises with the ground
and pitches with the slope between hind and front paws; then each leg is bent to reach its paw.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.chain_ik import solve_chain_ik
from ...motion.contacts import FootContacts
from ...motion.limb_ik import with_world_rotations
from ...motion.paws import chest_joint, leg_chains, paw_tracks
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import facing_direction, root_track
from ...motion.rotations import UP, Array, from_axis_angle, length, multiply, rotate
from ...motion.shoulder_swing import swing_shoulder
from ...motion.signals import drop_short_runs, runs_of
from ...terrain.ground import Plane, Scene, ground_heights_at
from ...tuning import Tuning, tuned
from .resting_place import carry_to_middle_frame, rest_position

# Lengths in meters are those of an adult; they are multiplied by the body's scale.


@dataclass(frozen=True, slots=True)
class PawLock(Tuning):
    min_contact: float = tuned(0.05, "s", 0.0, 0.5)
    """Shortest duration of a contact that is held, and of a gap between contacts that is kept."""
    max_drift: float = tuned(0.14, "m", 0.01, 0.5)
    """Largest distance between a paw and the position at which it is held."""
    landing_height: float = tuned(0.02, "m", 0.0, 0.1)
    """Height above the lowest points of a contact from which the paw counts as still landing, or as lifted."""
    release: float = tuned(0.25, "s", 0.02, 1.0)
    """Time in which a paw returns to its original motion after a contact, unless the next contact begins sooner."""
    body_smoothing: float = tuned(0.2, "s", 0.02, 2.0)
    """Standard deviation of the Gaussian that smooths how the trunk rises, sinks and pitches with the ground."""
    reach: float = tuned(0.995, "1", 0.8, 1.0)
    """Share of a straight leg's length beyond which the trunk is lowered to reach a held paw."""
    max_trunk_drop: float = tuned(0.08, "m", 0.0, 0.3)
    """Largest distance by which the trunk is lowered."""
    min_step: float = tuned(0.02, "m", 0.0, 0.2)
    """Distance between a paw's positions in two contacts from which the paw is lifted instead of sliding."""
    step_lift: float = tuned(0.25, "1", 0.0, 1.0)
    """Smallest lift of a paw between two contacts, relative to their distance."""
    max_step_lift: float = tuned(0.08, "m", 0.0, 0.3)
    """Largest lift of a paw between two contacts."""
    probe_height: float = tuned(0.35, "m", 0.05, 2.0)
    """Height above the paws from which the ground is searched downward."""


TUNING: Final = PawLock()
MIN_BASE_RATIO: Final = 0.5
"""Smallest distance between hind and front paws from which the trunk's pitch is computed, in leg lengths."""
HIND_PAWS: Final = (0, 2)
FRONT_PAWS: Final = (1, 3)
"""Columns of the front paws in ``roles.PAW_CONTACTS``."""


def locked_paws(clip: Clip, contacts: FootContacts, scene: Scene | None = None) -> FootContacts:
    """Return the contacts that can be held: long enough, without landing and lift-off, while the paw stays in place.

    Args:
        clip: a quadruped's motion.
        contacts: contact probabilities, from labels or from the network.
        scene: the ground; by default the plane z = 0.
    """
    scene = scene or Plane()
    scale = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    shortest = max(round(TUNING.min_contact * clip.rate), 2)
    held, tracks = drop_short_runs(contacts.held, shortest), paw_tracks(clip)
    # On a slope the whole body rises while a paw stands, so landing and leaving are measured relative to the body.
    hips = clip.positions[:, clip.skeleton.joint("hips"), 2]
    level = scipy.ndimage.gaussian_filter1d(hips, TUNING.body_smoothing * clip.rate, mode="nearest")
    for column, track in zip(held.T, np.moveaxis(tracks, 1, 0), strict=True):
        waiting = [(int(start), int(stop)) for start, stop in runs_of(column)]
        while waiting:
            start, stop = waiting.pop()
            here = carry_to_middle_frame(scene, track, start, stop, TUNING.probe_height * scale)
            away = length((here - rest_position(here, 0, len(here)))[:, :2])
            heights = track[start:stop, 2] - level[start:stop]
            stray = away > TUNING.max_drift * scale
            stray |= heights > np.percentile(heights, 20) + TUNING.landing_height * scale
            if not stray.any():
                continue
            first, last = (int(stray[0]), int(stray[-1])) if stray[0] or stray[-1] else (0, 0)
            if first or last:
                column[start : start + first] = column[stop - last : stop] = False
                waiting += [(start + first, stop - last)] if stop - last - start - first > shortest else []
                continue
            # The paw rests at two positions and moves between them.
            middle = start + int(np.argmax(np.where(stray, away, 0.0)))
            column[middle - 2 : middle + 3] = False
            waiting += [run for run in ((start, middle - 2), (middle + 3, stop)) if run[1] - run[0] > shortest]
        for start, stop in runs_of(column):
            if stop - start <= shortest and start > 0 and stop < len(column):
                column[start:stop] = False
    return FootContacts(held.astype(float))


def lock_paws(clip: Clip, contacts: FootContacts, scene: Scene | None = None, standing: Clip | None = None) -> Clip:
    """Return the motion with paws in contact held in place on the ground, and the other paws kept above it.

    Args:
        clip: a quadruped's motion.
        contacts: the contacts to hold, as :func:`locked_paws` returns them.
        scene: the ground; by default the plane z = 0.
        standing: the same body standing on level ground, which gives the height of its paw joints above the ground; by
            default their usual heights in contact are used.
    """
    scene, skeleton = scene or Plane(), clip.skeleton
    scale = skeleton.leg_length / ADULT_LEG_LENGTH_M
    soles = _sole_heights(clip, contacts.held, standing)
    # Extended by a frame at both ends, a contact has no frame with a moving paw.
    held = np.asarray(scipy.ndimage.binary_dilation(contacts.held, np.ones((3, 1), dtype=bool)))
    offsets = _contact_offsets(clip, held, soles, scene, scale)
    clip_on_ground = _place_trunk(clip, offsets[..., 2])
    targets = paw_tracks(clip) + offsets
    targets[..., 2] += _clearance(targets, held, soles, scene, scale, clip.rate)
    targets[..., 2] += _step_lift(targets, held, scale)
    positions, rotations = (array.copy() for array in clip_on_ground.world)
    drop = trunk_drop(positions, targets, held, clip)
    positions[..., 2] -= drop[:, None]
    for number, chain in enumerate(leg_chains(skeleton)):
        swing_shoulder(positions, rotations, skeleton, chain, targets[:, number])
        floor = np.where(held[:, number], targets[:, number, 2], -np.inf)
        solve_chain_ik(positions, rotations, chain, targets[:, number], floor)
    return with_world_rotations(clip, clip_on_ground.root_positions - drop[:, None] * UP, rotations)


def _sole_heights(clip: Clip, held: NDArray[np.bool_], standing: Clip | None) -> Array:
    """Return the heights (4) of the paw joints above the ground when the paws stand, meters."""
    if standing is not None:
        return np.median(paw_tracks(standing)[..., 2], axis=0)
    heights = paw_tracks(clip)[..., 2]
    return np.array([np.median(z[on]) if on.any() else z.min() for z, on in zip(heights.T, held.T, strict=True)])


def _contact_offsets(clip: Clip, held: NDArray[np.bool_], soles: Array, scene: Scene, scale: float) -> Array:
    """Return offsets (F, 4, 3), meters, that hold paws during contacts and are blended between contacts."""
    tracks, probe = paw_tracks(clip), TUNING.probe_height * scale
    result = np.zeros_like(tracks)
    for number in range(tracks.shape[1]):
        track, runs = tracks[:, number], runs_of(held[:, number])
        for start, stop in runs:
            carried = carry_to_middle_frame(scene, track, start, stop, probe)
            place = rest_position(carried, 0, len(carried))
            middle = (start + stop - 1) // 2
            ground = float(scene.heights(place + UP * probe, middle))
            if np.isfinite(ground):
                place[2] = ground + soles[number]
            places = np.tile(place, (stop - start, 1))
            if not scene.is_static:
                above = place[None] + UP * probe
                carried = [scene.move_with_ground(above, middle, frame)[0] for frame in range(start, stop)]
                places = np.stack(carried) - UP * probe
            result[start:stop, number] = places - track[start:stop]
        _blend_gaps(result[:, number], runs, max(round(TUNING.release * clip.rate), 1))
    return result


def _blend_gaps(offsets: Array, runs: NDArray[np.intp], release: int) -> None:
    """Fill in the offsets (F, 3), meters, between contacts, in place; within long gaps horizontal offsets fade to 0."""
    if not len(runs):
        return
    offsets[: runs[0][0], 2] = offsets[runs[0][0], 2]
    offsets[runs[-1][1] :, 2] = offsets[runs[-1][1] - 1, 2]
    ease = _ease(np.arange(1, release + 1) / (release + 1))[:, None]
    before, after = offsets[: runs[0][0], :2], offsets[runs[-1][1] :, :2]
    if len(before):
        before[-release:] = (offsets[runs[0][0], :2] * ease)[-len(before) :]
    if len(after):
        after[:release] = (offsets[runs[-1][1] - 1, :2] * ease[::-1])[: len(after)]
    for (_, stop), (start, _) in pairwise(runs):
        share = _ease(np.arange(1, start - stop + 1) / (start - stop + 1))[:, None]
        first, last = offsets[stop - 1], offsets[start]
        offsets[stop:start] = (1 - share) * first + share * last
        if start - stop > 2 * release:
            offsets[stop:start, :2] = 0.0
            offsets[stop : stop + release, :2] = first[:2] * ease[::-1]
            offsets[start - release : start, :2] = last[:2] * ease


def _ease(share: Array) -> Array:
    """Return shares from 0 to 1 passed through a smooth step."""
    return share * share * (3 - 2 * share)


def _place_trunk(clip: Clip, rises: Array) -> Clip:
    """Return the clip with its body raised and pitched by the ground under its paws, which rises (F, 4), meters."""
    if np.ptp(rises) < 1e-9:
        return replace(clip, root_positions=clip.root_positions + rises[:, :1] * UP)
    hips, chest = clip.skeleton.joint("hips"), chest_joint(clip.skeleton)
    ahead = np.column_stack([facing_direction(root_track(clip).yaws), np.zeros(len(clip))])
    places = np.einsum("fpk,fk->fp", paw_tracks(clip) - clip.positions[:, [hips]], ahead)
    smooth, apart = (
        scipy.ndimage.gaussian_filter1d(values, TUNING.body_smoothing * clip.rate, axis=0, mode="nearest")
        for values in (rises, places)
    )
    rear, front = smooth[:, HIND_PAWS].mean(axis=1), smooth[:, FRONT_PAWS].mean(axis=1)
    # The slope is measured between paws, which are farther apart than the joints that carry the legs.
    base = apart[:, FRONT_PAWS].mean(axis=1) - apart[:, HIND_PAWS].mean(axis=1)
    pitch = np.arctan((front - rear) / np.maximum(base, MIN_BASE_RATIO * clip.skeleton.leg_length))
    turn = from_axis_angle(np.cross(ahead, UP), pitch)
    middle = (clip.positions[:, chest] + clip.positions[:, hips]) / 2
    roots = middle + rotate(turn, clip.root_positions - middle) + ((front + rear) / 2)[:, None] * UP
    return with_world_rotations(clip, roots, multiply(turn[:, None], clip.world[1]))


def _clearance(targets: Array, held: NDArray[np.bool_], soles: Array, scene: Scene, scale: float, rate: float) -> Array:
    """Return how far (F, 4), meters, swinging paws must be raised to clear the ground."""
    raised = np.zeros(held.shape)
    for number in range(held.shape[1]):
        ground = ground_heights_at(scene, targets[:, number] + UP * TUNING.probe_height * scale)
        missing = np.where(held[:, number] | np.isnan(ground), 0.0, ground + soles[number] - targets[:, number, 2])
        window = max(round(0.05 * rate), 1)
        spread = scipy.ndimage.maximum_filter1d(np.maximum(missing, 0.0), 2 * window + 1, mode="nearest")
        smooth = scipy.ndimage.gaussian_filter1d(spread, window / 2, mode="nearest", radius=window)
        raised[:, number] = np.where(held[:, number], 0.0, smooth)
    return raised


def _step_lift(targets: Array, held: NDArray[np.bool_], scale: float) -> Array:
    """Return how far (F, 4), meters, paws are lifted that would otherwise slide from one contact to the next.

    Networks and cross-fades of gaits can move a paw without lifting it, for example when an animal stops.
    """
    raised = np.zeros(held.shape)
    for number, column in enumerate(held.T):
        runs = runs_of(column)
        for (_, start), (stop, _) in pairwise(runs):
            track = targets[start - 1 : stop + 1, number]
            way = float(np.linalg.norm((track[-1] - track[0])[:2]))
            if way < TUNING.min_step * scale:
                continue
            share = np.linspace(0.0, 1.0, len(track))
            above = track[:, 2] - (1 - share) * track[0, 2] - share * track[-1, 2]
            missing = min(TUNING.step_lift * way, TUNING.max_step_lift * scale) - float(above.max())
            raised[start:stop, number] = max(missing, 0.0) * np.sin(np.pi * share[1:-1]) ** 2
    return raised


def trunk_drop(positions: Array, targets: Array, held: NDArray[np.bool_], clip: Clip) -> Array:
    """Return the distances (F), meters, by which to lower the trunk so that all legs reach their held paws.

    Args:
        positions: (F, J, 3) joints, meters, world.
        targets: (F, 4, 3) places of the paws, meters, world.
        held: (F, 4) whether the paws are held.
        clip: the motion.
    """
    missing = np.zeros(len(positions))
    for number, chain in enumerate(leg_chains(clip.skeleton)):
        line = targets[:, number] - positions[:, chain.joints[0]]
        reach, across = TUNING.reach * chain.length(clip.skeleton), length(line[:, :2])
        depth = np.sqrt(np.maximum(reach**2 - across**2, (0.3 * reach) ** 2))
        missing = np.maximum(missing, np.where(held[:, number], -line[:, 2] - depth, 0.0))
    missing = np.minimum(missing, TUNING.max_trunk_drop * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M)
    window = max(round(0.1 * clip.rate), 1)
    spread = scipy.ndimage.maximum_filter1d(missing, 2 * window + 1, mode="nearest")
    return scipy.ndimage.gaussian_filter1d(spread, window / 2, mode="nearest", radius=window)
