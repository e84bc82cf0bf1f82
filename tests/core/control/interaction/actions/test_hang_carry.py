"""Carrying by a handle: beside it, upright, then bent, and what is too thick, long or high for it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.actions.hang_carry import beside_bearer, require_hangable
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
        ((0.6, 0.2, 0.76), 0.0, 0.0, "would drag over the ground, 0.76 m below its handle: choose one up to 0.75 m"),
        ((0.6, 0.2, 0.5), 0.549, 0.0, None),
        ((0.6, 0.2, 0.5), 0.0, 0.549, None),
        ((0.6, 0.2, 0.5), 0.8, 0.0, "to 1.3 m, too high for one hand: choose a place lower by 0.3 m"),
        ((0.6, 0.2, 0.5), 0.0, 0.56, "to 1.1 m, too high for one hand: choose a place lower by 0.1 m"),
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


def test_a_handle_beside_the_middle_counts_to_the_farther_side() -> None:
    aside = Grips(np.array([[0.0, 0.08, 0.5]] * 2), np.array([1.0, 0.0]), is_handle=True)
    with pytest.raises(FootfallError, match=r"is 0\.36 m thick"):
        require_hangable(replace(CASE, grips_override=aside), 0.0)


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


def test_it_is_taken_from_its_long_sides_and_not_entered() -> None:
    run = task_run(CARRY, CASE)
    assert SPEC.sides(run) == (0, 2) and not SPEC.enters_object(run)
    frame = frame_of(run, at=(1.0, 1.0))
    record(run, frame)
    np.testing.assert_allclose(beside_bearer(run.recording, 0, CASE), np.array([1.0, 1.0]) - bearer_position(CASE))


def test_a_box_ahead_of_the_bearer_is_reached_for() -> None:
    run = task_run(CARRY, CASE)
    seen = CASE.facing_side(run.approach_side)
    put(run, bearer_position(seen), float(yaw_of(bearer_facing(seen))))
    # The hands are where a box 42 cm ahead of the bearer is held, at 45 hundredths of its height.
    frame = frame_of(run, wrists=np.array([[-0.17, 0.42, 0.225], [0.17, 0.42, 0.225]]))
    record(run, frame)
    SPEC.update(run, frame)
    assert run.scene.attachment is None, "it does not stand beside it yet"
    run.is_aligned = True
    SPEC.update(run, frame)
    attachment = run.scene.attachment
    assert attachment is not None and not run.is_aligned
