"""The comparison is of like with like; what it says is for the reader."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks import interaction_ablations
from footfall.benchmarks.interaction_ablations import HEAD, PRESET, VARIANTS, Variant, means, moved
from footfall.benchmarks.interactions import SHIPPED
from footfall.core.control.runtime.pose_decoder import standing_clip
from footfall.core.models.model_file import load_model
from footfall.core.models.network import Shapes, Task
from footfall.training.config.config import TrainingConfig
from footfall.training.networks.families import architecture_of


@pytest.fixture(scope="module")
def task() -> Task:
    return load_model(SHIPPED).task


def shapes(variant: Variant, task: Task) -> Shapes:
    return architecture_of(replace(TrainingConfig.from_preset(str(PRESET)), **variant.settings)).shapes(task)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda one: one.title)
def test_all_networks_are_of_a_size(variant: Variant, task: Task) -> None:
    unseen = sum(task.inputs.slices[name].stop - task.inputs.slices[name].start for name in variant.without)
    wholes = (task.inputs.size, task.inputs.size + 2)
    weights = 0
    for shape in shapes(variant, task).values():
        columns = shape[-1] - unseen if shape[-1] in wholes else shape[-1]
        weights += int(np.prod(shape[:-1])) * columns
    assert 2.4e6 < weights < 2.6e6


def test_variants_of_one_training_differ_in_how_they_are_used_alone() -> None:
    for run in {variant.run for variant in VARIANTS}:
        same = [replace(one, title="", paper=None, both=True) for one in VARIANTS if one.run == run]
        assert all(one == same[0] for one in same)


def test_errors_are_of_what_was_done() -> None:
    assert means([(2.0, 1.0), None, (4.0, 0.0)]) == (3.0, 0.5)
    assert means([None]) is None


def test_who_stands_does_not_drift() -> None:
    model = load_model(SHIPPED)
    standing = standing_clip(model)
    assert standing is not None
    assert moved(standing, model) == pytest.approx((0.0, 0.0), abs=1e-4)


def test_a_row_says_what_became_of_a_controller(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interaction_ablations, "SITS", 1)
    monkeypatch.setattr(interaction_ablations, "CARRIES", 0)
    monkeypatch.setattr(interaction_ablations, "RESPONSES", 0)
    with ProcessPoolExecutor(1) as pool:
        cells = interaction_ablations.row(VARIANTS[0], SHIPPED, shared_data / "objects", pool)
    assert cells[0] == "the whole (NSM)" and len(cells) == len(HEAD) and cells[4] == "2.93 / 0.92"
    assert cells[5] == "1 of 1" and isinstance(cells[6], float) and 0 < cells[6] < 20
    assert isinstance(cells[8], float) and 0 < cells[8] < cells[6]
    assert cells[10:13] == ["0 of 0", None, None] and cells[14] == "0 of 0"
