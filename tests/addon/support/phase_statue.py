"""A controller of the system of local motion phases that needs no training: it answers with one clip's mean sample.

It glides along in one pose, and has local phases of a hand, which the clip's labels say touches something twice a
second.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from footfall.core.features.locomotion import FEATURE_RATE_HZ, network_gaits, pose_joints
from footfall.core.features.phase_system import PhaseSystem, system_features
from footfall.core.labelling import Labels, label_clip
from footfall.core.models.experts import ExpertsArchitecture
from footfall.core.models.model_file import ControllerModel, save_model
from footfall.core.models.network import Task
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.motion.root_frame import rotations_in_root_frame
from footfall.core.motion.rotations import mean_rotation

HAND = "hand.R"
SENSORS = (*FOOT_CONTACTS, HAND)


def save_phase_statue(bvh: str | Path, path: str | Path) -> ControllerModel:
    """Writes the statue of a walking clip to a controller's file."""
    clip = read_bvh(bvh).resampled(FEATURE_RATE_HZ)
    labels = with_tapping_hand(label_clip(clip), clip.rate)
    joints, gaits = pose_joints(clip.skeleton), network_gaits(labels.gait_names)
    reference = mean_rotation(rotations_in_root_frame(clip, joints))
    x, y, _ = system_features(clip, labels, joints, reference, SENSORS)
    system = PhaseSystem(joints, gaits, SENSORS)
    inputs, outputs = system.input_layout(), system.output_layout()
    bones = {role: clip.skeleton.names[joint] for role, joint in clip.skeleton.roles.items()}
    architecture = ExpertsArchitecture(2, 2, "phase_vectors", 2)
    shapes = architecture.shapes(Task.from_names(inputs, outputs, joints, bones, FEATURE_RATE_HZ))
    pose = y.mean(axis=0)
    model = ControllerModel(
        architecture=architecture,
        tensors={name: np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()},
        input_layout=inputs,
        output_layout=outputs,
        x_mean=x.mean(axis=0),
        x_std=np.ones(inputs.size, dtype=np.float32),
        y_mean=pose,
        y_std=np.ones(outputs.size, dtype=np.float32),
        skeleton=clip.skeleton,
        joints=joints,
        reference_rotations=reference.astype(np.float32),
        gaits=gaits,
        rate=FEATURE_RATE_HZ,
        start={
            "position": outputs.view(pose, "pose.position"),
            "velocity": outputs.view(pose, "pose.velocity"),
            "phase": np.float32(0.0),
            "vector": np.zeros((len(SENSORS), 2), dtype=np.float32),
            "frequency": np.zeros(len(SENSORS), dtype=np.float32),
        },
        sensors=SENSORS,
    )
    save_model(path, model)
    return model


def with_tapping_hand(labels: Labels, rate: float) -> Labels:
    """Labels in which the right hand touches something twice a second."""
    tap = (np.sin(4 * np.pi * np.arange(len(labels)) / rate) > 0).astype(float)
    return replace(
        labels,
        contact_joints=(*labels.contact_joints, HAND),
        contacts=np.column_stack([labels.contacts, tap]),
        confidence=np.column_stack([labels.confidence, np.ones_like(tap)]),
    )
