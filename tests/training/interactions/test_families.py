"""Every family of networks learns from takes and goes on errands."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.training.interactions.walker_takes import BODY, STOOL, walker_take
from footfall.training.config.config import TrainingConfig
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.loop.session import train

TINY = TrainingConfig(
    hidden=8,
    recurrent=8,
    experts=2,
    gating_hidden=8,
    encoder=8,
    batch=32,
    epochs=1,
    unroll_steps=3,
    unroll_epochs=1,
    unroll_batch=16,
    rollouts=0,
    threads=1,
    device="cpu",
)
FAMILIES = {
    "NSM": {"family": "experts", "gating": "goals"},
    "NSM without products": {"family": "experts", "gating": "concatenated"},
    "MANN": {"family": "experts", "gating": "velocity"},
    "MLP": {"family": "plain", "phase_input": True},
    "PFNN": {"family": "pfnn"},
    "LSTM": {"family": "lstm", "sequence_steps": 10, "batch": 8, "unroll_steps": 0},
    "Auto-LSTM": {"family": "lstm", "sequence_steps": 10, "batch": 8, "unroll_forcing": 0.5},
}


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_interaction_dataset(
        walker_take, BODY, tmp_path_factory.mktemp("interactions"), InteractionDatasetSettings(takes=2)
    ).path


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_trained_and_commanded_to_sit(name: str, takes: Path, tmp_path: Path) -> None:
    model = load_model(train(RunFolder(tmp_path / "run"), replace(TINY, **FAMILIES[name]), dataset=takes))
    stool = InteractionObject("stool", "seat", STOOL, np.array([0.0, 2.0, 0.0]), rotation_about_up(np.array(0.0)))
    play = InteractionSequencer(model, [stool], [InteractionTask("sit", 0)], np.zeros(2))
    play.advance(20)
    outputs = np.concatenate([acted.output for acted in play.frames])
    assert len(outputs) == 20 and np.isfinite(outputs).all()
    assert np.abs(np.diff(outputs, axis=0)).max() > 0, "it answers to what it is told"
    assert (len(play.runtime.state.memory) > 0) == ("LSTM" in name), "only LSTMs remember"
