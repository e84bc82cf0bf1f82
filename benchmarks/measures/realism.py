"""Single-feature gap: separation of baked from captured walks by each feature of motion alone.

A classifier of all features together always separates even two captured actors, so that it measures nothing. The gap is
the mean over features of the distance of the AUC from chance: half of the actors compared with the other half have
their own gap, the floor.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from ...core.evaluation.bending import flexion_angles, hinge_axes
from ...core.motion import Clip
from ...core.motion.paws import leg_chains
from ...core.motion.roles import PAW_CONTACTS, is_quadruped
from ...core.motion.rotations import Array, inverse, log, mean_rotation, multiply, normalize, rotation_about_up
from ...core.motion.signals import MIN_TRAVEL_SPEED_M_S, low_pass

FEATURE_RATE_HZ: Final = 30.0
"""Rate at which windows are sampled."""
FEATURE_CUTOFF_HZ: Final = 6.0
"""Cutoff of the filter that removes the noise of capture, which would identify every capture."""
WINDOW_S: Final = 1.0
"""Length of a window, about a stride."""
WINDOW_STEP_S: Final = 0.5
"""Time between the starts of windows."""
MAX_WINDOW_TURN_DEG: Final = 20.0
"""Largest turn of the travel in a window: angles are measured relative to its chord."""
EXTREME_AUC: Final = 0.1
"""AUC below which, or one minus it above which, a single feature clearly separates motion."""
AXES: Final = ("pitch", "roll", "turn")
"""Axes of a segment's angles: X, Y and Z of the skeleton at rest."""
SEGMENTS: Final = (
    *(("hips", "", "pitch roll turn"), ("chest", "", "pitch roll turn"), ("head", "", "pitch roll turn")),
    *(("thigh.L", "hips", "pitch roll turn"), ("thigh.R", "hips", "pitch roll turn")),
    *(("foot.L", "shin.L", "pitch turn"), ("foot.R", "shin.R", "pitch turn")),
    *(("upper_arm.L", "chest", "pitch roll turn"), ("upper_arm.R", "chest", "pitch roll turn")),
)
"""Roles of the measured segments, the reference of each (empty for the travel), and axes. The roll of feet, clavicles,
toes and hands is locked in many captured skeletons, which would identify bodies.

The roll of feet, clavicles, toes and hands is locked in many captured skeletons, which would tell bodies apart.
"""
QUADRUPED_SEGMENTS: Final = (
    *(("hips", "", "pitch roll turn"), ("chest", "", "pitch roll turn"), ("head", "", "pitch roll turn")),
    *(("thigh.L", "hips", "pitch roll turn"), ("thigh.R", "hips", "pitch roll turn")),
    *(("front_thigh.L", "chest", "pitch roll turn"), ("front_thigh.R", "chest", "pitch roll turn")),
)
"""The same of bodies on four legs."""
HINGES: Final = ("knee", "elbow")
"""Measured hinges of people, left and right; of animals, each joint between hip and paw."""
Segments = tuple[tuple[str, str, str], ...]
"""Roles of segments, their references, and axes."""
ROOT_CHANNELS: Final = ("root aside", "root speed", "root height")
"""Channels of the root, relative to the chord of its path in the window."""
STATISTICS: Final = ("mean", "spread", "speed", "acceleration")
"""Statistics of each channel in a window: mean, standard deviation, and those of its first and second rate."""


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """The compared features of motion, from captured clips of one rig.

    Attributes:
        references: (S, 4) mean rotation of each segment, the reference of its angles.
        segments: the segments.
        bends: names of the flexion angles.
    """

    references: Array
    segments: Segments = SEGMENTS
    bends: tuple[str, ...] = tuple(f"{hinge}.{side}" for hinge in HINGES for side in "LR")

    @staticmethod
    def of(clips: Sequence[Clip]) -> "FeatureSpace":
        """Return the space of captured clips.

        Args:
            clips: clips with the same axes of skeletons, such as all CMU ones; of animals, with the same joints.
        """
        animal = is_quadruped(clips[0].skeleton.roles)
        segments = QUADRUPED_SEGMENTS if animal else SEGMENTS
        rotations = [_segment_rotations(window, segments) for clip in clips for window in _windows(clip)]
        space = FeatureSpace(mean_rotation(np.concatenate(rotations)), segments)
        return replace(space, bends=tuple(leg_bends(clips[0]))) if animal else space

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        angles = (f"{role} {axis}" for role, _, axes in self.segments for axis in axes.split())
        channels = [*ROOT_CHANNELS, *angles, *self.bends]
        return tuple(f"{channel}, {statistic}" for statistic in STATISTICS for channel in channels)

    def features(self, clip: Clip) -> Array:
        """Return the features (W, N) of the windows of a clip; empty for a clip shorter than a window.

        Args:
            clip: the motion: a walk or run, on level ground.
        """
        rows = [self._window(window) for window in _windows(clip)]
        return np.array(rows).reshape(len(rows), len(self.names))

    def _window(self, clip: Clip) -> Array:
        """Return the features (N) of one window."""
        rotations = _segment_rotations(clip, self.segments)
        parts = _root_channels(clip), _angles(rotations, self.references, self.segments), _hinge_channels(clip)
        channels = np.concatenate(parts, axis=1)
        rate = np.diff(channels, axis=0) * FEATURE_RATE_HZ
        change = np.diff(rate, axis=0) * FEATURE_RATE_HZ
        return np.concatenate([channels.mean(axis=0), channels.std(axis=0), rate.std(axis=0), change.std(axis=0)])


