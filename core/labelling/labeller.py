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
from .clean_up.foot_completion import with_paws
from .clean_up.gap_filling import without_gaps
from .clean_up.treadmill import belt_velocity
from .contacts.contact_objects import Target
from .contacts.detection import find_contacts
from .contacts.sensor_tracks import track_of
from .labels import Labels
from .phase.acyclic_phase import acyclic_phase, find_transitions
from .phase.local_phases import local_phases
from .phase.phase import find_phase, find_strikes
from .phase.quadruped import quadruped_phase
from .presets import BIPED, LabellingPreset
from .semantics import actions, gaits
from .semantics.goals import find_goals

# The feet of clips on the spot are mostly keyframed, and swim by such a share of the belt's speed.
SWIMMING: Final = 0.5


def label_clip(clip: Clip, preset: LabellingPreset = BIPED, targets: Mapping[str, Target] | None = None) -> Labels:
    """Finds what a preset looks for: contacts, phase, gaits, actions and goals.

    Args:
        clip: the motion; who walks on the spot is taken to walk on a treadmill.
        preset: whose contacts, which actions.
        targets: the objects that the preset's sensors can touch, by name.

    Raises:
        FootfallError: the clip has fewer than two frames, or more than half of them hold no numbers, or its skeleton
            lacks what the preset needs.
    """
    ready = prepare(clip, preset)
    clip, broken = ready.clip, ready.broken
    contacts = find_contacts(clip, preset, targets or {}, ready.swimming)
    feet = {foot: preset.columns(foot) for foot in preset.feet}
    down = {foot: np.asarray(contacts.state[:, columns].any(axis=1)) for foot, columns in feet.items()}
    ground = np.stack([contacts.ground[:, feet[foot][-1]] for foot in "LR"], axis=1)
    both = np.stack([down["L"], down["R"]], axis=1)
    four = "FL" in preset.feet
    gait = gaits.find_gaits(clip, both, ground, quadruped=four)
    strikes = {foot: find_strikes(state, clip.rate) for foot, state in down.items()}
    standing = gait[:, gaits.NAMES.index("stand")] > 0.5
    if four:
        phase = quadruped_phase(strikes, standing, clip.rate)
    else:
        phase = find_phase(strikes["L"], strikes["R"], standing, clip.rate)
    action = actions.find_actions(clip, gait, contacts.graded, preset.sensor_names, ground, preset.actions)
    above = clip.positions[:, 0, 2] - ground.mean(axis=1)
    transitions = find_transitions(actions.NAMES, action, above, hand_speed(clip), clip.rate)
    return Labels(
        clip.rate,
        preset.sensor_names,
        contacts.graded,
        phase,
        gaits.NAMES,
        gait,
        strikes["L"],
        strikes["R"],
        float(np.median(ground)),
        confidence=np.where(broken[:, None], 0.0, contacts.confidence),
        actions=action,
        action_phase=acyclic_phase(transitions, len(clip)),
        goals=find_goals(clip, action, actions.NAMES),
    )


def contacts_in(clip: Clip, preset: LabellingPreset = BIPED) -> Array:
    """The contacts (F, J) that :func:`label_clip` finds, and nothing else; raises as it does."""
    ready = prepare(clip, preset)
    return find_contacts(ready.clip, preset, {}, ready.swimming).graded


def with_local_phases(clip: Clip, labels: Labels, preset: LabellingPreset) -> Labels:
    """The labels with the local phases of the sensors that a preset names for them; raises as :func:`label_clip`."""
    names = preset.local_phases
    if not names:
        return labels
    clip = prepare(clip, preset).clip
    sensors = [preset.sensors[preset.sensor_names.index(name)] for name in names]
    tracks = np.stack([track_of(clip, sensor) for sensor in sensors], axis=1)
    speeds = np.linalg.norm(velocities(tracks, clip.rate), axis=-1)
    found = local_phases(labels.contacts_of(names), speeds, clip.rate)
    return replace(labels, local_phase_joints=names, local_phases=found.vectors)


def hand_speed(clip: Clip) -> Array:
    """Speed of the faster hand about the hips (F), m/s; zero where there are no hands."""
    hands = [clip.skeleton.roles[role] for role in ("hand.L", "hand.R") if role in clip.skeleton.roles]
    if not hands:
        return np.zeros(len(clip))
    about = clip.positions[:, hands] - clip.positions[:, :1]
    return np.linalg.norm(velocities(about, clip.rate), axis=-1).max(axis=1)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A clip as the detectors want it.

    Attributes:
        clip: with feet, without gaps, over ground that does not move.
        broken: frames (F) that were bridged.
        swimming: the speed, m/s, at which its standing feet are expected to move.
    """

    clip: Clip
    broken: NDArray[np.bool_]
    swimming: float


def prepare(clip: Clip, preset: LabellingPreset) -> Prepared:
    """The clip as the detectors want it; raises as :func:`label_clip`."""
    clip, broken = without_gaps(_ready(clip))
    clip, belt = _over_ground(clip, preset)
    return Prepared(clip, broken, SWIMMING * belt)


def _ready(clip: Clip) -> Clip:
    """The clip with feet, if it can be labelled at all."""
    if len(clip) < 2:
        count = f"{len(clip)} frame" + "s" * (len(clip) != 1)
        raise FootfallError(f"{clip.name} has {count}: labels need motion of at least two frames.")
    clip = with_paws(clip)
    clip.skeleton.require(role_names.LOCOMOTION)
    if clip.skeleton.leg_length < 1e-6:
        raise FootfallError(f"The legs of {clip.name} have no length: check the skeleton's bones.")
    return clip


def _over_ground(clip: Clip, preset: LabellingPreset) -> tuple[Clip, float]:
    """The clip as it would be over ground that does not move, and the speed of the belt that it was on, m/s."""
    lowest = [preset.sensors[preset.columns(foot)[-1]] for foot in preset.feet]
    belt = belt_velocity(np.stack([track_of(clip, sensor) for sensor in lowest], axis=1), clip.rate)
    if belt is None:
        return clip, 0.0
    way: Array = np.arange(len(clip))[:, None] / clip.rate * np.append(belt, 0.0)
    return replace(clip, root_positions=clip.root_positions - way), float(np.linalg.norm(belt))
