"""The scene as a walk knows it, at the size of the body."""

import numpy as np

from footfall.core.terrain.ground import Plane, ScaledScene
from footfall.core.terrain.walk_scene import WalkScene


def test_ground_obstacles_and_what_is_jumped_over_are_scaled_each() -> None:
    points = np.ones((1, 3))
    scaled = WalkScene(Plane(1.0), Plane(2.0), Plane(3.0)).scaled(2.0)
    for scene, height in ((scaled.ground, 2.0), (scaled.obstacles, 4.0), (scaled.jump_over, 6.0)):
        assert isinstance(scene, ScaledScene)
        np.testing.assert_array_equal(scene.heights(points), [height])
