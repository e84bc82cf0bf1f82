"""The labeler: all detectors applied to a clip, in order."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..message import Message
from ..motion import Clip
from ..motion import roles as role_names
from ..motion.rotations import Array
from ..motion.signals import velocities
from .clean_up.foot_completion import add_missing_feet
from .clean_up.gap_filling import fill_gaps
from .clean_up.treadmill import find_belt_velocity
from .contacts.contact_objects import ContactObject
from .contacts.detection import find_contacts
from .contacts.sensor_tracks import sensor_track
from .labels import Labels
from .phase.acyclic_phase import acyclic_phase, blow_transitions, find_labeled_blows, find_transitions
from .phase.local_phases import find_local_phases
from .phase.phase import find_phase, find_strikes
from .phase.quadruped import quadruped_phase
from .presets import BIPED_PRESET, LabellingPreset
from .semantics import actions, gaits
from .semantics.blows import LimbMotion
from .semantics.goals import find_goals

SKATE_TO_BELT_SPEED_RATIO: Final = 0.5
"""Expected sliding speed of standing feet in treadmill clips, relative to the belt; most such clips are keyframed."""


def label_clip(
    clip: Clip, preset: LabellingPreset = BIPED_PRESET, objects: Mapping[str, ContactObject] | None = None
) -> Labels:
    """Find the labels that a preset describes: contacts, phase, gaits, actions and goals.

    Args:
        clip: the motion; a walk on the spot counts as a walk on a treadmill.
        preset: the sensors and the actions to find.
        objects: the objects that the preset's sensors can touch, by name.

    Raises:
        FootfallError: the clip has fewer than two frames, more than half of its frames are not finite, or its skeleton
            lacks joints that the preset needs.
    """
    ready = prepare_clip(clip, preset)
    clip, broken = ready.clip, ready.filled_frames
    contacts = find_contacts(clip, preset, objects or {}, ready.skate_speed)
    feet = {foot: preset.foot_columns(foot) for foot in preset.feet}
    down = {foot: np.asarray(contacts.state[:, columns].any(axis=1)) for foot, columns in feet.items()}
    ground = np.stack([contacts.ground_heights[:, feet[foot][-1]] for foot in "LR"], axis=1)
    both = np.stack([down["L"], down["R"]], axis=1)
    four = "FL" in preset.feet
    gait = gaits.find_gaits(clip, both, ground, quadruped=four)
    strikes = {foot: find_strikes(state, clip.rate) for foot, state in down.items()}
    standing = gait[:, gaits.GAIT_NAMES.index("stand")] > 0.5
    if four:
        phase = quadruped_phase(strikes, standing, clip.rate)
    else:
        phase = find_phase(strikes["L"], strikes["R"], standing, clip.rate)
    action = actions.find_actions(
        clip, gait, contacts.consistent_probability, preset.sensor_names, ground, preset.actions
    )
    above = clip.positions[:, 0, 2] - ground.mean(axis=1)
    transitions = find_transitions(actions.ACTION_NAMES, action, above, hand_speed(clip), clip.rate)
    limbs = LimbMotion.of(clip, float(np.median(ground)))
    blows = find_labeled_blows(actions.ACTION_NAMES, action, limbs)
    return Labels(
        clip.rate,
        preset.sensor_names,
        contacts.consistent_probability,
        phase,
        gaits.GAIT_NAMES,
        gait,
        strikes["L"],
        strikes["R"],
        float(np.median(ground)),
        confidence=np.where(broken[:, None], 0.0, contacts.confidence),
        actions=action,
        action_phase=acyclic_phase([*transitions, *blow_transitions(blows)], len(clip)),
        goals=find_goals(clip, action, actions.ACTION_NAMES),
    )


def label_contacts(clip: Clip, preset: LabellingPreset = BIPED_PRESET) -> Array:
    """Return the contact probabilities (F, C) of a preset's sensors, as :func:`label_clip` finds them.

    Raises:
        FootfallError: see :func:`label_clip`.
    """
    ready = prepare_clip(clip, preset)
    return find_contacts(ready.clip, preset, {}, ready.skate_speed).consistent_probability


def add_local_phases(clip: Clip, labels: Labels, preset: LabellingPreset) -> Labels:
    """Return a clip's labels with local phases added for those sensors that the preset lists in ``local_phases``.

    Raises:
        FootfallError: see :func:`label_clip`.
    """
    names = preset.local_phases
    if not names:
        return labels
    clip = prepare_clip(clip, preset).clip
    sensors = [preset.sensors[preset.sensor_names.index(name)] for name in names]
    tracks = np.stack([sensor_track(clip, sensor) for sensor in sensors], axis=1)
    speeds = np.linalg.norm(velocities(tracks, clip.rate), axis=-1)
    found = find_local_phases(labels.contacts_of(names), speeds, clip.rate)
    return replace(labels, local_phase_joints=names, local_phases=found.vectors)


def hand_speed(clip: Clip) -> Array:
    """Return the speed (F), m/s, of the faster hand relative to the root joint; zero if there are no hands."""
    hands = [clip.skeleton.roles[role] for role in ("hand.L", "hand.R") if role in clip.skeleton.roles]
    if not hands:
        return np.zeros(len(clip))
    about = clip.positions[:, hands] - clip.positions[:, :1]
    return np.linalg.norm(velocities(about, clip.rate), axis=-1).max(axis=1)


@dataclass(frozen=True, eq=False)
class PreparedClip:
    """A clip prepared for the detectors.

    Attributes:
        clip: the clip with missing feet added, gaps filled and treadmill motion removed.
        filled_frames: (F) mask of interpolated frames.
        skate_speed: expected speed of standing feet, m/s.
    """

    clip: Clip
    filled_frames: NDArray[np.bool_]
    skate_speed: float


def prepare_clip(clip: Clip, preset: LabellingPreset) -> PreparedClip:
    """Return a clip with feet, gaps and treadmill motion corrected; raises the errors of :func:`label_clip`."""
    clip, broken = fill_gaps(_complete_skeleton(clip))
    clip, belt = _remove_belt_motion(clip, preset)
    return PreparedClip(clip, broken, SKATE_TO_BELT_SPEED_RATIO * belt)


def _complete_skeleton(clip: Clip) -> Clip:
    """Add missing feet to a clip, or raise an error if the clip cannot be labeled."""
    if len(clip) < 2:
        count = Message("1 frame") if len(clip) == 1 else Message("{count} frames", count=len(clip))
        raise FootfallError(
            "{name} has {frames}, but labels need a motion of at least two frames", name=clip.name, frames=count
        )
    clip = add_missing_feet(clip)
    clip.skeleton.require_roles(role_names.LOCOMOTION_ROLES)
    if clip.skeleton.leg_length < 1e-6:
        raise FootfallError("The legs of {name} have no length: check the bones of the skeleton", name=clip.name)
    return clip


def _remove_belt_motion(clip: Clip, preset: LabellingPreset) -> tuple[Clip, float]:
    """Return the clip moved over fixed ground, and the speed of the treadmill's belt, m/s."""
    lowest = [preset.sensors[preset.foot_columns(foot)[-1]] for foot in preset.feet]
    belt = find_belt_velocity(np.stack([sensor_track(clip, sensor) for sensor in lowest], axis=1), clip.rate)
    if belt is None:
        return clip, 0.0
    travel: Array = np.arange(len(clip))[:, None] / clip.rate * np.append(belt, 0.0)
    return replace(clip, root_positions=clip.root_positions - travel), float(np.linalg.norm(belt))
