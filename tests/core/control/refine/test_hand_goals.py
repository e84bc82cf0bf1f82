"""Goals of hands on a carried box: the skin of the hand meets the sides of its mesh."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from footfall.core.body.skin_thickness import Palm
from footfall.core.control.interaction.recording import InteractionRecording
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.hand_goals import hand_goals
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.motion.rotations import Array, rotate
from footfall.core.scene.mesh_surface import MeshSurface
from footfall.tests.core.control.interaction.test_sequencer import BOX, play
from footfall.tests.support.meshes import box


def hand(side: str, heel: float) -> Palm:
    """A flat hand at rest, palm down, whose heel stands out."""
    along = np.array([1.0 if side == "L" else -1.0, 0.0, 0.0])
    plate = [x * along + [0.0, y, -0.015] for x in np.linspace(0.0, 0.18, 10) for y in np.linspace(-0.04, 0.04, 5)]
    skin = np.vstack([plate, [[0.0, 0.0, -0.015 - heel]]])
    normal, thickness = np.array([0.0, 0.0, -1.0]), 0.015 + heel
    return Palm(thickness, normal, along, skin - thickness * normal)


@cache
def carried(width: float) -> InteractionRecording:
    """Carrying of a box whose mesh is wider than its collider."""
    surface = MeshSurface(*box(*(tuple(corner * [width, 1.0, 1.0]) for corner in BOX.collider.bounds)))
    task = InteractionTask("carry", 0, position=np.array([3.0, 0.5, 0.75]))
    return play([replace(BOX, surface=surface)], task).recording


def gaps(side: str, heel: float, width: float) -> Array:
    """Least distances of the hand's skin from the box's side in frames of carrying, meters."""
    (lower, upper), recording, palm = BOX.collider.bounds, carried(width), hand(side, heel)
    goal = next(
        each
        for each in hand_goals(recording, decode_interaction(recording), 1.0, {side: palm})
        if each.role == f"hand.{side}"
    )
    assert goal.rotations is not None
    took, put = (recording.event_frame(kind, 0) for kind in ("took", "put"))
    assert took is not None and put is not None
    found = []
    for frame in range(took + 10, put - 10, 15):
        skin = rotate(goal.rotations[frame], palm.points) + goal.positions[frame]
        places = recording.object_states[frame][0].posed_collider.to_local(skin)
        inside = (places[:, 1:] > lower[1:]).all(axis=1) & (places[:, 1:] < upper[1:]).all(axis=1)
        found.append(np.abs(places[inside, 0]).min() - width * upper[0])
    return np.array(found)


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize(("heel", "width"), [(0.0, 1.0), (0.02, 1.0), (0.0, 1.1)])
def test_the_skin_of_a_hand_meets_the_mesh(side: str, heel: float, width: float) -> None:
    np.testing.assert_allclose(gaps(side, heel, width), 0.0, atol=5e-3)
