"""Partners of clips in data sets: two walkers side by side, whom a table pairs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.opponent import GROUPS
from footfall.core.motion import Clip
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.tests.support.walker import Walker
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetSettings
from footfall.training.data.partner_companion import HAND_SENSORS, partner_file

SETTINGS = DatasetSettings(
    features="local_phase_system", parts=("partner",), validation_share=0.0, knee_correction=False
)
PLAIN, MIRRORED = "speed 1, bend 0", "speed 1, bend 0, mirrored"
NOW = 6
ASIDE_M = 0.7


def beside(clip: Clip, distance: float) -> Clip:
    """Return a twin at a distance to the right of a walker."""
    way = clip.root_positions[-1] - clip.root_positions[0]
    right = np.array([way[1], -way[0], 0.0]) / np.linalg.norm(way[:2])
    return replace(clip, root_positions=clip.root_positions + distance * right)


def write_pair(folder: Path, distance: float = ASIDE_M, scale: float = 1.0) -> list[Path]:
    """Two walkers as BVH, the second to the right of the first, and their table; bodies of a size."""
    clip = Walker(seconds=3.0, scale=scale).clip()
    files = [folder / "a.bvh", folder / "b.bvh"]
    for file, one in zip(files, (clip, beside(clip, distance)), strict=True):
        write_bvh(file, one)
    (folder / "PAIRS.csv").write_text("file_a,file_b\na.bvh,b.bvh\n")
    return files


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory, write_walk: Callable[..., Path]) -> Dataset:
    folder = tmp_path_factory.mktemp("pairs")
    alone = write_walk(folder / "alone.bvh")
    return build_dataset([*write_pair(folder), alone], folder / "set", SETTINGS, workers=1)


def inputs(dataset: Dataset, file: str, variant: str = PLAIN) -> np.ndarray:
    clip = next(clip for clip in dataset.clips if clip.file == file)
    x, _, _ = dataset.samples(clip)
    part = next(sequence for sequence in clip.sequences if sequence.variant == variant)
    return x[part.start : part.stop]


def test_a_partner_fills_its_part_and_gives_its_sensors(pairs: Dataset) -> None:
    assert set(GROUPS) <= set(pairs.input_layout.slices)
    assert not any(name.startswith("opponent.") for name in pairs.output_layout.slices)
    assert pairs.sensors == (*FOOT_CONTACTS, *HAND_SENSORS)
    assert pairs.layouts == pairs.expected_layouts()


def test_each_sees_the_other_on_its_own_side(pairs: Dataset) -> None:
    view = pairs.input_layout.view
    for file, side in (("a.bvh", 1.0), ("b.bvh", -1.0)):
        place = view(inputs(pairs, file), "opponent.position")[30:-30, NOW]
        np.testing.assert_allclose(place, np.tile([side * ASIDE_M, 0.0], (len(place), 1)), atol=0.02)
        np.testing.assert_allclose(view(inputs(pairs, file), "opponent.distance"), ASIDE_M, atol=0.01)


def test_on_a_larger_body_the_partner_is_further_away(tmp_path: Path) -> None:
    """The clips of half-sized walkers are samples on their own skeleton; those on the adult's are twice as far."""
    (tmp_path / "small").mkdir()
    small = write_pair(tmp_path / "small", ASIDE_M / 2, 0.5)
    adult = tmp_path / "adult.bvh"
    write_bvh(adult, Walker(seconds=12.0).clip())
    dataset = build_dataset([*small, adult], tmp_path / "set", replace(SETTINGS, mirror=False), workers=1)
    size = dataset.skeleton.leg_length / 0.42
    place = dataset.input_layout.view(inputs(dataset, "small/a.bvh"), "opponent.position")[30:-30, NOW]
    np.testing.assert_allclose(place[:, 0], size * ASIDE_M / 2, rtol=0.03)


def test_bent_along_a_curve_it_comes_along(tmp_path: Path) -> None:
    files = write_pair(tmp_path)
    dataset = build_dataset(files, tmp_path / "set", replace(SETTINGS, bends=(0.4,), mirror=False), workers=1)
    place = dataset.input_layout.view(inputs(dataset, "a.bvh", "speed 1, bend 0.4"), "opponent.position")[30:-30, NOW]
    np.testing.assert_allclose(np.linalg.norm(place, axis=-1), ASIDE_M, atol=0.06)
    assert (place[:, 0] > 0.6).all()


def test_hands_that_hold_are_contacts(tmp_path: Path) -> None:
    """Twins so near that the left hand of one is at the right hand of the other: both are contacts of the sensors."""
    files = write_pair(tmp_path, distance=0.5)
    dataset = build_dataset(files, tmp_path / "set", replace(SETTINGS, mirror=False), workers=1)
    _, y, _ = dataset.samples(dataset.clips[0])
    touching = dataset.output_layout.view(y, "contact.other").mean(axis=0)
    _, y, _ = dataset.samples(dataset.clips[1])
    other = dataset.output_layout.view(y, "contact.other").mean(axis=0)
    assert touching.max() > 0.4 and touching.max() == other.max()
    assert touching.argmax() != other.argmax(), "the right hand of one holds the left hand of the other"


def test_a_changed_partner_is_built_again(tmp_path: Path) -> None:
    files = write_pair(tmp_path)
    settings = replace(SETTINGS, mirror=False)
    before = inputs(build_dataset(files, tmp_path / "set", settings, workers=1), "a.bvh").copy()
    write_pair(tmp_path, distance=1.5)
    after = inputs(build_dataset(files, tmp_path / "set", settings, workers=1), "a.bvh")
    assert not np.array_equal(before, after)


def test_the_partner_is_the_table_s_other_clip(tmp_path: Path) -> None:
    first, second = write_pair(tmp_path)
    assert (partner_file(first), partner_file(second)) == (second, first)
    (tmp_path / "PAIRS.csv").unlink()
    assert not partner_file(first).exists()
