"""Time in which a foot is led to its place: the usual one where nothing is in the way, else one that clears it."""

from pathlib import Path as FilePath

import numpy as np
from numpy.typing import NDArray

from footfall.benchmarks.measures.extremes import largest_joint_speed
from footfall.core.control.feet.landing_lead import LEAD_SHARES, clear_leads
from footfall.core.control.path.path import Path
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.models.model_file import load_model
from footfall.core.motion.rotations import Array
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import Boxes

RATE, USUAL = 60.0, 10
CONTROLLERS = FilePath(__file__).parents[4] / "presets" / "controllers"
LANDINGS = np.array([4, 50, 90])


def leads_of(deep: dict[int, float], best: int) -> NDArray[np.intp]:
    """Return the times for feet that are some meters deep at some frames, unless they are led in the best time."""

    def depths(leads: NDArray[np.intp], frames: NDArray[np.intp]) -> Array:
        return np.array([0.0 if leads[0] == best else deep.get(int(frame), -0.1) for frame in frames])

    return clear_leads(LANDINGS, USUAL, depths, RATE, 1.0)


def test_a_foot_in_a_step_blends_late_or_early() -> None:
    for share in LEAD_SHARES[1:]:
        np.testing.assert_array_equal(leads_of({48: 0.1}, round(share * USUAL)), [USUAL, round(share * USUAL), USUAL])


def test_feet_come_down_stairs_without_a_jerk() -> None:
    floor = ((-9.0, -9.0, -1.0), (9.0, 9.0, 0.0))
    steps = [((1.5 + 0.245 * number, -2.0, -0.5), (9.0, 2.0, 0.104 * (number + 1))) for number in range(6)]
    path, scene = Path(np.array([[4.47, 0.0], [0.0, 0.0]])), WalkScene(Boxes([floor, *steps]))
    model = load_model(CONTROLLERS / "locomotion_small.safetensors")
    walk = make_walk(model, WalkRequest(path, 0.6, scene, start_level=0.62, seed=5))
    assert largest_joint_speed(walk.clip).value < 25.0, "43 rad/s where heels are always led in the usual time"
