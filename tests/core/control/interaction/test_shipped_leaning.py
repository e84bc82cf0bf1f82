"""The controller of leaning that ships: it comes to a table and a wall, puts both palms there, and walks off."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.interaction_motion import has_given_up
from footfall.benchmarks.leaning import OBJECTS, to_lean
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import refine_interaction
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers" / "interactions" / "leaning.safetensors"


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(SHIPPED)


def test_it_names_its_training_data_and_is_small(model: ControllerModel) -> None:
    (source,) = model.provenance["sources"]
    assert "CMU" in source["name"] and "EIA-0196217" in source["credit"]
    assert SHIPPED.stat().st_size < 6e6


def test_it_walks_and_leans_alone(model: ControllerModel) -> None:
    assert set(model.taught_goals) == {"idle", "walk", "run", "lean"}
    with pytest.raises(FootfallError, match="was not trained to sit"):
        InteractionSequencer(model, [], [InteractionTask("sit", 0)], np.zeros(2))


@pytest.mark.parametrize("name", ["table of 74 cm", "wall"])
def test_it_leans_stays_and_walks_off(model: ControllerModel, name: str) -> None:
    play = to_lean(model, OBJECTS[name], 0)
    while len(play.frames) < 2400 and play.advance(60):
        pass
    assert play.done and not has_given_up(play.recording)
    refined, reached = refine_interaction(play.recording), play.recording.event_frame("reached", 0)
    assert reached is not None
    held = refined.clip.positions[reached + 30 : reached + 150]
    for role in ("hand.L", "hand.R"):
        assert (
            np.linalg.norm(held[:, model.skeleton.joint(role)] - held[0, model.skeleton.joint(role)], axis=-1).max()
            < 0.01
        )
    speeds = np.linalg.norm(np.diff(refined.clip.positions, axis=0), axis=-1) * model.rate
    assert np.isfinite(speeds).all() and speeds.max() < 15.0
