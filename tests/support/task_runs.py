"""Tasks in progress of a puppet that stands where it is put, with frames, weights and contacts that are told."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.control.runtime.interaction_runtime import InteractionFrame
from footfall.core.features.interaction import ACTIONS, CONTACT_JOINTS
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.interaction.test_sequencer import Model


def task_run(task: InteractionTask, *things: InteractionObject, at: Any = (0.0, 0.0), yaw: float = 0.0) -> TaskRun:
    """A task that has just begun, of a character at a root (2) along a yaw."""
    model: Any = Model()
    return InteractionSequencer(model, things, [task], np.array(at, dtype=float), yaw).run


def put(run: TaskRun, at: Any, yaw: float | None = None) -> None:
    """Put the character at a root (2), along a yaw."""
    run.runtime.state.position[0] = at
    if yaw is not None:
        run.runtime.state.yaw[0] = yaw


def frame_of(
    run: TaskRun,
    weights: dict[str, float] | None = None,
    touching: tuple[str, ...] = (),
    phase: float = 0.0,
    at: Any = None,
    wrists: Any = None,
    lifted: float = 0.0,
) -> InteractionFrame:
    """A frame of the character where it is, or at a root (2), with weights of actions and parts in contact.

    ``wrists``: (2, 3) in the root's frame; ``lifted``: height of the pose over where it stands.
    """
    actions, contacts = np.zeros((1, len(ACTIONS))), np.zeros((1, len(CONTACT_JOINTS)))
    for name, weight in (weights or {}).items():
        actions[0, ACTIONS.index(name)] = weight
    for name in touching:
        contacts[0, CONTACT_JOINTS.index(name)] = 1.0
    model = run.recording.model
    output = np.zeros((1, model.output_layout.size), dtype=np.float32)
    pose = model.output_layout.view(output, "pose.position")
    pose[:] = model.start["position"] + np.array([0.0, 0.0, lifted])
    for side, wrist in zip("LR", () if wrists is None else wrists, strict=False):
        pose[:, model.joints.index(model.skeleton.names[model.skeleton.joint(f"hand.{side}")])] = wrist
    place = run.position.copy() if at is None else np.array(at, dtype=float)
    yaw = np.array([float(run.yaw)])
    return InteractionFrame(place[None], yaw, np.array([phase]), actions, contacts, output, np.zeros(1))


def record(run: TaskRun, frame: InteractionFrame, count: int = 1) -> None:
    """Record a frame some times, with the objects as they are."""
    run.recording.frames.extend(replace(frame) for _ in range(count))
    run.recording.object_states.extend([run.scene.current_objects] * count)


def stand_still(run: TaskRun, seconds: float = 0.3) -> None:
    """Let the character have stood still for some seconds."""
    run.still_frames = round(60.0 * seconds) + 1


RESTS_ON_HIPS = pytest.mark.parametrize(
    ("weight", "touching", "still", "seated", "done"),
    [
        (0.81, ("hips",), True, True, True),
        (0.79, ("hips",), True, True, False),
        (0.81, ("hand.L",), True, True, False),
        (0.81, ("hips",), False, True, False),
        (0.81, ("hips",), True, False, False),
    ],
)
"""Frames of a task, and whether it is done: it rests where it is still on its hips."""
