"""Contact detection by height and speed (PFNN section 4.1, after Lee et al. 2002; sensors as in LMP A.3).

A sensor's speed ``v`` and its distance ``h`` from the surface are combined to ``e = sqrt((v/v0)^2 + (h/h0)^2)``, which
gives the contact probability ``p = 1 / (1 + e^q)``: 0.5 on the ellipse ``e = 1``, 1 at rest on the ground. Hysteresis
turns it into contacts, too short ones are removed, and tight thresholds place their edges.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...errors import FootfallError
from ...motion import Clip
from ...motion.heel import STILL_SPEED_M_S
from ...motion.proportions import body_scale
from ...motion.rotations import Array
from ...motion.signals import (
    Mask,
    drop_short_runs,
    hysteresis,
    noise_level,
    one_sided_speed,
    runs_of,
    speed_noise,
    speed_window_frames,
)
from ..labels import MAX_DETECTED_CONFIDENCE
from ..presets import LabellingPreset
from ..sensors import AGAINST_GROUND, JOINT_PREFIX, Sensor, find_joint
from .contact_edges import TIGHT_HEIGHT_RATIO, TIGHT_SPEED_RATIO, refine_contact_edges
from .contact_objects import ContactObject
from .ground import find_ground_heights, heel_rise
from .sensor_tracks import sensor_tracks

ONSET_PROBABILITY: Final = 0.6
"""Probability above which a contact begins."""
RELEASE_PROBABILITY: Final = 0.4
"""Probability below which a contact ends."""
MIN_CONTACT_PROBABILITY: Final = 0.51
"""Smallest probability in a contact, above the contact threshold even after rounding in a file."""
NOISE_MARGIN_SIGMAS: Final = 1.0
"""Widening of the thresholds, in standard deviations of the noise."""
SHORTEST_GAP_S: Final = 0.06
"""Shortest gap between contacts of the two feet that is checked for a false flight; a walk has shorter ones."""
FALLING_M_S2: Final = -4.0
"""Acceleration of hips below which a body falls: it is -9.8 in a flight, and above 0 between the steps of a walk."""
MIN_TIPTOE_HEIGHT_M: Final = 0.055
"""Least rise of an adult's heel over its height on a flat foot for a foot on tiptoe."""


@dataclass(frozen=True, eq=False)
class ContactEvidence:
    """Speed and height of each sensor relative to the surface, scaled to an adult.

    Attributes:
        speed: (F, C) relative to the surface, m/s.
        height: (F, C) distance from the surface, meters.
    """

    speed: Array
    height: Array


@dataclass(frozen=True, eq=False)
class Contacts:
    """The contacts of a clip.

    Attributes:
        sensor_names: (C) names of the sensors.
        state: (F, C) whether each sensor is in contact.
        probability: (F, C) contact probability from single frames, before hysteresis and shortest durations.
        ground_heights: (F, C) height at which each sensor rests, meters; for sensors not against the ground, their own
            height.
    """

    sensor_names: tuple[str, ...]
    state: Mask
    probability: Array
    ground_heights: Array
    evidence: ContactEvidence

    @property
    def consistent_probability(self) -> Array:
        """Contact probability (F, C), clamped to be above the contact threshold exactly where ``state`` is true."""
        inside, outside = np.maximum(self.probability, MIN_CONTACT_PROBABILITY), np.minimum(self.probability, 0.5)
        return np.where(self.state, inside, outside)

    @property
    def confidence(self) -> Array:
        """Probability (F, C) that ``state`` is right; below 1, which is reserved for the user's corrections."""
        return np.minimum(np.where(self.state, self.probability, 1 - self.probability), MAX_DETECTED_CONFIDENCE)


