"""What all families of networks share: their task, the settings of foreign files, and functions of their layers."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from footfall.core.features.layout import Group, Layout
from footfall.core.models.network import (
    Architecture,
    Network,
    Shapes,
    StatelessNetwork,
    Task,
    Tensors,
    architecture_setting,
)

NOTHING = Layout((Group("x", (1,), "1", ""),))


@dataclass(frozen=True, slots=True)
class Loom(Architecture):
    """A family with a setting of each kind."""

    family: ClassVar[str] = "loom"

    threads: int = architecture_setting(4, 2, 8)
    tension: float = architecture_setting(0.5, 0.0, 1.0)
    weave: str = architecture_setting("plain", choices=("plain", "twill"))
    dyed: bool = architecture_setting(False)

    def shapes(self, task: Task) -> Shapes:
        return {}

    def network(self, tensors: Tensors, task: Task) -> Network:
        raise NotImplementedError


SETTINGS = {"threads": 4, "tension": 0.5, "weave": "plain", "dyed": False}


def test_an_architecture_is_its_settings_and_comes_back_from_them() -> None:
    assert Loom().to_json() == SETTINGS
    assert Loom.from_json(SETTINGS) == Loom()
    other = Loom(8, 0.25, "twill", True)
    assert Loom.from_json(other.to_json()) == other


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"threads": 1}, "the setting 'threads' is not from 2 to 8"),
        ({"threads": 9}, "the setting 'threads' is not from 2 to 8"),
        ({"threads": 4.0}, "the setting 'threads' is not of the type int"),
        ({"threads": True}, "the setting 'threads' is not of the type int"),
        ({"tension": -0.1}, "the setting 'tension' is not from 0.0 to 1.0"),
        ({"tension": 1.1}, "the setting 'tension' is not from 0.0 to 1.0"),
        ({"tension": float("nan")}, "the setting 'tension' is not from 0.0 to 1.0"),
        ({"tension": "0.5"}, "the setting 'tension' is not of the type float"),
        ({"weave": "satin"}, "the setting 'weave' is not one of plain, twill"),
        ({"weave": 3}, "the setting 'weave' is not of the type str"),
        ({"dyed": 1}, "the setting 'dyed' is not of the type bool"),
        ({"color": "red"}, "the description of a network of the family loom has other settings"),
    ],
)
def test_settings_beyond_their_limits_are_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Loom.from_json(SETTINGS | changes)


@pytest.mark.parametrize("data", [None, [], {}, {"threads": 4}])
def test_what_describes_no_such_network_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="has other settings"):
        Loom.from_json(data)


def test_feet_are_found_among_the_joints_of_the_pose_left_ones_first() -> None:
    joints = ("hips", "rToe", "lFoot", "rFoot")
    names = {"foot.L": "lFoot", "toe.L": "lToe", "foot.R": "rFoot", "toe.R": "rToe", "hips": "hips"}
    task = Task.from_names(NOTHING, NOTHING, joints, names, 30.0)
    assert (task.foot_joints, task.rate) == ((2, 3, 1), 30.0)
    assert Task.from_names(NOTHING, NOTHING, joints, {}, 60.0).foot_joints == ()


def test_a_network_without_memory_answers_by_the_frame_alone() -> None:
    class Doubler(StatelessNetwork):
        def __call__(self, x: np.ndarray, phase: object) -> np.ndarray:
            return 2 * x

    network, x = Doubler(), np.ones((3, 2), dtype=np.float32)
    y, memory = network.step(x, 0.0, network.begin(3))
    np.testing.assert_array_equal(y, 2 * x)
    assert memory == () == network.begin(3)
