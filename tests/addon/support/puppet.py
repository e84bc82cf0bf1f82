"""A controller of interactions whose network is linear: it glides to its goal and does there what is wanted.

It is told nothing of motion, which is all that the add-on's own tests need.
"""

from pathlib import Path

import numpy as np

from footfall.core.features.interaction import (
    ACTIONS,
    CONTACT_JOINTS,
    SAMPLE_OFFSETS_FRAMES,
    goal_actions_of,
    input_layout,
    output_layout,
)
from footfall.core.features.locomotion import FEATURE_RATE_HZ, pose_joints
from footfall.core.models.model_file import ControllerModel, save_model
from footfall.core.models.plain import PlainArchitecture
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.root_frame import into_frame, root_track, rotations_in_root_frame
from footfall.core.motion.rotations import mean_rotation

AHEAD = SAMPLE_OFFSETS_FRAMES.index(10)
OPEN = 100.0
"""Units are opened so far that they are linear."""
BEARING = 0.6
"""Hips always bear, but not wholly: the root of a character whose hips do stands still."""


def save_puppet(bvh: str | Path, path: str | Path, known: tuple[str, ...] = ACTIONS) -> ControllerModel:
    """Writes the puppet, in the first pose of a walking clip with its hands before its chest."""
    clip = read_bvh(bvh).resampled(FEATURE_RATE_HZ)
    joints = pose_joints(clip.skeleton)
    inputs, outputs = input_layout(joints, known), output_layout(joints, known)
    track = root_track(clip)
    reference = mean_rotation(rotations_in_root_frame(clip, joints))
    index = [clip.skeleton.names.index(name) for name in joints]
    pose = into_frame(clip.positions[0, index] - [*track.positions[0], 0.0], np.full(len(joints), track.yaws[0]))
    for side, sign in (("L", -1), ("R", 1)):
        pose[joints.index(clip.skeleton.names[clip.skeleton.joint(f"hand.{side}")])] = (0.25 * sign, 0.3, 0.9)
    answer = np.zeros(outputs.size, dtype=np.float32)
    outputs.view(answer, "pose.position")[:] = pose
    outputs.view(answer, "contact")[3:] = 1.0
    outputs.view(answer, "contact")[CONTACT_JOINTS.index("hips")] = BEARING
    outputs.view(answer, "trajectory.direction")[..., 1] = outputs.view(answer, "goal_trajectory.direction")[..., 1] = (
        1.0
    )
    places = inputs.view(np.arange(inputs.size), "goal.position")[AHEAD, :2]
    wanted = inputs.view(np.arange(inputs.size), "goal.action")[AHEAD]
    seen = [*places, *wanted]
    first = np.zeros((len(seen), inputs.size), dtype=np.float32)
    first[np.arange(len(seen)), seen] = 1.0
    last = np.zeros((outputs.size, len(seen)), dtype=np.float32)
    velocity = outputs.view(np.arange(outputs.size), "root.velocity")
    last[velocity, [0, 1]] = 1.5
    actions = outputs.view(np.arange(outputs.size), "trajectory.action")
    contacts = outputs.view(np.arange(outputs.size), "contact")
    for number, name in enumerate(goal_actions_of(known)):
        last[actions[:, ACTIONS.index(name)], 2 + number] = 1.0
        if name in ("carry", "open", "push"):
            last[contacts[[CONTACT_JOINTS.index("hand.L"), CONTACT_JOINTS.index("hand.R")]], 2 + number] = 1.0
    tensors = {
        "layers.0.weight": first,
        "layers.0.bias": np.full(len(seen), OPEN, dtype=np.float32),
        "layers.1.weight": last,
        "layers.1.bias": (-OPEN * last.sum(axis=1)).astype(np.float32),
    }
    model = ControllerModel(
        architecture=PlainArchitecture(hidden=len(seen), layers=1),
        tensors=tensors,
        input_layout=inputs,
        output_layout=outputs,
        x_mean=np.zeros(inputs.size, dtype=np.float32),
        x_std=np.ones(inputs.size, dtype=np.float32),
        y_mean=answer,
        y_std=np.ones(outputs.size, dtype=np.float32),
        skeleton=clip.skeleton,
        joints=joints,
        reference_rotations=reference.astype(np.float32),
        gaits=known,
        rate=FEATURE_RATE_HZ,
        start={
            "position": pose.astype(np.float32),
            "velocity": np.zeros_like(pose, dtype=np.float32),
            "rotation": reference.astype(np.float32),
            "phase": np.float32(0.0),
        },
    )
    save_model(path, model)
    return model