def find_contacts(
    clip: Clip, preset: LabellingPreset, objects: Mapping[str, ContactObject], skate_speed: float = 0.0
) -> Contacts:
    """Detect the contacts of a preset's sensors in a clip.

    Args:
        clip: the motion.
        preset: the sensors.
        objects: the objects that can be touched, by name.
        skate_speed: sliding speed that does not count against a contact, m/s, since keyframed feet slide.

    Raises:
        FootfallError: a sensor's joint or object is missing.
    """
    tracks = sensor_tracks(clip, preset)
    noise = noise_level(tracks)
    evidence, ground = _measure_evidence(clip, preset, objects, tracks, noise)
    evidence = ContactEvidence(np.sqrt(np.maximum(evidence.speed**2 - skate_speed**2, 0.0)), evidence.height)
    probability = contact_probabilities(evidence, preset)
    state = _contact_states(probability, preset, clip.rate)
    if not skate_speed:
        scale = body_scale(clip)
        refined = _refine_edges(state, evidence, preset, clip.rate, noise, scale)
        state = _without_false_flights(refined, state, preset, clip.positions[:, 0, 2] / scale, clip.rate)
    for foot in map(preset.foot_columns, preset.feet):
        for column in foot[1:]:
            # Without toes the foot's joint replaces them: both sensors share one contact.
            if np.array_equal(tracks[:, column], tracks[:, foot[0]]):
                state[:, column], probability[:, column] = state[:, foot[0]], probability[:, foot[0]]
    return Contacts(preset.sensor_names, state, probability, ground, evidence)


def contact_probabilities(evidence: ContactEvidence, preset: LabellingPreset) -> Array:
    """Return the probabilities (F, C) of contact, given the sensors' speed and height and a preset's thresholds."""
    columns = []
    for column, sensor in enumerate(preset.sensors):
        speed, height = evidence.speed[:, column] / sensor.speed, evidence.height[:, column] / sensor.height
        columns.append(1 / (1 + np.hypot(speed, np.maximum(height, 0.0)) ** sensor.sharpness))
    return np.stack(columns, axis=1)


def _contact_states(probability: Array, preset: LabellingPreset, rate: float) -> Mask:
    """Return the contacts (F, C) found by hysteresis, without runs shorter than each sensor's shortest duration."""
    state = hysteresis(probability > ONSET_PROBABILITY, probability < RELEASE_PROBABILITY)
    for column, sensor in enumerate(preset.sensors):
        state[:, column : column + 1] = drop_short_runs(
            state[:, column : column + 1], max(round(sensor.shortest * rate), 2)
        )
    return state


def _refine_edges(
    state: Mask, evidence: ContactEvidence, preset: LabellingPreset, rate: float, noise: float, scale: float
) -> Mask:
    """Return the contacts (F, C) with each edge moved to the frame at which the sensor stops or starts moving."""
    result = state.copy()
    window = speed_window_frames(noise, rate)
    for column, sensor in enumerate(preset.sensors):
        if not np.isfinite(sensor.speed):
            continue
        speed = np.hypot(
            TIGHT_SPEED_RATIO * sensor.speed, NOISE_MARGIN_SIGMAS * speed_noise(noise, window, rate) / np.sqrt(scale)
        )
        height = np.hypot(TIGHT_HEIGHT_RATIO * sensor.height, NOISE_MARGIN_SIGMAS * noise / np.sqrt(window) / scale)
        above = np.maximum(evidence.height[:, column], 0.0)
        tight = np.hypot(evidence.speed[:, column] / speed, above / height)
        wide = np.hypot(evidence.speed[:, column] / sensor.speed, above / sensor.height)
        foot = preset.same_foot_columns(sensor.name)
        impact = _lands_first(state, foot, column) & (sensor.at == "heel" or len(foot) == 1)
        result[:, column] = refine_contact_edges(state[:, column], wide, tight, impact, window, rate)
    return result


def _without_false_flights(refined: Mask, state: Mask, preset: LabellingPreset, hips: Array, rate: float) -> Mask:
    """Return the refined contacts (F, C), but with the wide edges around gaps between steps that are not flights.

    Feet that creep while standing, as after a poor conversion, are too fast for the tight thresholds. In a flight the
    hips fall, and in some frames both feet are up by any threshold.

    Args:
        refined: (F, C) contacts with tight edges.
        state: (F, C) contacts with wide edges.
        preset: the sensors.
        hips: (F) heights of the hips, meters of an adult.
        rate: frames per second.
    """
    columns = [column for foot in preset.feet for column in preset.foot_columns(foot)]
    result = refined.copy()
    no_contact: Mask = ~np.any(refined[:, columns], axis=1)
    for start, stop in runs_of(no_contact):
        if stop - start < SHORTEST_GAP_S * rate or _acceleration(hips, start, stop, rate) <= FALLING_M_S2:
            continue
        if state[start:stop, columns].any(axis=1).all():
            result[start:stop, columns] = state[start:stop, columns]
    return result


