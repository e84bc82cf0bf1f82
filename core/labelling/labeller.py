"""Labelling a clip: each detector in turn."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
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
from .phase.acyclic_phase import acyclic_phase, find_transitions
from .phase.local_phases import find_local_phases
from .phase.phase import find_phase, find_strikes
from .phase.quadruped import quadruped_phase
from .presets import BIPED_PRESET, LabellingPreset
from .semantics import actions, gaits
from .semantics.goals import find_goals

# The feet of clips on the spot are mostly keyframed, and swim by such a share of the belt's speed.
SKATE_TO_BELT_SPEED_RATIO: Final = 0.5


def label_clip(
    clip: Clip, preset: LabellingPreset = BIPED_PRESET, objects: Mapping[str, ContactObject] | None = None
) -> Labels:
    """Find what a preset looks for: contacts, phase, gaits, actions and goals.

    Args:
        clip: the motion; who walks on the spot is taken to walk on a treadmill.
        preset: whose contacts, which actions.
        objects: the objects that the preset's sensors can touch, by name.

    Raises:
        FootfallError: the clip has fewer than two frames, or more than half of them hold no numbers, or its skeleton
            lacks what the preset needs.
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
        action_phase=acyclic_phase(transitions, len(clip)),
        goals=find_goals(clip, action, actions.ACTION_NAMES),
    )


def label_contacts(clip: Clip, preset: LabellingPreset = BIPED_PRESET) -> Array:
    """Return the contacts (F, J) that :func:`label_clip` finds, and nothing else; raises as it does."""
    ready = prepare_clip(clip, preset)
    return find_contacts(ready.clip, preset, {}, ready.skate_speed).consistent_probability


def add_local_phases(clip: Clip, labels: Labels, preset: LabellingPreset) -> Labels:
    """Return the labels with the local phases of the sensors that a preset names for them; raises as
    :func:`label_clip`.
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
    """Speed of the faster hand about the hips (F), m/s; zero where there are no hands."""
    hands = [clip.skeleton.roles[role] for role in ("hand.L", "hand.R") if role in clip.skeleton.roles]
    if not hands:
        return np.zeros(len(clip))
    about = clip.positions[:, hands] - clip.positions[:, :1]
    return np.linalg.norm(velocities(about, clip.rate), axis=-1).max(axis=1)


@dataclass(frozen=True, eq=False)
class PreparedClip:
    """A clip as the detectors want it.

    Attributes:
        clip: with feet, without gaps, over ground that does not move.
        broken: frames (F) that were bridged.
        skate_speed: the speed, m/s, at which its standing feet are expected to move.
    """

    clip: Clip
    filled_frames: NDArray[np.bool_]
    skate_speed: float


def prepare_clip(clip: Clip, preset: LabellingPreset) -> PreparedClip:
    """Return the clip as the detectors want it; raises as :func:`label_clip`."""
    clip, broken = fill_gaps(_complete_skeleton(clip))
    clip, belt = _remove_belt_motion(clip, preset)
    return PreparedClip(clip, broken, SKATE_TO_BELT_SPEED_RATIO * belt)


def _complete_skeleton(clip: Clip) -> Clip:
    """Return the clip with feet, if it can be labelled at all."""
    if len(clip) < 2:
        count = f"{len(clip)} frame" + "s" * (len(clip) != 1)
        raise FootfallError(f"{clip.name} has {count}: labels need motion of at least two frames.")
    clip = add_missing_feet(clip)
    clip.skeleton.require_roles(role_names.LOCOMOTION_ROLES)
    if clip.skeleton.leg_length < 1e-6:
        raise FootfallError(f"The legs of {clip.name} have no length: check the skeleton's bones.")
    return clip


def _remove_belt_motion(clip: Clip, preset: LabellingPreset) -> tuple[Clip, float]:
    """Return the clip as it would be over ground that does not move, and the speed of the belt that it was on, m/s."""
    lowest = [preset.sensors[preset.foot_columns(foot)[-1]] for foot in preset.feet]
    belt = find_belt_velocity(np.stack([sensor_track(clip, sensor) for sensor in lowest], axis=1), clip.rate)
    if belt is None:
        return clip, 0.0
    way: Array = np.arange(len(clip))[:, None] / clip.rate * np.append(belt, 0.0)
    return replace(clip, root_positions=clip.root_positions - way), float(np.linalg.norm(belt))
