"""Which network is the best: the one that walks best, then the one with the lowest loss on held-out clips."""

from footfall.training.loop.model_selection import ModelSelection


def verdicts(judge: ModelSelection, *shown: tuple[float | None, float | None]) -> list[bool]:
    """Whether each of these (loss, score) was the best so far."""
    return [judge.add_result(loss, score) for loss, score in shown]


def test_where_nobody_walks_the_lowest_loss_is_the_best():
    assert verdicts(ModelSelection(), (3.0, None), (2.0, None), (2.5, None), (2.0, None), (1.0, None)) == [
        True,
        True,
        False,
        False,
        True,
    ]


def test_the_better_walk_wins_whatever_the_loss():
    assert verdicts(ModelSelection(), (1.0, None), (3.0, 0.2), (0.5, None), (4.0, 0.3), (2.0, 0.25)) == [
        True,
        True,
        False,
        True,
        False,
    ]


def test_the_next_stage_has_to_walk_better():
    judge = ModelSelection()
    judge.add_result(1.0, 0.4)
    after = judge.for_next_stage()
    assert verdicts(after, (0.1, None), (0.1, 0.39), (5.0, 0.4), (4.0, 0.5)) == [False, False, True, True]


def test_a_judge_comes_back_from_a_checkpoint():
    judge = ModelSelection()
    verdicts(judge, (1.0, 0.4), (2.0, 0.3))
    judge.walks = 3
    assert ModelSelection.from_state(judge.to_state()) == judge
