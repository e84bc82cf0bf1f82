"""Objects that move by themselves, as their scene declares it."""

import pytest

from footfall.core.errors import FootfallError
from footfall.core.message import Message
from footfall.core.scene.declared_motion import DeclaredMotion, require_usable_motion

SLIDING = DeclaredMotion("slides", Message("the keyframes of '{name}'", name="Leaf"))
TURNING = DeclaredMotion("moves", Message("the drivers of '{name}'", name="Leaf"))


def refusal(name: str, action: str, *motions: DeclaredMotion) -> str:
    with pytest.raises(FootfallError) as error:
        require_usable_motion(name, action, motions)
    return str(error.value)


def test_a_leaf_that_slides_is_refused_and_one_that_turns_is_not() -> None:
    said = refusal("Leaf", "open", TURNING, SLIDING)
    assert (
        said.startswith("'Leaf' slides because of the keyframes of 'Leaf'")
        and "\n" not in said
        and not said.endswith(".")
    )
    require_usable_motion("Leaf", "open", [TURNING])


def test_a_seat_that_moves_is_refused_and_a_box_is_not() -> None:
    for motion in (SLIDING, TURNING):
        assert "choose a seat that stays still" in refusal("Chair", "sit", motion)
        require_usable_motion("Chair", "carry", [motion])
        require_usable_motion("Chair", "push", [motion])
