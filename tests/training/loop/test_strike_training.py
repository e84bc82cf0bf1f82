"""Attacks from clips to a controller, by each preset and the same call."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.strike.strike_order import StrikeOrder
from footfall.core.control.strike.strike_rollout import StrikeRollout
from footfall.core.features.strikes import STRIKE_ACTIONS
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.core.motion.bvh import write_bvh
from footfall.tests.support.poses import puncher
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.loop.session import train

SMALL = [
    *("hidden=16", "epochs=1", "unroll_epochs=1", "unroll_steps=3", "unroll_batch=16", "batch=32"),
    *("other_targets=1", "threads=1", "device=cpu"),
]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two punches, each also at another target, and mirrored."""
    folder = tmp_path_factory.mktemp("strikes")
    clips = [folder / f"punch_{number}.bvh" for number in range(2)]
    for clip, takes in zip(clips, (0.18, 0.2), strict=True):
        write_bvh(clip, puncher(takes))
    run = RunFolder(folder / "run")
    config = TrainingConfig.from_preset("strikes_pfnn").with_overrides(SMALL)
    train(run, config, clips=clips, workers=1)
    return run.dataset_path


def test_each_clip_is_there_as_it_is_at_other_targets_and_mirrored(dataset: Path) -> None:
    opened = Dataset.open(dataset)
    assert opened.gaits == STRIKE_ACTIONS
    assert [one.variant.partition("bend 0")[2] for one in opened.clips[0].sequences] == [
        "",
        ", mirrored",
        ", targets 1",
        ", targets 1, mirrored",
    ]
    x, _, phase = opened.samples(opened.clips[0])
    own, mirrored, moved, _ = opened.clips[0].sequences
    apex = own.start + int(np.argmin(np.abs(np.asarray(phase[own.start : own.stop]) - 0.5)))
    target, other, flipped = (
        opened.input_layout.view(x, "target.position")[apex - own.start + one.start] for one in (own, moved, mirrored)
    )
    assert np.linalg.norm(target - other) > 0.02
    np.testing.assert_allclose(flipped, target * [-1, 1, 1], atol=0.02)


@pytest.mark.parametrize("preset", ["strikes_erd", "strikes_pfnn", "strikes_local_phases"])
def test_every_preset_makes_a_controller_that_attacks(dataset: Path, tmp_path: Path, preset: str) -> None:
    more = ["recurrent=8", "sequence_steps=4"] if preset == "strikes_erd" else []
    run = RunFolder(tmp_path)
    train(run, TrainingConfig.from_preset(preset).with_overrides([*SMALL, *more]), dataset=dataset)
    model = load_model(run.model_path)
    assert model.is_strike_controller
    assert not model.trained_on_terrain
    rollout = StrikeRollout(model, np.zeros(2), 0.0)
    attack = rollout.strike(StrikeOrder(80, np.array([0.0, 0.6, 1.3]), "hand.R"))
    assert 0 < attack.blow.apex == rollout.frames_done - 1
    assert 0.25 <= attack.phase <= 0.9
    rollout.recover()
    motion = rollout.finish()
    assert len(motion.clip) == rollout.frames_done
    assert np.isfinite(motion.clip.positions).all()
