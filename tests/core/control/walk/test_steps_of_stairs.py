"""Feet on stairs: they land on their step without a drop."""

import numpy as np
import pytest

from footfall.cli.walk import shipped_controller
from footfall.core.control.path.path import Path
from footfall.core.control.walk.path_walk import begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.models.model_file import load_model
from footfall.core.terrain.mesh_scene import MeshScene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.training.interactions.props.mesh_primitives import box_mesh

RISE, TREAD, STEPS = 0.17, 0.3, 4


def stairs(front: float) -> WalkScene:
    """Return a floor with stairs along y up to a platform."""
    boxes = [((-20.0, -20.0, -1.0), (20.0, 20.0, 0.0))]
    boxes += [((-1.0, front + TREAD * step, 0.0), (1.0, front + 6.0, RISE * (step + 1))) for step in range(STEPS)]
    return WalkScene(MeshScene.of_meshes([box_mesh(*box) for box in boxes]))


@pytest.mark.parametrize("front", [2.4, 2.5])
def test_a_foot_on_stairs_comes_down_without_a_drop(front: float) -> None:
    path = Path(np.array([[0.0, 0.0], [0.0, front + 3.0]]))
    rollout = begin_walk(load_model(shipped_controller()), WalkRequest(path, 1.2, stairs(front)))
    while rollout.advance(60):
        pass
    clip = rollout.finish().clip
    heights = clip.positions[:, [clip.skeleton.joint(f"toe.{side}") for side in "LR"], 2]
    assert 100 * np.abs(np.diff(heights, n=2, axis=0)).max() < 5.0, "cm per frame, per frame"
