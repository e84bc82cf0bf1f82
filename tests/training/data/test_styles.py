"""Labels in a controller's gaits, and in styles that it is taught."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling import Labels, label_clip
from footfall.tests.support.walker import Walker
from footfall.training.data.styles import convert_gaits

GAITS = ("stand", "walk", "run", "crouch", "jump")


@pytest.fixture(scope="module")
def labels() -> Labels:
    return label_clip(Walker(pause=1.0, seconds=4.0).clip())


def test_jogs_are_runs_and_old_styles_have_no_frames(labels: Labels) -> None:
    told = convert_gaits(labels, (*GAITS, "limp"))
    assert told.gait_names == (*GAITS, "limp")
    np.testing.assert_allclose(told.gaits.sum(axis=1), 1.0)
    np.testing.assert_allclose(told.gaits[:, 2], labels.gaits[:, 2] + labels.gaits[:, 3])
    assert not told.gaits[:, -1].any()


def test_a_style_is_there_throughout(labels: Labels) -> None:
    told = convert_gaits(labels, (*GAITS, "limp"), "limp")
    np.testing.assert_array_equal(told.gaits[:, -1], 1.0)
    np.testing.assert_array_equal(told.gaits[:, :-1], 0.0)


def test_a_gait_that_the_controller_lacks_is_named(labels: Labels) -> None:
    with pytest.raises(FootfallError, match="'crouch', but the controller only knows"):
        convert_gaits(labels, ("stand", "walk", "run"))
    animal = replace(labels, gait_names=("stand", "walk", "trot"), gaits=labels.gaits[:, :3])
    with pytest.raises(FootfallError, match="'trot'"):
        convert_gaits(animal, GAITS)
