"""A data set of procedural takes of interactions, and windows of it."""

import pytest

from footfall.tests.training.interactions.walker_takes import BODY, walker_take
from footfall.tests.training.losses.take_windows import CPU, FRAMES
from footfall.training.data.dataset import Dataset
from footfall.training.data.samples import WindowBatch, load_samples
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.losses.closed_loop import InteractionFeedback


@pytest.fixture(scope="module")
def take_dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    settings = InteractionDatasetSettings(takes=2, validation_share=0.0)
    return build_interaction_dataset(walker_take, BODY, tmp_path_factory.mktemp("closed_loop"), settings)


@pytest.fixture(scope="module")
def take_feedback(take_dataset: Dataset) -> InteractionFeedback:
    return InteractionFeedback(take_dataset, CPU)


@pytest.fixture
def take_windows(take_dataset: Dataset) -> WindowBatch:
    samples = load_samples(take_dataset, "training", CPU, 1.0)
    starts = samples.window_starts(FRAMES)
    return samples.windows(starts[:: max(len(starts) // 16, 1)], FRAMES)
