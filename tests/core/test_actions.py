"""The table of actions, and the orders that files keep."""

import re

import pytest

from footfall.core.actions import (
    ACTION_TABLE,
    CONTROLLER_ACTIONS,
    LABEL_ACTIONS,
    LOCOMOTION_ACTIONS,
    ActionInfo,
    actions_that,
    motion_of,
)
from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.labelling.semantics.action_detectors import DETECTORS
from footfall.core.scene.interaction_object import OBJECT_KINDS
from footfall.training.interactions.take_kinds import TAKE_KINDS, share_of


def test_every_action_of_labels_and_controllers_is_in_the_table_and_no_other() -> None:
    known = {*LABEL_ACTIONS, *CONTROLLER_ACTIONS}
    assert known == {name for name, one in ACTION_TABLE.items() if not one.motion}
    assert {one.motion for one in ACTION_TABLE.values() if one.motion} <= known
    assert all(name == one.name for name, one in ACTION_TABLE.items())


def test_files_keep_the_order_of_actions() -> None:
    labels = "idle walk run sit open carry climb strike lie push sit_ground lean"
    controllers = "idle walk run sit open carry climb lie push mount sit_ground lean"
    assert LABEL_ACTIONS[:12] == tuple(labels.split()) and CONTROLLER_ACTIONS[:12] == tuple(controllers.split())


def test_every_labeled_interaction_has_a_detector_and_colors() -> None:
    interactions = set(LABEL_ACTIONS) - set(LOCOMOTION_ACTIONS)
    assert set(DETECTORS) == interactions == set(actions_that(lambda one: one.colors is not None))


def test_every_goal_of_a_controller_can_be_performed() -> None:
    assert {motion_of(name) for name in ACTION_SPECS} == {
        one for one in CONTROLLER_ACTIONS if ACTION_TABLE[one].is_goal
    }
    assert set(actions_that(lambda one: one.task is not None)) <= set(ACTION_SPECS)


def test_items_of_blend_files_have_numbers_of_their_own() -> None:
    numbers = [one.task.number for one in ACTION_TABLE.values() if one.task]
    assert sorted(numbers) == list(range(len(numbers)))


@pytest.mark.parametrize("one", ACTION_TABLE.values(), ids=list(ACTION_TABLE))
def test_an_action_is_described_in_itself(one: ActionInfo) -> None:
    assert re.fullmatch("[a-z_]+", one.name) and one.object_kind in {"", *OBJECT_KINDS}
    assert bool(one.object_kind) == one.takes("object") or one.task is None
    assert len(one.transitions) <= 2 and one.min_label_s > 0.0
    assert one.stays == (one.name in ("sit", "lie", "sit_ground", "lean", "pick_up"))


def test_takes_of_sitting_remain() -> None:
    assert sum(map(share_of, TAKE_KINDS)) < 1.0 and min(map(share_of, TAKE_KINDS)) > 0.0
    assert {name for name, one in ACTION_TABLE.items() if one.take_share} == set(TAKE_KINDS) & set(ACTION_TABLE)
