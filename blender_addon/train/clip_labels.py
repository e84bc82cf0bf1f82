"""Labels of an action as training reads them: contacts of all its sensors, hands, hips and tools among them."""

from dataclasses import replace

import bpy
import numpy as np

from ...core.labelling import Labels, add_local_phases
from ...core.labelling.labels import MAX_DETECTED_CONFIDENCE
from ...core.labelling.presets import LabellingPreset
from ...core.motion import Clip
from ..label.labels import read_labels
from ..label.presets import to_preset
from ..label.store import read_editable_labels
from ..rig.clips import ArmatureAction


def read_training_labels(
    armature_action: ArmatureAction, scene: bpy.types.Scene, clip: Clip, first_frame: int, preset: LabellingPreset
) -> Labels:
    """Return the labels of an action as needed by the trainer.

    Sensors of the preset are detected in the motion and corrected. Contacts of the action's other sensors are read from
    its stored labels. If the scene's labeling settings have such a sensor, they define its local phases, since the
    point of a tool may be away from a joint of its name.

    Args:
        armature_action: the armature and its action.
        scene: the scene.
        clip: the action's motion.
        first_frame: scene frame at which the clip begins.
        preset: the sensors of every clip.

    Raises:
        FootfallError: the scene's labeling settings contradict themselves, or name a missing bone.
    """
    labels = read_labels(*armature_action, clip, first_frame, preset)
    further = _stored_contacts(armature_action[1], first_frame, labels)
    if not further:
        return labels
    contacts, confidence = (np.column_stack(columns) for columns in zip(*further.values(), strict=True))
    labels = replace(
        labels,
        contact_joints=(*labels.contact_joints, *further),
        contacts=np.column_stack([labels.contacts, contacts]),
        confidence=np.column_stack([labels.confidence, confidence]),
    )
    looked_for = to_preset(scene.footfall.labelling)
    phased = tuple(name for name in further if name in looked_for.sensor_names)
    return add_local_phases(clip, labels, replace(looked_for, local_phases=phased))


def _stored_contacts(
    action: bpy.types.Action, first_frame: int, labels: Labels
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return contacts and confidence (F) by sensor, for the action's sensors that ``labels`` lacks."""
    stored, frames = read_editable_labels(action), len(labels)
    found = {
        name: (np.zeros(frames), np.full(frames, MAX_DETECTED_CONFIDENCE))
        for name in stored.contact_feet
        if name not in labels.contact_joints
    }
    for span in stored.spans:
        if span.kind == "CONTACT" and span.name in found:
            contacts, confidence = found[span.name]
            at = slice(max(span.start - first_frame, 0), max(span.end - first_frame + 1, 0))
            contacts[at], confidence[at] = 1.0, span.confidence
    return found
