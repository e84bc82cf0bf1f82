"""Which network is the best: the one that walks best, then the one with the lowest loss on held-out clips."""

import pytest

from footfall.training.loop.model_selection import Judge


def verdicts(judge: Judge, *shown: tuple[float | None, float | None]) -> list[bool]:
    """Whether each of these (loss, score) was the best so far."""
    return [judge.judge(loss, score) for loss, score in shown]


def test_where_nobody_walks_the_lowest_loss_is_the_best():
    assert verdicts(Judge(), (3.0, None), (2.0, None), (2.5, None), (2.0, None), (1.0, None)) == [
        True,
        True,
        False,
        False,
        True,
    ]


def test_who_walks_better_is_better_whatever_the_loss():
    assert verdicts(Judge(), (1.0, None), (3.0, 0.2), (0.5, None), (4.0, 0.3), (2.0, 0.25)) == [
        True,
        True,
        False,
        True,
        False,
    ]


def test_the_loss_decides_between_walks_that_are_as_good():
    assert verdicts(Judge(), (2.0, 0.301), (3.0, 0.304), (1.0, 0.299)) == [True, False, True]


def test_where_nothing_is_known_the_latest_is_kept():
    assert verdicts(Judge(), (None, None), (None, None)) == [True, True]
    assert verdicts(Judge(), (None, 0.5), (None, None), (None, 0.4), (None, 0.6)) == [True, False, False, True]


def test_judgements_in_which_nothing_got_better_are_counted():
    judge = Judge()
    counts = []
    for loss, score in [(3.0, 0.1), (3.5, None), (3.6, 0.1), (2.9, None), (3.0, 0.2), (3.0, None), (3.0, 0.19)]:
        judge.judge(loss, score)
        counts.append(judge.unimproved)
    assert counts == [0, 1, 2, 0, 0, 1, 2]


@pytest.mark.parametrize(("walks", "frames"), [(4, 16), (3, 7), (8, 4)])
def test_walks_are_evenly_spaced_and_one_is_at_the_end(walks: int, frames: int):
    judge, times = Judge(), []
    for frame in range(1, frames + 1):
        if judge.due(frame / frames, walks):
            judge.walks = int(frame / frames * walks + 1e-9)
            times.append(frame)
    assert times[-1] == frames
    assert len(times) == min(walks, frames)
    assert not judge.due(1.0, walks)


def test_nobody_walks_where_none_are_asked_for():
    assert not Judge().due(1.0, 0)


def test_the_next_stage_has_to_walk_better():
    judge = Judge()
    judge.judge(1.0, 0.4)
    after = judge.next()
    assert verdicts(after, (0.1, None), (0.1, 0.39), (5.0, 0.4), (4.0, 0.5)) == [False, False, True, True]


def test_losses_of_two_stages_are_not_compared():
    judge = Judge()
    judge.judge(1.0, None)
    assert verdicts(judge.next(), (9.0, None), (10.0, None)) == [True, False]


def test_a_judge_comes_back_from_a_checkpoint():
    judge = Judge()
    verdicts(judge, (1.0, 0.4), (2.0, 0.3))
    judge.walks = 3
    assert Judge.of(judge.state()) == judge
