"""Performers from a list of clips to a controller's file."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.locomotion import PERFORMER_GROUP
from footfall.core.jobs.clip_tags import ClipTags
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.models.pfnn import PfnnArchitecture, PfnnWeights
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetError, DatasetSettings
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.loop.export import write_controller


@pytest.fixture(scope="module")
def people(walks: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Two walks of Anna, one of Ben, and one (the quick one) that names no performer."""
    slow, quick, turning, small = walks
    tags = {slow: ClipTags("anna"), turning: ClipTags("ben"), small: ClipTags("anna")}
    settings = DatasetSettings(mirror=False, validation_share=0.0)
    return build_dataset([slow, quick, turning, small], tmp_path_factory.mktemp("people"), settings, 1, tags=tags)


@pytest.fixture(scope="module")
def model(people: Dataset, tmp_path_factory: pytest.TempPathFactory) -> ControllerModel:
    """The controller file of a network with made-up weights that learned from them, read again."""
    path = tmp_path_factory.mktemp("model") / "people.safetensors"
    rng, shapes = np.random.default_rng(2), PfnnWeights.shapes(people.input_layout.size, 8, people.output_layout.size)
    tensors = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}
    write_controller(path, people, PfnnArchitecture(hidden=8), tensors, {})
    return load_model(path)


def test_the_one_with_most_minutes_comes_first(people: Dataset) -> None:
    assert people.performers == ("anna", "ben")
    assert {clip.file: clip.performer for clip in people.clips} == {
        "slow.bvh": "anna",
        "quick.bvh": "anna",
        "turning.bvh": "ben",
        "small.bvh": "anna",
    }


def test_each_sample_has_the_code_of_its_performer(people: Dataset) -> None:
    for clip in people.clips:
        codes = people.input_layout.view(people.samples(clip)[0], PERFORMER_GROUP)
        np.testing.assert_array_equal(
            codes, np.tile([clip.performer == "anna", clip.performer == "ben"], (len(codes), 1))
        )


def test_the_controller_file_keeps_their_names(people: Dataset, model: ControllerModel) -> None:
    assert model.performers == people.performers
    assert model.input_layout.slices[PERFORMER_GROUP] == people.input_layout.slices[PERFORMER_GROUP]


def test_clips_that_a_controller_has_no_performer_or_style_for_are_skipped(
    model: ControllerModel, walks: list[Path], tmp_path: Path
) -> None:
    tags = {walks[0]: ClipTags("ben"), walks[1]: ClipTags("carl"), walks[2]: ClipTags(style="proud")}
    base = NetworkSkeleton.of(model)
    own = build_dataset(walks[:3], tmp_path, DatasetSettings(mirror=False), 1, network_skeleton=base, tags=tags)
    assert [clip.performer for clip in own.clips] == ["ben"]
    reasons = {Path(skipped["file"]).name: skipped["reason"] for skipped in own.manifest["skipped"]}
    assert "'carl'" in reasons["quick.bvh"]
    assert "'proud'" in reasons["turning.bvh"]


def test_a_list_of_strangers_alone_is_refused(model: ControllerModel, walks: list[Path], tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="'carl'"):
        build_dataset(
            walks[:1],
            tmp_path,
            workers=1,
            network_skeleton=NetworkSkeleton.of(model),
            tags={walks[0]: ClipTags("carl")},
        )
