"""Lines, points and triangles of a preview for one frame, in the scene."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .....core.control.interaction.sequencer import InteractionSequencer
from .....core.motion.contacts import CONTACT_THRESHOLD
from .....core.motion.root_frame import out_of_frame
from .....core.motion.rotations import Array
from .....core.scene.environment_sensor import SPHERE_CENTRES_M

MIN_CELL_OCCUPANCY: Final = 0.12
"""Share of a cell from which it is drawn."""
LINE_HEIGHT_M: Final = 0.02
"""Meters by which lines lie over the floor."""
ARROW_LENGTH_M: Final = 0.3

OVERLAY_COLORS: Final = {
    "goal": (0.2, 0.9, 0.4, 1.0),
    "own": (0.25, 0.6, 1.0, 1.0),
    "goalwise": (1.0, 0.55, 0.15, 1.0),
    "contact": (1.0, 0.2, 0.25, 1.0),
    "cell": (0.9, 0.85, 0.3, 0.7),
    "surroundings": (0.55, 0.75, 1.0, 0.45),
}

Floats = NDArray[np.float32]


def overlay_lines(
    sequencer: InteractionSequencer, overlays: set[str], scale: float, floor_height: float
) -> Iterator[tuple[str, Floats]]:
    """Yield polylines (N, 3) in the scene with the names of their colors."""
    if "TRAJECTORY" in overlays:
        origin = sequencer.runtime.position[0]
        for name, view in zip(("own", "goalwise"), sequencer.runtime.predicted_trajectories, strict=True):
            yield name, _floor_line(np.vstack([origin, view[0]]), scale, floor_height)
    if "GOAL" in overlays and not sequencer.done:
        target = sequencer.goal_command()
        tip = target.position[:2] + ARROW_LENGTH_M * target.direction
        across = ARROW_LENGTH_M / 3 * np.array([-target.direction[1], target.direction[0]])
        back = tip - ARROW_LENGTH_M / 3 * target.direction
        yield (
            "goal",
            _floor_line(np.stack([target.position[:2], tip, back + across, tip, back - across]), scale, floor_height),
        )


def overlay_points(
    sequencer: InteractionSequencer, overlays: set[str], scale: float, floor_height: float
) -> Iterator[tuple[str, Floats]]:
    """Yield points (N, 3) in the scene with the names of their colors."""
    actors = sequencer.runtime
    sensed = actors.observation
    if "CONTACTS" in overlays and sequencer.frames:
        acted = sequencer.frames[-1]
        touching = [
            sequencer.recording.wrist_positions(acted)[side]
            for side in range(2)
            if acted.contacts[0, 1 + side] > CONTACT_THRESHOLD
        ]
        if touching:
            yield "contact", _to_scene(np.array(touching), scale, floor_height)
    if sensed is None:
        return
    origin = np.append(sensed.positions[0], 0.0)
    if "OBJECT_SENSOR" in overlays:
        cells = np.asarray(sensed.interaction[0], dtype=float)
        full = cells[cells[:, 3] > MIN_CELL_OCCUPANCY, :3]
        yield "cell", _to_scene(out_of_frame(full, np.repeat(sensed.yaws[0], len(full))) + origin, scale, floor_height)
    if "ENVIRONMENT_SENSOR" in overlays:
        full = SPHERE_CENTRES_M[np.asarray(sensed.environment[0]) > MIN_CELL_OCCUPANCY]
        yield (
            "surroundings",
            _to_scene(out_of_frame(full, np.repeat(sensed.yaws[0], len(full))) + origin, scale, floor_height),
        )


def expert_weights(sequencer: InteractionSequencer) -> Array | None:
    """Return the blending weight of each expert of the network (K); ``None`` if it has no experts."""
    shares = getattr(sequencer.runtime.network, "blending_weights", None)
    if shares is None or sequencer.runtime.network_input is None:
        return None
    return shares(sequencer.runtime.network_input.astype(np.float32), sequencer.runtime.phase)[0]


def _to_scene(positions: Array, scale: float, floor_height: float) -> Floats:
    return (scale * positions + np.array([0.0, 0.0, floor_height])).astype(np.float32)


def _floor_line(positions: Array, scale: float, floor_height: float) -> Floats:
    """Return ground positions (N, 2) as lines slightly above the ground."""
    return _to_scene(np.column_stack([positions, np.full(len(positions), LINE_HEIGHT_M)]), scale, floor_height)
