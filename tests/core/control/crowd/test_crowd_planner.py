"""Steps of prioritized planning, one by one, on agents in round places."""

import pytest

from footfall.core.control.crowd.lanes import AgentPlan, LaneGraph
from footfall.core.control.crowd.prioritized_planning import plan_crowd

from .plans import RATE, walker

LAYER_S = 0.25
EAST = walker((0.0, 0.0), (12.0, 0.0), name="East")


def test_a_slow_agent_has_layers_of_a_quarter_of_a_second_and_a_fast_one_of_forty_centimeters() -> None:
    seconds = []
    real = LaneGraph.__init__

    def told(self: LaneGraph, plan: AgentPlan, rate: float, layer_duration: float) -> None:
        seconds.append(layer_duration)
        real(self, plan, rate, layer_duration)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LaneGraph, "__init__", told)
        for speed in (1.2, 3.2):
            plan_crowd([walker((0.0, 0.0), (20.0, 0.0), speed=speed)], RATE)
        plan_crowd([walker((0.0, 0.0))], RATE)
    assert seconds == [0.25, pytest.approx(0.125), 0.25]


def test_an_agent_that_stands_has_one_place() -> None:
    side = LaneGraph(walker((2.0, 1.0)), RATE, LAYER_S)
    assert side.offset_arc_lengths.tolist() == [0.0, 0.0] and side.spacing == 0.05
    assert len(side.lanes) == 1


def test_offsets_are_five_centimeters_apart() -> None:
    side = LaneGraph(EAST, RATE, LAYER_S)
    assert len(side.offset_arc_lengths) == 241 and side.spacing == pytest.approx(0.05)
    short = LaneGraph(walker((0.0, 0.0), (0.06, 0.0)), RATE, LAYER_S)
    assert len(short.offset_arc_lengths) == 2
