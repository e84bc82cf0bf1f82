"""Data sets of clips that were not captured on level ground: what they stand on, and how it comes into batches."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from footfall.core.errors import FootfallError
from footfall.core.features.terrain import BASE_COLUMN, PREVIOUS_BASE_COLUMN, apply_terrain
from footfall.core.terrain.patches import build_patches
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetSettings
from footfall.training.data.samples import SplitSamples, load_samples
from footfall.training.losses.stages import PoseFeedback, window_loss
from footfall.training.networks.network import Memory, TrainedNetwork

CPU = torch.device("cpu")
GROUNDS = 3


@pytest.fixture(scope="module")
def clips(shared_data: Path) -> list[Path]:
    """Somebody on stairs, and somebody on level ground."""
    mocap = shared_data / "mocap" / "cmu_asfamc"
    return [mocap / "stairs" / "14_22.bvh", mocap / "walk" / "35_01.bvh"]


@pytest.fixture(scope="module")
def patches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_patches(tmp_path_factory.mktemp("ground") / "patches", 160).folder


@pytest.fixture(scope="module")
def rough(clips: list[Path], patches: Path, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    settings = DatasetSettings(
        mirror=False, validation_share=0.0, terrain="fitted", patches=str(patches), grounds=GROUNDS
    )
    return build_dataset(clips, tmp_path_factory.mktemp("rough") / "set", settings, workers=1)


@pytest.fixture(scope="module")
def samples(rough: Dataset) -> SplitSamples:
    return load_samples(rough, "training", CPU, 1.0)


def test_only_clips_off_level_ground_have_grounds(rough: Dataset) -> None:
    grounds = {Path(clip.file).stem: clip.grounds for clip in rough.clips}
    assert grounds == {"14_22": GROUNDS + 1, "35_01": 0}, "the patches, and the clip's own"
    terrain = {Path(clip.file).stem: rough.terrain(clip) for clip in rough.clips}
    assert terrain["35_01"] is None
    assert terrain["14_22"] is not None
    assert np.ptp(terrain["14_22"][..., BASE_COLUMN]) > 0.3, "three steps"


def test_heights_are_normalised_and_poses_counted_from_the_ground(rough: Dataset) -> None:
    heights = rough.normalization.x_std[rough.input_layout.slices["terrain.height"]]
    assert 0.01 < heights.min() == heights.max() < 0.3
    stairs = next(clip for clip in rough.clips if clip.grounds)
    _, y, _ = rough.samples_on_terrain(stairs)
    hips = rough.output_layout.view(y, "pose.position")[:, 0, 2]
    assert np.ptp(hips) < 0.45 < np.ptp(rough.output_layout.view(rough.samples(stairs)[1], "pose.position")[:, 0, 2])


def test_batches_stand_on_their_grounds_in_turns(rough: Dataset, samples: SplitSamples) -> None:
    stairs = next(clip for clip in rough.clips if clip.grounds)
    first = 0 if rough.clips[0] == stairs else rough.clips[0].samples
    starts = first + np.array([5, 6, 200])
    x, y, _ = (np.array(part[starts - first]) for part in rough.samples(stairs))
    terrain = rough.terrain(stairs)
    assert terrain is not None
    apply_terrain(x, y, terrain[starts - first, starts % stairs.grounds], rough.input_layout, rough.output_layout)
    normal = rough.normalization
    drawn = samples.windows(torch.from_numpy(starts), 1)
    np.testing.assert_allclose(drawn.x[:, 0], (x - normal.x_mean) / normal.x_std, atol=1e-4)
    np.testing.assert_allclose(drawn.y[:, 0], (y - normal.y_mean) / normal.y_std, atol=1e-4)


def test_the_datas_own_answer_is_the_next_input_where_one_ground_ends_and_another_begins(
    rough: Dataset, samples: SplitSamples
) -> None:
    stairs = next(clip for clip in rough.clips if clip.grounds)
    terrain = rough.terrain(stairs)
    assert terrain is not None
    first = 0 if rough.clips[0] == stairs else rough.clips[0].samples
    gaps = np.abs(terrain[1:, :, PREVIOUS_BASE_COLUMN] - terrain[:-1, :, BASE_COLUMN]).max(axis=1)
    border = int(np.argmax(gaps))
    assert gaps[border] > 1e-3
    drawn = samples.windows(torch.tensor([first + border - 1]), 4)
    seen: list[torch.Tensor] = []

    class Perfect(TrainedNetwork):
        off = 0.0

        def step(self, x: torch.Tensor, phase: torch.Tensor, memory: Memory) -> tuple[torch.Tensor, Memory]:
            seen.append(x)
            return drawn.y[:, len(seen) - 1] + self.off, memory

    perfect = Perfect()
    assert window_loss(perfect, PoseFeedback(rough, CPU), samples.ground_placement, drawn) == 0.0
    torch.testing.assert_close(torch.stack(seen, dim=1), drawn.x, atol=1e-4, rtol=0)


def test_a_plane_edited_to_the_footsteps_is_one_ground(clips: list[Path], tmp_path: Path) -> None:
    settings = DatasetSettings(mirror=False, validation_share=0.0, terrain="edited")
    dataset = build_dataset(clips, tmp_path / "set", settings, workers=1)
    assert sorted(clip.grounds for clip in dataset.clips) == [0, 1]


def test_a_damaged_ground_is_one_clear_sentence(rough: Dataset, tmp_path: Path) -> None:
    shutil.copytree(rough.path, tmp_path / "set")
    next((tmp_path / "set").rglob("terrain.npy")).write_bytes(b"nothing")
    with pytest.raises(FootfallError, match=r"data set is missing or damaged.*build the data set again"):
        Dataset.open(tmp_path / "set")