def _acceleration(heights: Array, start: int, stop: int, rate: float) -> float:
    """Return the mean acceleration, m/s^2, of heights (F) over a range of frames and two more on either side."""
    part = heights[max(start - 2, 0) : stop + 2]
    return 2.0 * rate**2 * float(np.polyfit(np.arange(len(part)), part, 2)[0]) if len(part) > 2 else 0.0


def _lands_first(state: Mask, foot_columns: list[int], column: int) -> Mask:
    """Return whether (F) no other sensor of the same foot has been in contact two frames earlier."""
    others = np.asarray(state[:, [other for other in foot_columns if other != column]].any(axis=1))
    return np.concatenate([np.ones(min(2, len(state)), dtype=bool), ~others[:-2]])


def _measure_evidence(
    clip: Clip, preset: LabellingPreset, objects: Mapping[str, ContactObject], tracks: Array, noise: float
) -> tuple[ContactEvidence, Array]:
    """Return the evidence of contacts, and the heights (F, C) at which the sensors rest, meters."""
    scale = body_scale(clip)
    speed_scale = np.sqrt(scale)  # By Froude's law, speeds scale with the square root of lengths.
    speed = one_sided_speed(tracks, clip.rate, noise) / speed_scale
    ground = _ground_heights(clip, preset, tracks, speed < STILL_SPEED_M_S, scale)
    height = (_smooth_heights(tracks[..., 2], clip.rate, noise) - ground) / scale
    for column, sensor in enumerate(preset.sensors):
        if sensor.against == AGAINST_GROUND:
            continue
        relative, distance = _relative_to_object(clip, sensor, objects, tracks[:, column])
        speed[:, column] = one_sided_speed(relative[:, None], clip.rate, noise)[:, 0] / speed_scale
        height[:, column] = distance / scale
        ground[:, column] = tracks[:, column, 2]
    return ContactEvidence(speed, height), ground


def _smooth_heights(heights: Array, rate: float, noise: float) -> Array:
    """Return heights (F, C) averaged over a window whose length depends on their noise."""
    window = speed_window_frames(noise, rate)
    return (
        scipy.ndimage.uniform_filter1d(heights, window, axis=0, mode="nearest")
        if window > speed_window_frames(0.0, rate)
        else heights
    )


def _ground_heights(clip: Clip, preset: LabellingPreset, tracks: Array, still: Mask, scale: float) -> Array:
    """Return each sensor's resting height (F, C), meters: a foot's own when it rests, otherwise the lowest foot's.

    If a heel rests much higher over its toe than on a flat foot, the foot is on tiptoe: no ground is below the heel.
    """
    feet = [preset.foot_columns(foot) for foot in preset.feet]
    lowest, first = ([columns[index] for columns in feet] for index in (-1, 0))  # Toes and heels.
    hips = clip.positions[:, 0]
    under = find_ground_heights(tracks[:, lowest, 2], still[:, lowest], hips, clip.rate, scale)
    ground = np.repeat(under.min(axis=1, keepdims=True), tracks.shape[1], axis=1)
    ground[:, lowest] = under
    if first == lowest:
        return ground
    heels = find_ground_heights(tracks[:, first, 2], still[:, first], hips, clip.rate, scale)
    for foot, (heel, toe) in enumerate(zip(first, lowest, strict=True)):
        flat = heel_rise(tracks[:, heel, 2], tracks[:, toe, 2], still[:, heel] & still[:, toe])
        own, over_toe = heels[:, foot], under[:, foot] + flat
        ground[:, heel] = np.where(own - over_toe > MIN_TIPTOE_HEIGHT_M * scale, over_toe, own)
    return ground


def _relative_to_object(
    clip: Clip, sensor: Sensor, objects: Mapping[str, ContactObject], track: Array
) -> tuple[Array, Array]:
    """Return the sensor's track (F, 3) relative to its object, and its distance (F), meters."""
    kind, _, name = sensor.against.partition(":")
    if f"{kind}:" == JOINT_PREFIX:
        relative = track - clip.positions[:, find_joint(clip, name, sensor.name)]
        return relative, np.linalg.norm(relative, axis=-1)
    if name not in objects:
        raise FootfallError(
            "The contact point '{name}' touches the object '{object}', which is missing: choose another object",
            name=sensor.name,
            object=name,
        )
    return objects[name].to_local(track), objects[name].distance(track)
