"""Copies of clips in a data set: paces, bends, backward, upright and slanted ones."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.jobs.clip_tags import ClipTags
from footfall.training.data.build import build_dataset
from footfall.training.data.clip_variants import variants_of
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetSettings


@pytest.fixture(scope="module")
def walks_back(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """A walk ahead with a backward copy at half the pace."""
    walk = shared_data / "mocap/cmu_asfamc/walk/35_01.bvh"
    settings, tags = DatasetSettings(mirror=False, validation_share=0.0), {walk: ClipTags(backward=(0.5,))}
    return build_dataset([walk], tmp_path_factory.mktemp("back"), settings, 1, tags=tags)


def test_a_backward_copy_walks_backward_at_its_pace(walks_back: Dataset) -> None:
    (clip,) = walks_back.clips
    _, y, phase = walks_back.samples(clip)
    ahead, back = (
        walks_back.output_layout.view(y[one.start : one.stop], "root.velocity")[:, 1].mean() for one in clip.sequences
    )
    assert back == pytest.approx(-ahead / 2, rel=0.05)
    going = phase[clip.sequences[1].start : clip.sequences[1].stop]
    assert np.mean(np.diff(np.unwrap(going, period=1.0))) > 0.0


def test_each_tag_adds_its_copies() -> None:
    tags = ClipTags(paces=(0.5,), backward=(0.8,), upright=(1.2,), slants=(-1.0, 1.0))
    names = [variant.name(0.0) for variant in variants_of(tags, (1.0,), (0.0, 0.5))]
    assert names == [
        "speed 1, bend 0",
        "speed 1, bend 0, pace 0.5",
        "speed 1, bend 0, pace 1.2, upright",
        "speed 1, bend 0, pace 0.8, backward",
        "speed 1, bend 0, pace 0.5, slant -1",
        "speed 1, bend 0, pace 0.8, slant -1, backward",
        "speed 1, bend 0, pace 0.5, slant 1",
        "speed 1, bend 0, pace 0.8, slant 1, backward",
    ]


def test_only_copies_that_go_ahead_are_bent() -> None:
    tags = ClipTags(paces=(0.5,), backward=(0.8,), slants=(1.0,))
    bent = [variant.bends for variant in variants_of(tags, (1.0,), (0.0, 0.5))]
    assert bent == [(0.0, 0.5), (0.0, 0.5), (0.0,), (0.0,), (0.0,)]
