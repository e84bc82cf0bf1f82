"""Control series: a locomotion network's input about its trajectory, as one vector (Starke et al. 2020, section 4).

It has the control variables X^V of that paper without interaction vectors: positions, directions, velocities and
actions at the twelve samples of PFNN. Lengths are scaled to an adult, so that one generator serves bodies of every
size.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..labelling import Labels
from ..motion import Clip
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.root_frame import extrapolate_track, facing_direction, into_frame, root_track
from ..motion.rotations import Array
from .layout import Group, Layout
from .locomotion import (
    EXTRAPOLATION_WINDOW_FRAMES,
    FEATURE_RATE_HZ,
    ROOT_SMOOTHING_S,
    SAMPLE_OFFSETS_FRAMES,
    SAMPLE_STEP_FRAMES,
    TRACK_PADDING_FRAMES,
    gait_inputs,
    network_gaits,
)

SAMPLE_COUNT: Final = len(SAMPLE_OFFSETS_FRAMES)
SAMPLE_STEP_S: Final = SAMPLE_STEP_FRAMES / FEATURE_RATE_HZ
"""Time from one trajectory sample to the next."""


@dataclass(frozen=True, slots=True, eq=False)
class ControlSeries:
    """The S = 12 trajectory samples of B characters, each in its own root's frame.

    Attributes:
        positions: (B, S, 2) positions, meters, not scaled to an adult.
        directions: (B, S, 2) directions of unit length.
        actions: (B, S, A) weights.
    """

    positions: Array
    directions: Array
    actions: Array


def control_layout(actions: tuple[str, ...]) -> Layout:
    """Return the layout of the vectors into which :func:`pack_series` packs control series.

    Args:
        actions: names of the actions (A).
    """
    return Layout(
        (
            Group("trajectory.position", (SAMPLE_COUNT, 2), "m", "root"),
            Group("trajectory.direction", (SAMPLE_COUNT, 2), "1", "root"),
            Group("trajectory.velocity", (SAMPLE_COUNT, 2), "m/s", "root"),
            Group("action", (SAMPLE_COUNT, len(actions)), "1", "none"),
        )
    )


def pack_series(series: ControlSeries, actions: tuple[str, ...], leg_length: float) -> NDArray[np.float32]:
    """Pack control series into vectors (B, n) scaled to an adult; velocities are differences of neighboring positions.

    Args:
        series: the samples.
        actions: names of the actions (A).
        leg_length: leg length of the character, meters.
    """
    layout = control_layout(actions)
    x = np.zeros((len(series.positions), layout.size), dtype=np.float32)
    positions = series.positions * (ADULT_LEG_LENGTH_M / leg_length)
    layout.view(x, "trajectory.position")[:] = positions
    layout.view(x, "trajectory.direction")[:] = series.directions
    layout.view(x, "trajectory.velocity")[:] = np.gradient(positions, SAMPLE_STEP_S, axis=1)
    layout.view(x, "action")[:] = series.actions
    return x


def unpack_series(x: Array, actions: tuple[str, ...], leg_length: float) -> ControlSeries:
    """Unpack vectors (B, n) into control series in the character's own meters; directions may not have unit length.

    Args:
        x: (B, n) vectors from :func:`pack_series`.
        actions: names of the actions (A).
        leg_length: leg length of the character, meters.
    """
    layout = control_layout(actions)
    positions = layout.view(x, "trajectory.position") * (leg_length / ADULT_LEG_LENGTH_M)
    return ControlSeries(positions, layout.view(x, "trajectory.direction"), layout.view(x, "action"))


def mirror_series(x: Array, actions: tuple[str, ...]) -> Array:
    """Return packed control series (B, n) of the mirrored motion, with left and right exchanged.

    Args:
        x: the vectors.
        actions: names of the actions (A).
    """
    layout, mirrored = control_layout(actions), x.copy()
    for name in ("trajectory.position", "trajectory.direction", "trajectory.velocity"):
        layout.view(mirrored, name)[..., 0] *= -1
    return mirrored


def clip_control_series(clip: Clip, labels: Labels) -> tuple[ControlSeries, tuple[str, ...]]:
    """Return the control series of all frames of a clip at 60 Hz, and the names of the actions in them.

    Raises:
        ValueError: the clip is not at 60 Hz.
    """
    if clip.rate != FEATURE_RATE_HZ:
        raise ValueError(f"features are of clips at {FEATURE_RATE_HZ:g} Hz, not {clip.rate:g}: resample the clip first")
    track, pad = root_track(clip, ROOT_SMOOTHING_S), TRACK_PADDING_FRAMES
    wide = extrapolate_track(track, pad, pad, EXTRAPOLATION_WINDOW_FRAMES)
    frames = np.arange(len(clip))
    at = frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)
    positions = into_frame(wide.positions[at + pad] - track.positions[:, None], track.yaws[:, None])
    directions = facing_direction(wide.yaws[at + pad] - track.yaws[:, None])
    speeds = np.linalg.norm(np.gradient(track.positions, axis=0), axis=-1) * clip.rate
    actions = gait_inputs(clip, labels, speeds)[np.clip(at, 0, len(clip) - 1)]
    return ControlSeries(positions, directions, actions), network_gaits(labels.gait_names)
