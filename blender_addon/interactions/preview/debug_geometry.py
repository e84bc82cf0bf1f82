"""What is drawn of a preview for one frame, as lines, points and triangles in the scene."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ....core.control.interaction.sequencer import InteractionSequencer
from ....core.motion.root_frame import out_of_frame
from ....core.motion.rotations import Array
from ....core.scene.environment_sensor import SPHERE_CENTRES_M
from ...scene.evaluated_mesh import EvaluatedMesh

LIT: Final = 0.12
"""Share of a cell from which it is drawn."""
GHOST: Final = (0.95, 0.75, 0.35)
LIFT: Final = 0.02
"""Metres by which lines lie over the floor."""
ARROW: Final = 0.3

COLOURS: Final = {
    "goal": (0.2, 0.9, 0.4, 1.0),
    "own": (0.25, 0.6, 1.0, 1.0),
    "goalwise": (1.0, 0.55, 0.15, 1.0),
    "contact": (1.0, 0.2, 0.25, 1.0),
    "cell": (0.9, 0.85, 0.3, 0.7),
    "surroundings": (0.55, 0.75, 1.0, 0.45),
}

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """An object's mesh, as it is evaluated: vertices (V, 3) in its own space, colours (V, 4), triangles (T, 3)."""

    places: Array
    colours: Floats
    triangles: NDArray[np.int32]

    @staticmethod
    def of(thing: bpy.types.Object) -> "Mesh":
        """The mesh of an object; each corner has its own vertex, lit from above."""
        mesh = EvaluatedMesh.of(thing)
        light = np.repeat(0.55 + 0.45 * np.abs(mesh.normals @ [0.3, 0.4, 0.86]), 3)
        colours = np.column_stack([light[:, None] * GHOST, np.ones(len(light))]).astype(np.float32)
        corners = np.arange(len(light), dtype=np.int32).reshape(-1, 3)
        return Mesh(mesh.vertices[mesh.triangles.ravel()], colours, corners)

    def at(self, matrix: Matrix) -> Floats:
        """The vertices (V, 3) in the world."""
        turned = np.array(matrix, dtype=float)
        return (self.places @ turned[:3, :3].T + turned[:3, 3]).astype(np.float32)


def lines(play: InteractionSequencer, shows: set[str], scale: float, level: float) -> Iterator[tuple[str, Floats]]:
    """Polylines (N, 3) in the scene and the names of their colours."""
    if "TRAJECTORY" in shows:
        origin = play.runtime.position[0]
        for name, view in zip(("own", "goalwise"), play.runtime.predicted_trajectories, strict=True):
            yield name, _raised(np.vstack([origin, view[0]]), scale, level)
    if "GOAL" in shows and not play.done:
        target = play.goal_command(play.tasks[play.task_index])
        tip = target.position[:2] + ARROW * target.direction
        across = ARROW / 3 * np.array([-target.direction[1], target.direction[0]])
        back = tip - ARROW / 3 * target.direction
        yield "goal", _raised(np.stack([target.position[:2], tip, back + across, tip, back - across]), scale, level)


def points(play: InteractionSequencer, shows: set[str], scale: float, level: float) -> Iterator[tuple[str, Floats]]:
    """Points (N, 3) in the scene and the names of their colours."""
    actors = play.runtime
    sensed = actors.observation
    if "CONTACTS" in shows and play.frames:
        acted = play.frames[-1]
        touching = [play.wrist_positions(acted)[side] for side in range(2) if acted.contacts[0, 1 + side] > 0.5]
        if touching:
            yield "contact", _up(np.array(touching), scale, level)
    if sensed is None:
        return
    origin = np.append(sensed.positions[0], 0.0)
    if "CELLS" in shows:
        cells = np.asarray(sensed.interaction[0], dtype=float)
        full = cells[cells[:, 3] > LIT, :3]
        yield "cell", _up(out_of_frame(full, np.repeat(sensed.yaws[0], len(full))) + origin, scale, level)
    if "SURROUNDINGS" in shows:
        full = SPHERE_CENTRES_M[np.asarray(sensed.environment[0]) > LIT]
        yield "surroundings", _up(out_of_frame(full, np.repeat(sensed.yaws[0], len(full))) + origin, scale, level)


def experts(play: InteractionSequencer) -> Array | None:
    """How much each expert of the network counts now (K); ``None`` where it has none."""
    shares = getattr(play.runtime.network, "shares", None)
    if shares is None or play.runtime.network_input is None:
        return None
    return shares(play.runtime.network_input.astype(np.float32), play.runtime.phase)[0]


def _up(places: Array, scale: float, level: float) -> Floats:
    return (scale * places + np.array([0.0, 0.0, level])).astype(np.float32)


def _raised(places: Array, scale: float, level: float) -> Floats:
    """Places on the ground (N, 2) as lines a little over it."""
    return _up(np.column_stack([places, np.full(len(places), LIFT)]), scale, level)
