"""Labelling a clip: each detector in turn."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..errors import FootfallError
from ..motion import Clip
from ..motion import roles as role_names
from .contacts import find_contacts
from .gaits import NAMES, find_gaits
from .labels import Labels
from .phase import find_phase, find_strikes
from .presets import BIPED, LabellingPreset
from .targets import Target


def label_clip(clip: Clip, preset: LabellingPreset = BIPED, targets: Mapping[str, Target] | None = None) -> Labels:
    """Finds what a preset looks for: contacts, phase, gaits, actions and goals.

    Args:
        clip: the motion.
        preset: whose contacts, which actions.
        targets: the objects that the preset's sensors can touch, by name.

    Raises:
        FootfallError: the clip has fewer than two frames, or its skeleton lacks what the preset needs.
    """
    clip.skeleton.require(role_names.LOCOMOTION)
    if len(clip) < 2:
        raise FootfallError(f"{clip.name} has {len(clip)} frame: labels need motion of at least two frames.")
    contacts = find_contacts(clip, preset, targets or {})
    feet = {foot: preset.columns(foot) for foot in preset.feet}
    down = {foot: np.asarray(contacts.state[:, columns].any(axis=1)) for foot, columns in feet.items()}
    ground = np.stack([contacts.ground[:, feet[foot][-1]] for foot in "LR"], axis=1)
    gaits = find_gaits(clip, np.stack([down["L"], down["R"]], axis=1), ground)
    left, right = (find_strikes(down[foot], clip.rate) for foot in "LR")
    phase = find_phase(left, right, gaits[:, 0] > 0.5, clip.rate)
    level = float(np.median(ground))
    labels = Labels(clip.rate, preset.sensor_names, contacts.graded, phase, NAMES, gaits, left, right, level)
    return replace(labels, confidence=contacts.confidence)
