"""Motion matching: frames are found, played on, left in time, and joined without a jump."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.models.matching import (
    INERTIALIZED_GROUPS,
    SEARCH_INTERVAL_S,
    Matching,
    MatchingArchitecture,
    query_columns,
)
from footfall.core.models.model_file import ControllerModel, ModelFileError, save_model
from footfall.core.models.network import Float32, Memory, Task

from ...support.mixtures import task

TASK = task()
LENGTHS = (60, 45, 80)
SEARCH = round(SEARCH_INTERVAL_S * TASK.rate)


def made_up(lengths: tuple[int, ...] = LENGTHS, wanted: Task = TASK) -> tuple[Float32, dict[str, Float32]]:
    """Inputs (N, n) that lead from one random place to another, one such way for each sequence, and a data base of them
    with random answers, all at phase 0."""
    rng, count = np.random.default_rng(0), sum(lengths)
    ways = [np.linspace(*rng.normal(size=(2, wanted.inputs.size)), num=length) for length in lengths]
    x = np.concatenate(ways).astype(np.float32)
    shapes = MatchingArchitecture(count).shapes(wanted)
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    columns = np.concatenate(list(query_columns(wanted).values()))
    tensors["features"] = x[:, columns] @ tensors["axes"]
    tensors["left"] = np.concatenate([np.arange(length)[::-1] for length in lengths]).astype(np.float32)
    tensors["phase"] = np.zeros(count, np.float32)
    tensors["phase_unit"] = np.float32(0.5)
    return x, tensors


def columns_of(*names: str) -> np.ndarray:
    return np.concatenate([np.arange(TASK.outputs.size)[TASK.outputs.slices[name]] for name in names])


SMOOTHED = columns_of(*INERTIALIZED_GROUPS)
COPIED = np.setdiff1d(np.arange(TASK.outputs.size), [*SMOOTHED, *columns_of("phase.rate")])


class Player:
    """One character at phase 0."""

    def __init__(self, tensors: dict[str, Float32], wanted: Task = TASK) -> None:
        self.network = Matching(**tensors, task=wanted)
        self.memory: Memory = self.network.begin(1)

    def __call__(self, x: Float32) -> Float32:
        y, self.memory = self.network.step(x[None], [0.0], self.memory)
        return y[0]

    @property
    def frame(self) -> int:
        """The frame that was played last."""
        return int(self.memory[0][0])


def test_a_frame_is_found_by_its_own_input_and_played_on_from() -> None:
    x, tensors = made_up()
    for start in (3, 70, 120):
        play = Player(tensors)
        for frame in range(start, start + 30):
            np.testing.assert_array_equal(play(x[frame]), tensors["y"][frame])
            assert play.frame == frame


def test_it_searches_every_tenth_of_a_second_and_goes_where_it_fits_better() -> None:
    x, tensors = made_up()
    play = Player(tensors)
    play(x[5])
    frames = []
    for _ in range(SEARCH):
        play(x[120])
        frames.append(play.frame)
    assert frames == [*range(6, 5 + SEARCH), 120]


@pytest.mark.parametrize(
    ("other", "distance", "goes"),
    [(120, 0.85, True), (120, 0.95, False), (30, 0.1, True), (12, 0.1, False), (50, 0.1, False)],
    ids=["better", "hardly better", "in the same sequence", "hardly elsewhere", "soon at its end"],
)
def test_it_goes_on_elsewhere_only_where_that_is_worth_it(other: int, distance: float, goes: bool) -> None:
    x, tensors = made_up()
    query = tensors["features"][70].copy()
    tensors["features"][:] = query + 100
    for frame, away in ((SEARCH, 1.0), (other, distance)):
        tensors["features"][frame] = query
        tensors["features"][frame, 0] += away
    play = Player(tensors)
    _, *others = play.memory
    play.memory = (np.zeros(1, np.float32), *others)
    for _ in range(SEARCH):
        play(x[70])
    assert play.frame == (other if goes else SEARCH)


def test_a_transition_is_the_old_frames_first_and_a_spring_leads_to_the_new_ones() -> None:
    x, tensors = made_up()
    # Smooth answers: sequences of different places and speeds.
    time = np.arange(sum(LENGTHS))[:, None] / 10
    speed = np.repeat(np.random.default_rng(1).normal(size=(3, len(SMOOTHED))), LENGTHS, axis=0)
    tensors["y"][:, SMOOTHED] = speed * time + np.sin(speed)
    y, play = tensors["y"].astype(float), Player(tensors)
    answers = [play(x[5])] + [play(x[120 + max(frame - SEARCH, 0)]) for frame in range(1, 41)]
    old, new = np.arange(5, 5 + SEARCH + 1), 120 + np.arange(41 - SEARCH)
    np.testing.assert_allclose(answers[:SEARCH], tensors["y"][old[:-1]])
    offset = y[old[-1]] - y[120]
    velocity = (y[old[-1]] - y[old[-1] - 1]) - (y[121] - y[120])
    rate = 1.678347 / (0.12 * 60)
    elapsed = np.arange(41 - SEARCH)[:, None]
    expected = y[new] + (offset + (velocity + rate * offset) * elapsed) * np.exp(-rate * elapsed)
    got = np.array(answers[SEARCH:])
    np.testing.assert_allclose(got[:, SMOOTHED], expected[:, SMOOTHED], atol=1e-4)
    np.testing.assert_array_equal(got[:, COPIED], tensors["y"][new][:, COPIED])
    # Without a jump, in value and velocity.
    whole = np.array(answers)[:, SMOOTHED]
    np.testing.assert_allclose(whole[SEARCH], y[old[-1]][SMOOTHED], atol=1e-5)
    changes = np.diff(whole, axis=0)
    within = 2 * rate * (np.abs(velocity) + rate * np.abs(offset))[SMOOTHED] + 1e-4
    assert (np.abs(np.diff(changes, axis=0)) <= within).all()


def test_a_crowd_gets_what_each_would_get_alone() -> None:
    x, tensors = made_up()
    network, rng = Matching(**tensors, task=TASK), np.random.default_rng(2)
    count, frames = 7, 60
    wants = x[rng.integers(0, len(x), (frames // 5, count)).repeat(5, axis=0)]
    phases = rng.uniform(size=(frames, count))
    memory, together = network.begin(count), []
    for want, phase in zip(wants, phases, strict=True):
        y, memory = network.step(want, phase, memory)
        together.append(y)
    for one in range(count):
        memory = network.begin(1)
        for frame in range(frames):
            y, memory = network.step(wants[frame, one : one + 1], phases[frame, one : one + 1], memory)
            np.testing.assert_allclose(y[0], together[frame][one], atol=1e-5)


def test_the_phase_becomes_that_of_the_frames_that_are_played() -> None:
    x, tensors = made_up((200,))
    rate, unit = columns_of("phase.rate")[0], float(tensors["phase_unit"])
    tensors["phase"] = (np.arange(200, dtype=np.float32) * 0.013) % 1
    tensors["y"][:, rate] = 0.013 * 60 / unit  # as the frames' phases run
    network = Matching(**tensors, task=TASK)
    memory, phase = network.begin(1), 0.6
    apart = []
    for frame in range(90):
        y, memory = network.step(x[[10 + frame]], [phase], memory)
        apart.append((phase - tensors["phase"][10 + frame] + 0.5) % 1 - 0.5)
        phase += float(y[0, rate]) * unit / 60
    assert abs(apart[0]) > 0.4
    assert abs(apart[60]) < 0.01
    assert (np.diff(np.abs(apart)) < 1e-6).all()


def test_queries_are_of_the_way_the_feet_and_the_hips() -> None:
    columns = query_columns(TASK)
    assert {name: len(own) for name, own in columns.items()} == {
        "trajectory.position": 14,
        "trajectory.direction": 14,
        "trajectory.gait": 6,
        "terrain.height": 7,
        "feet.position": 12,
        "feet.velocity": 12,
        "hips.velocity": 3,
    }
    poses = TASK.inputs.slices["pose.position"]
    assert columns["feet.position"][:3].tolist() == list(range(poses.start + 6, poses.start + 9))
    assert len(np.unique(np.concatenate(list(columns.values())))) == 68


Change = Callable[[dict[str, Float32]], None]


def unit(value: float) -> Change:
    def change(tensors: dict[str, Float32]) -> None:
        tensors["phase_unit"] = np.float32(value)

    return change


@pytest.mark.parametrize("name", ["y", "features", "axes", "left", "phase", "phase_unit"])
def test_every_tensor_is_needed(tmp_path: Path, model: ControllerModel, name: str) -> None:
    _, tensors = made_up((20, 20), model.task)
    del tensors[name]
    with pytest.raises(ModelFileError, match=f"'weights.{name}' is missing"):
        save_model(tmp_path / "a", replace(model, architecture=MatchingArchitecture(40), tensors=tensors))
