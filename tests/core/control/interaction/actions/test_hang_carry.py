"""Carrying by a handle: beside it, upright, then bent, and what is too thick, long or high for it."""

from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.actions.hang_carry import require_hangable
from footfall.core.control.interaction.hanging import bearer_facing, bearer_position
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.errors import FootfallError
from footfall.core.motion.root_frame import yaw_of
from footfall.core.scene.affordances import Grips
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import frame_of, put, record, task_run

SPEC = ACTION_SPECS["carry"]


def case(size: tuple[float, float, float], up: float = 0.0, **more: Any) -> InteractionObject:
    grips = Grips(np.array([[0.0, 0.0, size[2]]] * 2), np.array([1.0, 0.0]), is_handle=True)
    return block("case", "box", size, (0.0, 2.0, up), grips_override=grips, **more)


CASE = case((0.6, 0.2, 0.5))
CARRY = InteractionTask("carry", 0, position=np.array([3.0, 0.0, 0.0]))


@pytest.mark.parametrize(
    ("size", "up", "put_at", "sentence"),
    [
        ((0.6, 0.319, 0.5), 0.0, 0.0, None),
        ((0.6, 0.33, 0.5), 0.0, 0.0, "is 0.33 m thick beside its handle, too thick to .* up to 0.32 m"),
        ((0.6, 0.2, 0.749), 0.0, 0.0, None),
        (
            (0.6, 0.2, 0.76),
            0.0,
            0.0,
            "extends 0.76 m below its handle and would drag on the ground: choose an object that extends at most 0.75",
        ),
        ((0.6, 0.2, 0.5), 0.549, 0.0, None),
        ((0.6, 0.2, 0.5), 0.0, 0.549, None),
        (
            (0.6, 0.2, 0.5),
            0.8,
            0.0,
            "would be lifted 1.3 m high by its handle, too high for one hand: choose a place at least 0.3 m lower",
        ),
        (
            (0.6, 0.2, 0.5),
            0.0,
            0.56,
            "would be lifted 1.1 m high by its handle, too high for one hand: choose a place at least 0.1 m lower",
        ),
    ],
)
def test_what_hangs_is_thin_short_and_low(
    size: tuple[float, float, float], up: float, put_at: float, sentence: str | None
) -> None:
    if sentence is None:
        require_hangable(case(size, up), put_at)
        return
    with pytest.raises(FootfallError, match=f"'case' .*{sentence}"):
        require_hangable(case(size, up), put_at)


@pytest.mark.parametrize(
    ("away", "turn", "weight", "bends"),
    [
        (0.24, 0.0, 0.0, True),
        (0.26, 0.0, 0.0, False),
        (0.0, 0.49, 0.0, True),
        (0.0, -0.51, 0.0, False),
        (0.0, 0.51, 0.0, False),
        (0.0, 0.0, 0.5, False),
    ],
)
def test_it_stands_beside_upright_before_it_bends(away: float, turn: float, weight: float, bends: bool) -> None:
    run = task_run(CARRY, CASE)
    seen = CASE.facing_side(run.approach_side)
    stand, facing = bearer_position(seen), bearer_facing(seen)
    put(run, stand + away * facing, float(yaw_of(facing)) + turn)
    record(run, frame_of(run, {"carry": weight}))
    command = SPEC.goal_command(run)
    assert command.action == "walk" and run.is_aligned == bends
    np.testing.assert_allclose(command.position[:2], stand)
    np.testing.assert_allclose(command.direction, facing)
    assert SPEC.goal_command(run).action == ("carry" if bends else "walk")
    if bends:
        bent = SPEC.goal_command(run)
        np.testing.assert_allclose(bent.position[:2], stand + 0.42 * facing)
        np.testing.assert_allclose(bent.direction, -facing, atol=1e-9)
