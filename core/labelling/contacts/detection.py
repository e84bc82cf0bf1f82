"""Contacts by height and speed (PFNN section 4.1, after Lee et al. 2002; sensors as in Starke et al. 2020, A.3).

How fast a sensor moves and how far it is from what it may touch make one measure, ``e = sqrt((v/v0)^2 + (h/h0)^2)``,
and that a probability, ``p = 1 / (1 + e^q)``: even odds on the ellipse ``e = 1``, certainty at rest on the ground.
Hysteresis makes it a state, minimum durations clean it, and a broken line fitted to the way places its edges.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import FootfallError
from ...motion import Clip
from ...motion.proportions import body_scale
from ...motion.rotations import Array
from ...motion.signals import drop_short, hysteresis, noise_level, resting_speed, speed_noise, window_for
from ..labels import MOST_SURE
from ..presets import LabellingPreset
from ..sensors import GROUND, JOINT, Sensor, find_joint
from .contact_edges import TIGHT_HEIGHT, TIGHT_SPEED, with_exact_edges
from .contact_objects import Target
from .ground import ground_under, heel_rise
from .sensor_tracks import tracks_of

Mask = NDArray[np.bool_]

BEGIN: Final = 0.6
END: Final = 0.4
# What is a contact is above 0.5 also when rounded in a file.
LEAST_CONTACT: Final = 0.51
# Deviations of noise by which thresholds give way.
STRAY: Final = 1.0
TIPTOE: Final = 0.055  # metres of an adult
STILL_SPEED: Final = 0.35  # m/s of an adult


@dataclass(frozen=True, eq=False)
class Evidence:
    """What tells of contacts, in an adult's units: ``speed`` (F, C) in m/s and ``height`` (F, C) in metres."""

    speed: Array
    height: Array


@dataclass(frozen=True, eq=False)
class Contacts:
    """The contacts of a clip.

    Attributes:
        names: the sensors' names (C).
        state: (F, C) whether each touches.
        probability: (F, C) by the evidence of each frame alone, before hysteresis and durations.
        ground: (F, C) the level at which each sensor rests, metres; of sensors not against the ground their own height.
        evidence: what told.
    """

    names: tuple[str, ...]
    state: Mask
    probability: Array
    ground: Array
    evidence: Evidence

    @property
    def graded(self) -> Array:
        """(F, C): the probability, above 0.5 where there is a contact and not above it where there is none."""
        inside, outside = np.maximum(self.probability, LEAST_CONTACT), np.minimum(self.probability, 0.5)
        return np.where(self.state, inside, outside)

    @property
    def confidence(self) -> Array:
        """(F, C): how sure the state is, on or off; never 1, which is the user's word."""
        return np.minimum(np.where(self.state, self.probability, 1 - self.probability), MOST_SURE)


def find_contacts(
    clip: Clip, preset: LabellingPreset, targets: Mapping[str, Target], swimming: float = 0.0
) -> Contacts:
    """The contacts of a preset's sensors.

    Args:
        clip: the motion.
        preset: whose contacts.
        targets: the objects that can be touched, by name.
        swimming: m/s that tell nothing, where the feet of keyframed motion slide about while they are down.

    Raises:
        FootfallError: where a sensor's joint or object is not there.
    """
    tracks = tracks_of(clip, preset)
    noise = noise_level(tracks)
    told, ground = _measured(clip, preset, targets, tracks, noise)
    told = Evidence(np.sqrt(np.maximum(told.speed**2 - swimming**2, 0.0)), told.height)
    probability = probabilities(told, preset)
    state = _states(probability, preset, clip.rate)
    if not swimming:
        state = _with_exact_edges(state, told, preset, clip.rate, noise, body_scale(clip))
    for foot in map(preset.columns, preset.feet):
        for column in foot[1:]:
            # A skeleton without toes has its foot in their place; what is one joint has one contact.
            if np.array_equal(tracks[:, column], tracks[:, foot[0]]):
                state[:, column], probability[:, column] = state[:, foot[0]], probability[:, foot[0]]
    return Contacts(preset.sensor_names, state, probability, ground, told)


def evidence(clip: Clip, preset: LabellingPreset, targets: Mapping[str, Target]) -> Evidence:
    """What tells of a preset's contacts, whatever its thresholds; raises as :func:`find_contacts`."""
    tracks = tracks_of(clip, preset)
    return _measured(clip, preset, targets, tracks, noise_level(tracks))[0]


def probabilities(told: Evidence, preset: LabellingPreset) -> Array:
    """Contact probabilities (F, C) of the evidence under a preset's thresholds."""
    columns = []
    for column, sensor in enumerate(preset.sensors):
        speed, height = told.speed[:, column] / sensor.speed, told.height[:, column] / sensor.height
        columns.append(1 / (1 + np.hypot(speed, np.maximum(height, 0.0)) ** sensor.sharpness))
    return np.stack(columns, axis=1)


