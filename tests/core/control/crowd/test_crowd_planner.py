"""Steps of prioritized planning, one by one, on agents in round places."""

from footfall.core.control.crowd.lanes import LaneGraph

from .plans import RATE, walker

LAYER_S = 0.25


def test_an_agent_that_stands_has_one_place() -> None:
    side = LaneGraph(walker((2.0, 1.0)), RATE, LAYER_S)
    assert side.offset_arc_lengths.tolist() == [0.0, 0.0] and side.spacing == 0.05
    assert len(side.lanes) == 1
