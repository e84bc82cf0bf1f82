"""Objects that hang by their handles: where their bearer stands, where they hang, and which are refused."""

from typing import Any

import numpy as np
import pytest

from footfall.benchmarks.odd_props import odd_loads
from footfall.core.control.interaction.actions.hang_carry import require_hangable
from footfall.core.control.interaction.hanging import TUNING as HANGING_TUNING
from footfall.core.control.interaction.hanging import bearer_facing, bearer_position, hanging_points, is_hung
from footfall.core.errors import FootfallError
from footfall.core.motion.proportions import ADULT_LEG_LENGTH_M
from footfall.core.motion.root_frame import facing_direction, yaw_of
from footfall.core.scene.affordances import Grips
from footfall.core.scene.interaction_object import InteractionObject
from footfall.core.scene.object_usage import use_object
from footfall.tests.core.control.interaction.test_sequencer import BOX, block


@pytest.fixture(scope="module")
def suitcase() -> InteractionObject:
    return use_object("suitcase", *odd_loads()["suitcase"], "carry", None)


def handled(size: tuple[float, float, float], **more: Any) -> InteractionObject:
    grips = Grips(np.array([[0.0, 0.0, size[2]]] * 2), np.array([1.0, 0.0]), is_handle=True)
    return block("case", "box", size, (0.0, 2.0, 0.0), grips_override=grips, **more)


@pytest.mark.parametrize("side", [0, 2])
def test_the_bearer_has_the_object_at_its_right_and_faces_along_its_bar(suitcase: InteractionObject, side: int) -> None:
    assert is_hung(suitcase) and not is_hung(BOX)
    seen = suitcase.facing_side(side)
    position, facing = bearer_position(seen), bearer_facing(seen)
    right = np.array([facing[1], -facing[0]])
    np.testing.assert_allclose(facing, [1.0 if side == 0 else -1.0, 0.0], atol=1e-9)
    assert -position @ right == pytest.approx(0.21 + 0.11, abs=0.02), "the leg's room, and half of the suitcase"


def test_it_hangs_beside_the_leg_and_comes_down_with_the_hips(suitcase: InteractionObject) -> None:
    for turn in (0.0, 1.0, -2.0):
        facing = facing_direction(np.array(turn))
        heights = []
        for hips in (0.99, 0.8, 0.5):
            points = hanging_points(suitcase, np.array([1.0, 2.0, hips]), np.array(turn), ADULT_LEG_LENGTH_M, 0.57)
            aside = points.mean(axis=0)[:2] - [1.0, 2.0]
            assert aside @ facing == pytest.approx(0.0, abs=1e-9)
            assert float(yaw_of(facing)) == pytest.approx(turn)
            heights.append(float(points[0, 2]))
        np.testing.assert_allclose(heights, [HANGING_TUNING.hanging_height, HANGING_TUNING.hanging_height - 0.16, 0.57])


@pytest.mark.parametrize(
    ("size", "put", "words"),
    [
        ((0.6, 0.5, 0.5), 0.0, "m thick beside its handle, too thick to carry in one hand"),
        ((0.3, 0.2, 0.9), 0.0, "m below its handle and would drag on the ground"),
        ((0.3, 0.2, 0.5), 0.8, "too high for one hand"),
    ],
)
def test_what_does_not_hang_is_refused_with_a_sentence(
    size: tuple[float, float, float], put: float, words: str
) -> None:
    with pytest.raises(FootfallError, match=words):
        require_hangable(handled(size), put)