def _states(probability: Array, preset: LabellingPreset, rate: float) -> Mask:
    state = hysteresis(probability > BEGIN, probability < END)
    for column, sensor in enumerate(preset.sensors):
        state[:, column : column + 1] = drop_short(state[:, column : column + 1], max(round(sensor.shortest * rate), 2))
    return state


def _with_exact_edges(
    state: Mask, told: Evidence, preset: LabellingPreset, rate: float, noise: float, scale: float
) -> Mask:
    """The state (F, C) with each edge moved to where the track comes to rest or leaves."""
    result = state.copy()
    window = window_for(noise, rate)
    for column, sensor in enumerate(preset.sensors):
        if not np.isfinite(sensor.speed):
            continue
        speed = np.hypot(TIGHT_SPEED * sensor.speed, STRAY * speed_noise(noise, window, rate) / np.sqrt(scale))
        height = np.hypot(TIGHT_HEIGHT * sensor.height, STRAY * noise / np.sqrt(window) / scale)
        above = np.maximum(told.height[:, column], 0.0)
        tight = np.hypot(told.speed[:, column] / speed, above / height)
        wide = np.hypot(told.speed[:, column] / sensor.speed, above / sensor.height)
        foot = preset.foot_of(sensor.name)
        impact = _is_first(state, foot, column) & (sensor.at == "heel" or len(foot) == 1)
        result[:, column] = with_exact_edges(state[:, column], wide, tight, impact, window, rate)
    return result


def _is_first(state: Mask, foot: list[int], column: int) -> Mask:
    """Whether no other sensor of the same foot was down two frames before (F)."""
    others = np.asarray(state[:, [other for other in foot if other != column]].any(axis=1))
    return np.concatenate([np.ones(min(2, len(state)), dtype=bool), ~others[:-2]])


def _measured(
    clip: Clip, preset: LabellingPreset, targets: Mapping[str, Target], tracks: Array, noise: float
) -> tuple[Evidence, Array]:
    scale = body_scale(clip)
    tempo = np.sqrt(scale)  # by Froude's law speeds go with the root of lengths
    speed = resting_speed(tracks, clip.rate, noise) / tempo
    ground = _ground(clip, preset, tracks, speed < STILL_SPEED, scale)
    height = (_steady(tracks[..., 2], clip.rate, noise) - ground) / scale
    for column, sensor in enumerate(preset.sensors):
        if sensor.against == GROUND:
            continue
        relative, distance = _relative(clip, sensor, targets, tracks[:, column])
        speed[:, column] = resting_speed(relative[:, None], clip.rate, noise)[:, 0] / tempo
        height[:, column] = distance / scale
        ground[:, column] = tracks[:, column, 2]
    return Evidence(speed, height), ground


def _steady(heights: Array, rate: float, noise: float) -> Array:
    """Heights (F, C) averaged over as many frames as their noise asks for."""
    window = window_for(noise, rate)
    return (
        scipy.ndimage.uniform_filter1d(heights, window, axis=0, mode="nearest")
        if window > window_for(0.0, rate)
        else heights
    )


def _ground(clip: Clip, preset: LabellingPreset, tracks: Array, still: Mask, scale: float) -> Array:
    """The level (F, C) at which each sensor rests: the feet's from where they rest, the others' the lowest foot's.

    A heel that rests much higher over its toe than on a flat foot is on tiptoe, and rests on nothing.
    """
    feet = [preset.columns(foot) for foot in preset.feet]
    lowest, first = ([columns[index] for columns in feet] for index in (-1, 0))  # toes and heels
    hips = clip.positions[:, 0]
    under = ground_under(tracks[:, lowest, 2], still[:, lowest], hips, clip.rate, scale)
    ground = np.repeat(under.min(axis=1, keepdims=True), tracks.shape[1], axis=1)
    ground[:, lowest] = under
    if first == lowest:
        return ground
    heels = ground_under(tracks[:, first, 2], still[:, first], hips, clip.rate, scale)
    for foot, (heel, toe) in enumerate(zip(first, lowest, strict=True)):
        flat = heel_rise(tracks[:, heel, 2], tracks[:, toe, 2], still[:, heel] & still[:, toe])
        own, over_toe = heels[:, foot], under[:, foot] + flat
        ground[:, heel] = np.where(own - over_toe > TIPTOE * scale, over_toe, own)
    return ground


def _relative(clip: Clip, sensor: Sensor, targets: Mapping[str, Target], track: Array) -> tuple[Array, Array]:
    """The sensor as seen from what it may touch (F, 3), and its distance from it (F), metres."""
    kind, _, name = sensor.against.partition(":")
    if f"{kind}:" == JOINT:
        relative = track - clip.positions[:, find_joint(clip, name, sensor.name)]
        return relative, np.linalg.norm(relative, axis=-1)
    if name not in targets:
        raise FootfallError(f"The sensor '{sensor.name}' touches the object '{name}', which was not given: choose one.")
    return targets[name].local(track), targets[name].distance(track)