@dataclass(frozen=True)
class RealismReport:
    """Distance of made motion from captured motion.

    Attributes:
        gap: mean over the features of the distance of their AUC from 0.5.
        extreme_count: number of features with an AUC beyond :data:`EXTREME_AUC`.
        feature_count: number of features.
        worst: the most distinctive features, with their AUC: above 0.5 for more of it in made motion.
    """

    gap: float
    extreme_count: int
    feature_count: int
    worst: tuple[tuple[str, float], ...]


def measure_realism(captured: Array, made: Array, names: tuple[str, ...], worst_count: int = 5) -> RealismReport:
    """Return the single-feature gap between captured and made windows.

    Args:
        captured: (W, N) features of captured windows.
        made: (V, N) features of made windows.
        names: names of the features (N).
        worst_count: number of named features.
    """
    chances = feature_aucs(captured, made)
    off = np.abs(chances - 0.5)
    worst = np.argsort(-off, kind="stable")[:worst_count]
    return RealismReport(
        float(off.mean()),
        int(np.count_nonzero(off > 0.5 - EXTREME_AUC)),
        len(chances),
        tuple((names[index], float(chances[index])) for index in worst),
    )


def feature_aucs(first: Array, second: Array) -> Array:
    """Return for each feature (N) the probability of a larger value in a window of the second set than of the first.

    Area under the curve of the receiver operating characteristic, by ranks (Mann and Whitney 1947).

    Args:
        first: (W, N) features.
        second: (V, N) features.
    """
    ranks = scipy.stats.rankdata(np.concatenate([first, second]), axis=0)[len(first) :]
    return (ranks.sum(axis=0) - len(second) * (len(second) + 1) / 2) / (len(first) * len(second))


