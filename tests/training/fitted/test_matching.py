"""How a data base is made: whole sequences, no seams of ground, and axes on which parts count what they should."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from footfall.core.features.terrain import BASE_COLUMN, COLUMN_COUNT, PREVIOUS_BASE_COLUMN  # noqa: E402
from footfall.core.models.matching import QUERY_AXIS_COUNT, MatchingArchitecture, query_columns  # noqa: E402
from footfall.training.config.config import TrainingConfig  # noqa: E402
from footfall.training.data.dataset import Dataset  # noqa: E402
from footfall.training.data.samples import load_samples  # noqa: E402
from footfall.training.fitted.matching import fit_matching, principal_query_axes  # noqa: E402
from footfall.training.fitted.material import FittingData  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture
def material(dataset: Dataset) -> FittingData:
    """Four small walks."""
    training, validation = (load_samples(dataset, split, CPU, 1.0) for split in ("training", "validation"))
    return FittingData(dataset, training, validation, TrainingConfig())


def test_all_frames_are_kept_where_there_is_room(material: FittingData) -> None:
    fit = fit_matching(MatchingArchitecture(), material, lambda *told: None)
    assert fit.architecture == MatchingArchitecture(len(material.training))
    np.testing.assert_array_equal(fit.tensors["y"], material.training.y)
    np.testing.assert_array_equal(fit.tensors["phase"], material.training.phase)
    left = [np.arange(stop - start)[::-1] for start, stop in material.training.sequences.numpy()]
    np.testing.assert_array_equal(fit.tensors["left"], np.concatenate(left))
    unit = material.dataset.normalization.y_std[material.task.outputs.slices["phase.rate"]][0]
    assert fit.tensors["phase_unit"] == np.float32(unit)
    network = fit.architecture.network(fit.tensors, material.task)
    joined = np.flatnonzero(fit.tensors["left"] > 30)[::9]
    y, _ = network.step(material.training.x.numpy()[joined], fit.tensors["phase"][joined], network.begin(len(joined)))
    np.testing.assert_array_equal(y, fit.tensors["y"][joined], "every frame is found by its own input")


def test_nobody_plays_on_over_a_seam_between_grounds(material: FittingData) -> None:
    samples = material.training
    start, stop = samples.sequences[0].tolist()
    grounds = np.zeros((len(samples), 1, COLUMN_COUNT), dtype=np.float32)
    seam = start + 10
    # From the eleventh frame on another patch; that frame's input is still counted from its own.
    grounds[seam:stop, 0, BASE_COLUMN] = 0.2
    grounds[seam:stop, 0, PREVIOUS_BASE_COLUMN] = 0.2
    rough = replace(samples, grounds=torch.from_numpy(grounds), ground_index=torch.arange(len(samples)))
    fit = fit_matching(MatchingArchitecture(), replace(material, training=rough), lambda *told: None)
    left = fit.tensors["left"][: stop - start]
    np.testing.assert_array_equal(left, [*range(10, -1, -1)][1:] + [*range(stop - seam)][::-1])
    heights = material.task.outputs.slices["pose.position"].start + 2
    std = material.dataset.normalization.y_std[heights]
    np.testing.assert_allclose(samples.y[seam, heights] - fit.tensors["y"][10, heights], 0.2 / std, rtol=1e-4)
    fit.architecture.network(fit.tensors, material.task)


def test_parts_of_a_query_have_their_weights() -> None:
    rng = np.random.default_rng(0)
    queries = (rng.normal(size=(5000, 6)) * [1, 2, 3, 100, 50, 0]).astype(np.float32)
    axes = principal_query_axes(queries, [(1.0, 3), (2.0, 2), (5.0, 1)])
    assert axes.shape == (6, 6)
    along = queries @ axes
    deviations = along.std(axis=0)
    assert (np.diff(deviations) <= 1e-5).all(), "the first axis tells most"
    np.testing.assert_allclose(np.square(deviations).sum(), 1**2 + 2**2, rtol=1e-3)
    # A rotation of the scaled columns: distances are those of the parts, each in its own deviation.
    own = queries.astype(float)
    first = np.square(own[:2500, :3] - own[2500:, :3]).sum(axis=1) / own[:, :3].var(axis=0).sum()
    second = 4 * np.square(own[:2500, 3:5] - own[2500:, 3:5]).sum(axis=1) / own[:, 3:5].var(axis=0).sum()
    np.testing.assert_allclose(np.square(along[:2500] - along[2500:]).sum(axis=1), first + second, rtol=1e-3)


def test_few_axes_tell_real_queries_apart(material: FittingData) -> None:
    columns = query_columns(material.task)
    queries = material.training.x.numpy()[:, np.concatenate(list(columns.values()))].astype(float)
    axes = principal_query_axes(queries.astype(np.float32), [(1.0, len(own)) for own in columns.values()])
    assert axes.shape == (queries.shape[1], QUERY_AXIS_COUNT)
    varied, at = 0.0, 0
    for own in columns.values():
        part = queries[:, at : at + len(own)]
        varied, at = varied + (part.var() > 1e-9), at + len(own)
    assert varied == len(columns) - 1, "all but the ground differ"
    np.testing.assert_allclose((queries @ axes).var(axis=0).sum(), varied, rtol=0.02)
