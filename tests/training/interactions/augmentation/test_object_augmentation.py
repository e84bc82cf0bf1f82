"""Windows with other objects: equal for equal seeds, the take's own where nothing changed, and told where they fail."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from footfall.core.scene.collider import Collider
from footfall.tests.training.interactions.walker_takes import BODY, STOOL, held_take, seated_take, walker_take
from footfall.training.data.dataset import Dataset
from footfall.training.interactions.augmentation.adapted_motion import AdaptedMotion, adapt_poses
from footfall.training.interactions.augmentation.augmentation_pool import AugmentationPool
from footfall.training.interactions.augmentation.augmented_samples import AugmentedWindow, augmented_samples
from footfall.training.interactions.augmentation.fit_check import keeps_clear
from footfall.training.interactions.augmentation.key_joint_contacts import TakeContacts
from footfall.training.interactions.augmentation.object_augmentation import ObjectAugmentation
from footfall.training.interactions.augmentation.object_pool import PooledSeat, SeatPool
from footfall.training.interactions.augmentation.object_replacement import ObjectReplacement, replace_box, replace_seat
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.interactions.samples import take_samples
from footfall.training.interactions.take import InteractionTake
from footfall.training.interactions.take_record import TakeRecord


def take(number: int) -> InteractionTake:
    """Takes of a seat, of a box and of a walk in turns."""
    return (seated_take, held_take, walker_take)[number % 3](number)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    settings = InteractionDatasetSettings(takes=6, validation_share=0.0)
    return build_interaction_dataset(take, BODY, tmp_path_factory.mktemp("interactions"), settings)


def same_objects(record: TakeRecord, contacts: TakeContacts) -> ObjectReplacement:
    if contacts.seat is None:
        return replace_box(record, contacts, np.ones(3), np.zeros(2), 0.0)
    piece = PooledSeat(record.objects[contacts.number].collider, contacts.seat)
    return replace_seat(record, contacts, piece, np.zeros(2), 0.0)


def samples_of(motion: AdaptedMotion, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    window = AugmentedWindow(motion, frames)
    x, y = augmented_samples(
        [window], adapt_poses([(motion, window.pose_frames)]), BODY.joints, BODY.reference_rotations
    )
    return x[0], y[0]


@pytest.mark.parametrize("make", [seated_take, held_take])
@pytest.mark.parametrize(("first", "length"), [(2, 1), (2, 20), (60, 20), (130, 1), (150, 20)])
def test_the_same_object_gives_the_takes_own_samples(make, first: int, length: int) -> None:
    own = make(0)
    record = TakeRecord.of(own)
    contacts = TakeContacts.of(record)
    assert contacts is not None
    x, y = samples_of(AdaptedMotion(record, contacts, same_objects(record, contacts)), np.arange(first, first + length))
    wanted_x, wanted_y, _ = take_samples(own, BODY.joints, BODY.reference_rotations)
    rows = slice(first - 2, first - 2 + length)
    np.testing.assert_allclose(x, wanted_x[rows], atol=2e-5)
    np.testing.assert_allclose(y, wanted_y[rows], atol=2e-5)


def test_goals_and_sensors_are_of_the_new_object(dataset: Dataset) -> None:
    record = TakeRecord.of(seated_take(0))
    contacts = TakeContacts.of(record)
    assert contacts is not None and contacts.seat is not None
    frames = np.arange(2, 4)
    motion = AdaptedMotion(record, contacts, same_objects(record, contacts))
    piece = PooledSeat(STOOL, contacts.seat)
    moved = replace(motion, replacement=replace_seat(record, contacts, piece, np.array([0.05, 0.0]), 0.0))
    (x, y), (other_x, other_y) = samples_of(motion, frames), samples_of(moved, frames)
    for layout, one, two in ((dataset.input_layout, x, other_x), (dataset.output_layout, y, other_y)):
        shift = layout.view(two, "goal.position") - layout.view(one, "goal.position")
        np.testing.assert_allclose(np.linalg.norm(shift, axis=-1), 0.05, atol=1e-5)
    cells = [dataset.input_layout.view(each, "interaction.voxel") for each in (x, other_x)]
    np.testing.assert_allclose(np.linalg.norm((cells[1] - cells[0])[..., :3], axis=-1), 0.05, atol=1e-5)
    spheres = [dataset.input_layout.view(each, "environment.occupancy") for each in (x, other_x)]
    assert 0.0 < np.abs(spheres[1] - spheres[0]).max() < 0.5
    poses = [dataset.input_layout.view(each, "pose.position") for each in (x, other_x)]
    np.testing.assert_allclose(*poses, atol=1e-6)


def starts_of(dataset: Dataset, step: int) -> np.ndarray:
    """First frames of windows of two, every few frames."""
    firsts = np.cumsum([0, *(clip.samples for clip in dataset.clips)])
    return np.concatenate([np.arange(first, stop - 1, step) for first, stop in pairwise(firsts)])


def drawn(dataset: Dataset, starts: np.ndarray, share: float = 1.0, length: int = 2):
    augmentation = ObjectAugmentation(dataset, "training", share, 0)
    return augmentation, augmentation.draw(starts, length, [(3, row) for row in range(len(starts))])


def test_a_window_depends_on_its_own_seed_alone(dataset: Dataset) -> None:
    starts = starts_of(dataset, 37)
    _, (rows, x, y) = drawn(dataset, starts)
    assert 0 < len(rows) == len(x) == len(y) < len(starts)
    augmentation = ObjectAugmentation(dataset, "training", 1.0, 0)
    for part in np.array_split(np.arange(len(starts)), 3):
        again, again_x, again_y = augmentation.draw(starts[part], 2, [(3, int(row)) for row in part])
        mine = np.isin(rows, part)
        np.testing.assert_array_equal(part[again], rows[mine])
        np.testing.assert_array_equal(again_x, x[mine])
        np.testing.assert_array_equal(again_y, y[mine])


def test_processes_draw_the_same_as_this_one(dataset: Dataset) -> None:
    starts = starts_of(dataset, 41)
    _, here = drawn(dataset, starts)
    pool = AugmentationPool(dataset, "training", 1.0, 0, processes=2)
    try:
        there = pool.draw(starts, 2, [(3, row) for row in range(len(starts))])
    finally:
        pool.close()
    for one, other in zip(here, there, strict=True):
        np.testing.assert_array_equal(one, other)
    assert pool.counts.drawn - pool.counts.failed == len(here[0])


def test_only_windows_near_an_object_are_drawn_and_every_failure_is_counted(dataset: Dataset) -> None:
    firsts = np.cumsum([0, *(clip.samples for clip in dataset.clips)])
    starts = starts_of(dataset, 29)
    augmentation, (rows, _, _) = drawn(dataset, starts)
    assert augmentation.counts.drawn == len(rows) + augmentation.counts.failed
    kinds = np.searchsorted(firsts, starts[rows], side="right") - 1
    assert set(kinds % 3) <= {0, 1}, "walks have nothing to change"
    none, (rows, _, _) = drawn(dataset, starts, share=0.0)
    assert len(rows) == none.counts.drawn == 0
    assert len(drawn(dataset, np.array([firsts[-1] + 5]))[1][0]) == 0, "rehearsed frames are left"


def test_a_sofa_in_the_way_is_not_taken() -> None:
    record = TakeRecord.of(seated_take(0))
    behind = replace(record.objects[0], positions=record.objects[0].positions + np.array([0.0, 0.5, 0.0]))
    record = replace(record, objects=(behind, record.objects[1]))
    contacts = TakeContacts.of(record)
    assert contacts is not None and contacts.seat is not None
    for size, clear in (([0.0, 0.0, 0.0], True), ([0.0, 0.6, 0.0], False), ([1.8, 0.0, 0.0], False)):
        piece = PooledSeat(Collider(STOOL.lower, STOOL.upper + np.array(size)), contacts.seat)
        motion = AdaptedMotion(record, contacts, replace_seat(record, contacts, piece, np.zeros(2), 0.0))
        assert keeps_clear(motion, 2, 60) is clear, size


def test_pools_of_seats_are_equal_for_equal_seeds_and_have_all_heights() -> None:
    one, other = SeatPool(3), SeatPool(3)
    heights = [float(seat.seat.position[2]) for seat in one.seats]
    assert heights == sorted(heights) == [float(seat.seat.position[2]) for seat in other.seats]
    assert heights[0] < 0.4 and heights[-1] > 0.55
    generator = np.random.default_rng(0)
    assert all(0.4 <= one.draw(0.4, 0.5, generator).seat.position[2] < 0.5 for _ in range(20))
    assert one.draw(2.0, 3.0, generator) is None
    for direction in ([1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]):
        np.testing.assert_array_equal(one.seats[0].facing(np.array(direction)).seat.direction, direction)
