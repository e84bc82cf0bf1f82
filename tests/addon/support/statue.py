"""A controller that needs no training: it ignores its input and answers with one clip's mean sample.

It moves like a statue on wheels, which is all that the add-on's own tests need.
"""

from pathlib import Path

import numpy as np

from footfall.core.features.locomotion import (
    FEATURE_RATE_HZ,
    clip_features,
    input_layout,
    network_gaits,
    output_layout,
    pose_joints,
)
from footfall.core.labelling import label_clip
from footfall.core.models.model_file import ControllerModel, save_model
from footfall.core.models.pfnn import PfnnArchitecture, PfnnWeights
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.root_frame import rotations_in_root_frame
from footfall.core.motion.rotations import mean_rotation


def save_statue(bvh: str | Path, path: str | Path) -> ControllerModel:
    """Writes the statue of a walking clip to a controller's file."""
    clip = read_bvh(bvh).resampled(FEATURE_RATE_HZ)
    labels = label_clip(clip)
    joints, gaits = pose_joints(clip.skeleton), network_gaits(labels.gait_names)
    reference = mean_rotation(rotations_in_root_frame(clip, joints))
    x, y, _ = clip_features(clip, labels, joints, reference)
    shapes = PfnnWeights.shapes(x.shape[1], 2, y.shape[1], 4)
    tensors = {name: np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()}
    layout = output_layout(joints)
    pose = y.mean(axis=0)
    model = ControllerModel(
        architecture=PfnnArchitecture(hidden=2),
        tensors=tensors,
        input_layout=input_layout(joints, gaits),
        output_layout=layout,
        x_mean=x.mean(axis=0),
        x_std=np.ones(x.shape[1], dtype=np.float32),
        y_mean=pose,
        y_std=np.ones(y.shape[1], dtype=np.float32),
        skeleton=clip.skeleton,
        joints=joints,
        reference_rotations=reference.astype(np.float32),
        gaits=gaits,
        rate=FEATURE_RATE_HZ,
        start={
            "position": layout.view(pose, "pose.position"),
            "velocity": layout.view(pose, "pose.velocity"),
            "phase": np.float32(0.0),
        },
    )
    save_model(path, model)
    return model
