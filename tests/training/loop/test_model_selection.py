"""Which network is the best: the one that walks best, then the one with the lowest loss on held-out clips."""

import pytest

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


def test_who_walks_better_is_better_whatever_the_loss():
    assert verdicts(ModelSelection(), (1.0, None), (3.0, 0.2), (0.5, None), (4.0, 0.3), (2.0, 0.25)) == [
        True,
        True,
        False,
        True,
        False,
    ]


def test_the_loss_decides_between_walks_that_are_as_good():
    assert verdicts(ModelSelection(), (2.0, 0.301), (3.0, 0.304), (1.0, 0.299)) == [True, False, True]


def test_where_nothing_is_known_the_latest_is_kept():
    assert verdicts(ModelSelection(), (None, None), (None, None)) == [True, True]
    assert verdicts(ModelSelection(), (None, 0.5), (None, None), (None, 0.4), (None, 0.6)) == [True, False, False, True]


def test_judgements_in_which_nothing_got_better_are_counted():
    judge = ModelSelection()
    counts = []
    for loss, score in [(3.0, 0.1), (3.5, None), (3.6, 0.1), (2.9, None), (3.0, 0.2), (3.0, None), (3.0, 0.19)]:
        judge.add_result(loss, score)
        counts.append(judge.unimproved)
    assert counts == [0, 1, 2, 0, 0, 1, 2]


@pytest.mark.parametrize(("walks", "frames"), [(4, 16), (3, 7), (8, 4)])
def test_walks_are_evenly_spaced_and_one_is_at_the_end(walks: int, frames: int):
    judge, times = ModelSelection(), []
    for frame in range(1, frames + 1):
        if judge.is_rollout_due(frame / frames, walks):
            judge.walks = int(frame / frames * walks + 1e-9)
            times.append(frame)
    assert times[-1] == frames
    assert len(times) == min(walks, frames)
    assert not judge.is_rollout_due(1.0, walks)


def test_nobody_walks_where_none_are_asked_for():
    assert not ModelSelection().is_rollout_due(1.0, 0)


def test_the_next_stage_has_to_walk_better():
    judge = ModelSelection()
    judge.add_result(1.0, 0.4)
    after = judge.for_next_stage()
    assert verdicts(after, (0.1, None), (0.1, 0.39), (5.0, 0.4), (4.0, 0.5)) == [False, False, True, True]


def test_losses_of_two_stages_are_not_compared():
    judge = ModelSelection()
    judge.add_result(1.0, None)
    assert verdicts(judge.for_next_stage(), (9.0, None), (10.0, None)) == [True, False]


def test_a_judge_comes_back_from_a_checkpoint():
    judge = ModelSelection()
    verdicts(judge, (1.0, 0.4), (2.0, 0.3))
    judge.walks = 3
    assert ModelSelection.from_state(judge.to_state()) == judge
