"""The controller of interactions that ships: it walks to a seat, sits on it, stands up and goes."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.errands import Errand, Play
from footfall.core.control.exactness import SITTING, perform
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.furniture import Chair
from footfall.core.scene.things import Thing

SHIPPED = Path(__file__).parents[3] / "presets" / "controllers" / "interactions" / "everyday.safetensors"
STARTS = ((0.3, 2.0, 3.0), (-1.5, 1.2, -2.0), (1.6, 0.8, 1.5))
"""Places, metres, and yaws."""


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(SHIPPED)


@pytest.fixture(scope="module")
def chair() -> Thing:
    collider = Collider.of_mesh(*Chair(seat=0.45).mesh())
    return Thing("chair", "seat", collider, np.zeros(3), about_up(np.array(0.0)))


def test_it_says_what_it_was_trained_on(model: ControllerModel) -> None:
    (source,) = model.provenance["sources"]
    assert "CMU" in source["name"] and "ACCAD" in source["name"] and "EIA-0196217" in source["credit"]
    assert SHIPPED.stat().st_size < 40e6


@pytest.mark.parametrize("start", STARTS)
def test_it_sits_down_and_stays_where_it_sits(
    model: ControllerModel, chair: Thing, start: tuple[float, float, float]
) -> None:
    play = Play(model, [chair], [Errand("sit", 0, seconds=1.0)], np.array(start[:2]), start[2])
    while len(play.frames) < 1500 and play.advance(60):
        pass
    reached = [event.frame for event in play.events if event.kind == "reached"]
    assert reached, "it sits"
    result = perform(play)
    seat = chair.found_seat
    assert seat is not None
    wanted = seat.position + np.array([0.0, 0.0, SITTING * model.skeleton.leg_length])
    hips = result.clip.positions[reached[0] + 20 :, model.skeleton.role("hips")]
    assert np.linalg.norm(hips - wanted, axis=-1).max() < 0.03
    speeds = np.linalg.norm(np.diff(result.clip.positions, axis=0), axis=-1) * 60
    assert np.isfinite(speeds).all() and speeds.max() < 15.0
