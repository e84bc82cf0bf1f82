"""Training with ``torchrun``: the result of one process, whoever computes it, and whoever dies meanwhile."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.loop.session import train

PROGRAM = """
import json, os, signal, sys, threading, time
from pathlib import Path
from footfall.core.jobs.run_folder import RunFolder
from footfall.training.config.config import TrainingConfig
from footfall.training.loop.session import train

run, victim = RunFolder(Path(sys.argv[1])), sys.argv[4]

def die():
    while not any(int(path.stem[5:]) > 10 for path in run.checkpoints()):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    if os.environ["RANK"] == victim and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        threading.Thread(target=die, daemon=True).start()
    train(run, TrainingConfig.from_mapping(json.loads(sys.argv[3])), dataset=Path(sys.argv[2]))
    names = [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]
    assert not any("gloo" in name for name in names), f"whom nobody needs any more: {names}"
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch has no distributed training"),
]


@pytest.fixture
def exact(tiny: TrainingConfig) -> TrainingConfig:
    """A training in which nothing is drawn by chance but the batches: what processes draw is their own."""
    return replace(tiny, dropout=0.0, pose_noise=0.0, amp="off")


def together(folder: Path, dataset: Dataset, config: TrainingConfig, *options: str, victim: str = "") -> RunFolder:
    """A run of two processes."""
    program, run = folder / "program.py", RunFolder(folder / "together")
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", *options]
    arguments = [program, run.path, dataset.path, json.dumps(config.to_mapping()), victim]
    done = subprocess.run([*command, *map(str, arguments)], timeout=280, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return run


def assert_alike(one: RunFolder, other: RunFolder) -> None:
    mine, theirs = (load_model(run.model_path) for run in (one, other))
    for name, tensor in mine.tensors.items():
        np.testing.assert_allclose(tensor, theirs.tensors[name], atol=2e-4, err_msg=name)
    losses = [model.provenance["metrics"]["validation_loss"] for model in (mine, theirs)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-3)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
@pytest.mark.all_only("processes start for seconds")
def test_a_killed_process_is_started_again_and_the_run_goes_on(tmp_path: Path, dataset: Dataset, exact: TrainingConfig):
    config = replace(exact, epochs=30, checkpoint_interval=0.0)
    alone = RunFolder(tmp_path / "alone")
    train(alone, config, dataset=dataset.path)
    shared = together(tmp_path, dataset, config, "--max-restarts=3", victim="0")
    assert shared.status() == "finished"
    # A process that is through may yet be aborted at its end, as torch's threads are, and is started again then.
    assert shared.log_path.read_text().count("2 processes") >= 2
    assert_alike(alone, shared)