def actor_floor(features: Array, actors: Sequence[str], splits: int = 50, seed: int = 0) -> float:
    """Return the gap between half of the actors and the other half, mean over random splits.

    Args:
        features: (W, N) features of captured windows.
        actors: the actor of each window (W).
        splits: number of splits.
        seed: seed of the splits.
    """
    of, random = np.array(actors), np.random.default_rng(seed)
    everyone = np.unique(of)
    gaps = []
    for _ in range(splits):
        half = np.isin(of, random.permutation(everyone)[: len(everyone) // 2])
        gaps.append(_gap(features[~half], features[half]))
    return float(np.mean(gaps))


def one_actor_gap(features: Array, actors: Sequence[str], min_windows: int = 10) -> float:
    """Return the gap between one actor and all others, mean over the actors with enough windows.

    Args:
        features: (W, N) features of captured windows.
        actors: the actor of each window (W).
        min_windows: smallest number of windows of an actor.
    """
    of = np.array(actors)
    single = [actor for actor in np.unique(of) if np.count_nonzero(of == actor) >= min_windows]
    return float(np.mean([_gap(features[of != actor], features[of == actor]) for actor in single]))


def _gap(first: Array, second: Array) -> float:
    """Return the mean over features of the distance of the AUC from 0.5."""
    return float(np.abs(feature_aucs(first, second) - 0.5).mean())


def _windows(clip: Clip) -> list[Clip]:
    """Return the windows of a clip with nearly straight travel; empty for a short clip."""
    sampled = clip.resampled(FEATURE_RATE_HZ)
    size, step = round(WINDOW_S * FEATURE_RATE_HZ), round(WINDOW_STEP_S * FEATURE_RATE_HZ)
    windows = [sampled.cut(start, start + size + 1) for start in range(0, len(sampled) - size, step)]
    return [window for window in windows if _is_straight(window)]


def _is_straight(window: Clip) -> bool:
    """Return whether the root travels, and turns by less than :data:`MAX_WINDOW_TURN_DEG` between the halves."""
    hips = window.positions[:, window.skeleton.joint("hips"), :2]
    halves = np.diff(hips[[0, len(hips) // 2, -1]], axis=0)
    lengths = np.linalg.norm(halves, axis=-1)
    cosine = float(halves[0] @ halves[1]) / max(float(lengths.prod()), 1e-9)
    return bool(lengths.min() > MIN_TRAVEL_SPEED_M_S * WINDOW_S / 2) and cosine > np.cos(
        np.radians(MAX_WINDOW_TURN_DEG)
    )


def _segment_rotations(clip: Clip, segments: Segments) -> Array:
    """Return the rotations (F, S, 4) of the segments, relative to their references or to the line of travel."""
    roles, world = clip.skeleton.roles, clip.world[1]
    hips = clip.positions[:, clip.skeleton.joint("hips"), :2]
    travel = hips[-1] - hips[0]
    ahead = rotation_about_up(-np.arctan2(-travel[0], travel[1]))
    columns = []
    for role, of, _ in segments:
        own = world[:, clip.skeleton.joint(role)]
        base = inverse(world[:, roles[of]]) if of else np.broadcast_to(ahead, own.shape)
        columns.append(multiply(base, own))
    return np.stack(columns, axis=1)


def _angles(rotations: Array, references: Array, segments: Segments) -> Array:
    """Return the measured angles (F, A), radians, of rotations (F, S, 4) from the references (S, 4), without noise."""
    angles = log(multiply(np.broadcast_to(inverse(references), rotations.shape), rotations))
    columns = [
        angles[:, number, AXES.index(axis)] for number, (_, _, axes) in enumerate(segments) for axis in axes.split()
    ]
    return low_pass(np.stack(columns, axis=-1), FEATURE_RATE_HZ, FEATURE_CUTOFF_HZ)


def _hinge_channels(clip: Clip) -> Array:
    """Return the flexion (F, N), radians, of knees and elbows, or of all joints of animals' legs, without noise."""
    if is_quadruped(clip.skeleton.roles):
        return low_pass(np.stack([*leg_bends(clip).values()], axis=-1), FEATURE_RATE_HZ, FEATURE_CUTOFF_HZ)
    bends = flexion_angles(clip, hinge_axes(clip))
    columns = np.concatenate([bends[hinge] for hinge in HINGES], axis=1)
    return np.radians(low_pass(columns, FEATURE_RATE_HZ, FEATURE_CUTOFF_HZ))


def leg_bends(clip: Clip) -> dict[str, Array]:
    """Return the angles (F), radians, between the bones above and below each joint of a quadruped's legs, by name."""
    positions, rotations = clip.world
    bends: dict[str, Array] = {}
    for contact, chain in zip(PAW_CONTACTS, leg_chains(clip.skeleton), strict=True):
        points = [positions[:, joint] for joint in chain.joints] + [chain.paw_positions(positions, rotations)]
        bones = normalize(np.diff(np.stack(points, axis=1), axis=1))
        for number in range(1, bones.shape[1]):
            cosine = np.sum(bones[:, number - 1] * bones[:, number], axis=-1)
            bends[f"{contact} joint {number}"] = np.arccos(np.clip(cosine, -1.0, 1.0))
    return bends


def _root_channels(clip: Clip) -> Array:
    """Return the root (F, 3) relative to the chord of its path: aside, meters; speed, m/s; height, meters."""
    hips = low_pass(clip.positions[:, clip.skeleton.joint("hips")], FEATURE_RATE_HZ, FEATURE_CUTOFF_HZ)
    travel = hips[-1, :2] - hips[0, :2]
    line = travel / max(float(np.linalg.norm(travel)), 1e-9)
    aside = (hips[:, :2] - hips[0, :2]) @ np.array([line[1], -line[0]])
    speed = np.gradient(hips[:, :2] @ line, 1 / FEATURE_RATE_HZ)
    return np.stack([aside, speed, hips[:, 2]], axis=-1)
