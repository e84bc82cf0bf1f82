"""Records of takes: what is written is what is read, and nothing else is trusted."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion.root_frame import root_track
from footfall.tests.training.interactions.walker_takes import held_take, seated_take
from footfall.training.data.manifest import DatasetError
from footfall.training.interactions.take_record import LABEL_NAMES, RECORD_NAME, TakeRecord


@pytest.mark.parametrize("make", [seated_take, held_take])
def test_a_record_is_read_as_it_was_written(make, tmp_path: Path) -> None:
    take = make(0)
    record = TakeRecord.of(take)
    record.save(tmp_path)
    again = TakeRecord.load(tmp_path, take.clip.skeleton)
    np.testing.assert_allclose(again.clip.positions, take.clip.positions, atol=1e-6)
    np.testing.assert_array_equal(again.track.yaws, root_track(take.clip).yaws)
    for name in LABEL_NAMES:
        np.testing.assert_array_equal(getattr(again.labels, name), getattr(record.labels, name))
    np.testing.assert_array_equal(again.goal_object, take.goal_object)
    assert [(one.name, one.kind) for one in again.objects] == [(one.name, one.kind) for one in take.objects]
    for one, other in zip(again.objects, take.objects, strict=True):
        np.testing.assert_array_equal(one.collider.lower, other.collider.lower)
        np.testing.assert_array_equal(one.positions, other.positions)
        np.testing.assert_array_equal(one.rotations, other.rotations)


def test_missing_and_damaged_records_are_reported(tmp_path: Path) -> None:
    take = seated_take(0)
    with pytest.raises(DatasetError, match="is missing or damaged"):
        TakeRecord.load(tmp_path, take.clip.skeleton)
    TakeRecord.of(take).save(tmp_path)
    data = (tmp_path / RECORD_NAME).read_bytes()
    (tmp_path / RECORD_NAME).write_bytes(data[: len(data) // 2])
    with pytest.raises(DatasetError, match="augmented_share to 0"):
        TakeRecord.load(tmp_path, take.clip.skeleton)
