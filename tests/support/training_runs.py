"""Training runs in a process of their own, and the weights of their controllers."""

import json
import subprocess
import sys

import numpy as np

from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset

TRAIN = """
import sys, json
from pathlib import Path
from footfall.core.jobs.run_folder import RunFolder
from footfall.training.config.config import TrainingConfig
from footfall.training.loop.session import train
if __name__ == "__main__":
    config = TrainingConfig.from_mapping(json.loads(sys.argv[3]))
    train(RunFolder(Path(sys.argv[1])), config, dataset=Path(sys.argv[2]))
"""


def start(run: RunFolder, dataset: Dataset, config: TrainingConfig) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", TRAIN, str(run.path), str(dataset.path), json.dumps(config.to_mapping())]
    )


def weights(run: RunFolder) -> dict[str, np.ndarray]:
    return dict(load_model(run.model_path).tensors)


def assert_same_controller(one: RunFolder, other: RunFolder) -> None:
    for name, array in weights(one).items():
        np.testing.assert_array_equal(array, weights(other)[name], err_msg=name)
