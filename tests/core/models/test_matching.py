"""Motion matching: frames are found, played on, left in time, and joined without a jump."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.features import strikes
from footfall.core.models.matching import (
    INERTIALIZED_GROUPS,
    MIN_REMAINING_S,
    SEARCH_INTERVAL_S,
    Matching,
    MatchingArchitecture,
    critically_damped_step,
    query_columns,
)
from footfall.core.models.model_file import ControllerModel, ModelFileError, load_model, save_model
from footfall.core.models.network import Float32, Memory, Task

from ...support.mixtures import random_inputs, task

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


def test_half_of_an_offset_is_gone_after_the_half_life() -> None:
    state = np.linalg.matrix_power(critically_damped_step(7.0).astype(float), 7) @ [1.0, 0.0]
    np.testing.assert_allclose(state[0], 0.5, atol=1e-5)


@pytest.mark.parametrize("lengths", [LENGTHS, (40,), (2,), (3, 2)])
def test_sequences_are_left_before_they_end(lengths: tuple[int, ...]) -> None:
    x, tensors = made_up(lengths)
    play = Player(tensors)
    left = tensors["left"]
    stay = min(round(MIN_REMAINING_S * TASK.rate), int(left.max()))
    for _ in range(200):
        before = play.frame
        # Wants what comes at the end of the first sequence.
        assert np.isfinite(play(x[lengths[0] - 1])).all()
        assert left[play.frame] > 0
        assert play.frame == before + 1 or left[play.frame] >= stay


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


def test_neither_memory_nor_data_base_is_changed() -> None:
    x, tensors = made_up()
    known = {name: tensor.copy() for name, tensor in tensors.items()}
    network = Matching(**tensors, task=TASK)
    memory = network.begin(1)
    for frame in range(20):
        before = [part.copy() for part in memory]
        first, after = network.step(x[[(frame // 7) * 60]], [0.1], memory)
        again, _ = network.step(x[[(frame // 7) * 60]], [0.1], memory)
        np.testing.assert_array_equal(first, again)
        for part, old in zip(memory, before, strict=True):
            np.testing.assert_array_equal(part, old)
        memory = after
        assert all(part.dtype == np.float32 for part in (*memory, first))
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(tensor, known[name])


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


def test_a_body_without_feet_is_matched_by_its_hips() -> None:
    wanted = replace(TASK, foot_joints=())
    x, tensors = made_up(wanted=wanted)
    np.testing.assert_array_equal(Player(tensors, wanted)(x[7]), tensors["y"][7])


Change = Callable[[dict[str, Float32]], None]


def set_left(*values: float) -> Change:
    def change(tensors: dict[str, Float32]) -> None:
        tensors["left"][: len(values)] = values

    return change


def unit(value: float) -> Change:
    def change(tensors: dict[str, Float32]) -> None:
        tensors["phase_unit"] = np.float32(value)

    return change


def unended(tensors: dict[str, Float32]) -> None:
    tensors["left"] += 1


def scattered(tensors: dict[str, Float32]) -> None:
    tensors["left"][:] = 0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_left(1e5), "do not count down"),
        (set_left(-1), "do not count down"),
        (set_left(4.5, 3.5, 2.5, 1.5, 0.5), "do not count down"),
        (set_left(3, 1), "do not count down"),
        (unended, "do not count down"),
        (scattered, "no two frames"),
        (unit(0.0), "unit of phases"),
        (unit(-1.0), "unit of phases"),
        (set_left(np.nan), "not finite numbers"),
    ],
)
def test_values_that_would_lead_out_of_the_data_base_are_refused(
    tmp_path: Path, model: ControllerModel, change: Change, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, tensors = made_up((20, 20), model.task)
    whole = replace(model, architecture=MatchingArchitecture(40), tensors=tensors)
    path = tmp_path / "a.safetensors"
    save_model(path, whole)
    network = load_model(path).network()
    assert np.isfinite(network.step(random_inputs(model.task, 1), [0.0], network.begin(1))[0]).all()
    change(tensors)
    with pytest.raises(ModelFileError, match=reason):
        save_model(path, replace(whole, tensors=tensors))
    # A foreign program may have written it nevertheless.
    monkeypatch.setattr("footfall.core.models.model_file._DescriptionValidator.model", lambda checker, tensors: None)
    save_model(path, replace(whole, tensors=tensors))
    monkeypatch.undo()
    with pytest.raises(ModelFileError, match=reason):
        load_model(path)


@pytest.mark.parametrize("name", ["y", "features", "axes", "left", "phase", "phase_unit"])
def test_every_tensor_is_needed(tmp_path: Path, model: ControllerModel, name: str) -> None:
    _, tensors = made_up((20, 20), model.task)
    del tensors[name]
    with pytest.raises(ModelFileError, match=f"'weights.{name}' is missing"):
        save_model(tmp_path / "a", replace(model, architecture=MatchingArchitecture(40), tensors=tensors))


def test_inputs_that_nobody_would_have_are_answered() -> None:
    _, tensors = made_up()
    play = Player(tensors)
    for size in (1e3, 1e6, 1e-30):
        assert np.isfinite(play(size * random_inputs(TASK, 1)[0])).all()


def test_a_query_has_the_trajectory_gaits_ground_feet_and_hips() -> None:
    columns = query_columns(TASK)
    number, inputs = np.arange(TASK.inputs.size), TASK.inputs
    samples = [2, 4, 7, 8, 9, 10, 11]  # -40, -20, 10, 20, 30, 40 and 50 frames of -60 to 50
    feet = list(TASK.foot_joints)
    expected = {
        "trajectory.position": inputs.view(number, "trajectory.position")[samples],
        "trajectory.direction": inputs.view(number, "trajectory.direction")[samples],
        "trajectory.gait": inputs.view(number, "trajectory.gait")[[6, 11]],
        "terrain.height": inputs.view(number, "terrain.height")[samples, 1],
        "feet.position": inputs.view(number, "pose.position")[feet],
        "feet.velocity": inputs.view(number, "pose.velocity")[feet],
        "hips.velocity": inputs.view(number, "pose.velocity")[0],
    }
    assert columns.keys() == expected.keys()
    for name, numbers in expected.items():
        np.testing.assert_array_equal(columns[name], numbers.ravel(), err_msg=name)


def test_a_query_of_attacks_has_the_target_and_the_whole_pose() -> None:
    inputs = strikes.input_layout(("hips", "hand"))
    columns = query_columns(replace(TASK, inputs=inputs, foot_joints=(1,)))
    number = np.arange(inputs.size)
    for name in ("target.position", "strike.effector", "strike.weapon", "strike.command", "pose.position"):
        np.testing.assert_array_equal(columns[name], inputs.view(number, name).ravel())
    assert not {"trajectory.gait", "terrain.height"} & set(columns)


def test_searching_is_along_at_most_twenty_four_axes() -> None:
    width = sum(map(len, query_columns(TASK).values()))
    shapes = MatchingArchitecture(50).shapes(TASK)
    assert width > 24
    assert shapes == {
        "y": (50, TASK.outputs.size),
        "features": (50, 24),
        "axes": (width, 24),
        "left": (50,),
        "phase": (50,),
        "phase_unit": (),
    }


def test_sequences_are_cut_where_they_end() -> None:
    _, tensors = made_up()
    found = Matching(**tensors, task=TASK).sequences()
    assert [len(y) for y, _ in found] == list(LENGTHS)
    np.testing.assert_array_equal(np.concatenate([y for y, _ in found]), tensors["y"])
    np.testing.assert_array_equal(np.concatenate([phase for _, phase in found]), tensors["phase"])


def test_a_spring_without_speed_keeps_its_first_step() -> None:
    """(1 + r) exp(-r) of an offset and exp(-r) of a speed are left after a frame, at 1.678347 half-lives' rate."""
    rate = 1.678347 / 4.0
    expected = np.array([[1 + rate, 1.0], [-(rate**2), 1 - rate]]) * np.exp(-rate)
    np.testing.assert_allclose(critically_damped_step(4.0), expected, rtol=1e-6)
