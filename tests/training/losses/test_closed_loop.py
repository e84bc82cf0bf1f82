"""The differentiable roll-out of interactions, against the data that it comes from."""

import numpy as np
import pytest
import torch

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.tests.training.interactions.walker_takes import BODY, walker_take
from footfall.training.data.dataset import Dataset
from footfall.training.data.samples import WindowBatch, load_samples
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.losses.closed_loop import (
    CURRENT,
    DROPPED_TRAJECTORY_SHARE,
    RETURN_TIME_S,
    WRONG_PLAN_SHARE,
    InteractionFeedback,
)
from footfall.training.losses.deviation import Deviation, rotated, yaw_of
from footfall.training.losses.stages import InputNoise

CPU = torch.device("cpu")
FRAMES = 40


def read_inputs(dataset: Dataset, x: torch.Tensor, name: str) -> torch.Tensor:
    """A group (B, ...) of normalized inputs x (B, n)."""
    layout, norm = dataset.input_layout, dataset.normalization
    at = layout.slices[name]
    values = x[:, at] * torch.from_numpy(norm.x_std[at]) + torch.from_numpy(norm.x_mean[at])
    return values.unflatten(1, next(group.shape for group in layout if group.name == name))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    settings = InteractionDatasetSettings(takes=2, validation_share=0.0)
    return build_interaction_dataset(walker_take, BODY, tmp_path_factory.mktemp("closed_loop"), settings)


@pytest.fixture(scope="module")
def feedback(dataset: Dataset) -> InteractionFeedback:
    return InteractionFeedback(dataset, CPU)


@pytest.fixture
def windows(dataset: Dataset) -> WindowBatch:
    samples = load_samples(dataset, "training", CPU, 1.0)
    starts = samples.window_starts(FRAMES)
    return samples.windows(starts[:: max(len(starts) // 16, 1)], FRAMES)


def beside(count: int) -> Deviation:
    """Return characters that stand 10 cm and 0.2 rad off, a twentieth of a cycle late."""
    return Deviation(
        torch.tensor([[0.06, -0.08]]).repeat(count, 1), torch.full((count,), 0.2), torch.full((count,), -0.05)
    )


def on_the_data(count: int) -> Deviation:
    return Deviation(torch.zeros(count, 2), torch.zeros(count), torch.zeros(count))


def test_on_the_data_nothing_is_changed(feedback: InteractionFeedback, windows: WindowBatch) -> None:
    x, y, phase = windows.x[:, 0], windows.y[:, 0], windows.phase[:, 0]
    torch.testing.assert_close(feedback.displaced(x, phase, on_the_data(len(x))), x, atol=2e-3, rtol=0.0)
    torch.testing.assert_close(feedback.asked_for(y, on_the_data(len(x))), y, atol=2e-3, rtol=0.0)


def test_the_right_answer_leads_to_the_next_frame(
    dataset: Dataset, feedback: InteractionFeedback, windows: WindowBatch
) -> None:
    x, y, phase = windows.x, windows.y[:, 0], windows.phase
    history = feedback.begin_history(x[:, 0], on_the_data(len(y)))
    following, phases, deviation = feedback.next_inputs(
        x[:, 1], (phase[:, 0], phase[:, 1]), y, y, on_the_data(len(y)), history
    )
    torch.testing.assert_close(phases, phase[:, 1], atol=1e-4, rtol=0.0)
    assert deviation.offset.abs().max() < 5e-3 and deviation.turn.abs().max() < 5e-3
    for name in ("pose.position", "trajectory.position", "trajectory.direction", "trajectory.action", "goal.position"):
        at = dataset.input_layout.slices[name]
        torch.testing.assert_close(following[:, at], x[:, 1, at], atol=0.06, rtol=0.0)


def test_a_character_that_stands_sees_that_it_stood(
    dataset: Dataset, feedback: InteractionFeedback, windows: WindowBatch
) -> None:
    """The data walks on; a past that were the data's would tell a network to walk, which it never sees in a bake."""
    count, layout = len(windows.x), dataset.output_layout
    deviation, given = on_the_data(count), windows.x[:, 0]
    history, norm = feedback.begin_history(given, deviation), dataset.normalization
    for frame in range(FRAMES - 1):
        answer = windows.y[:, frame].clone()
        for name in ("root.velocity", "root.angular_velocity"):
            at = layout.slices[name]
            answer[:, at] = torch.from_numpy(-norm.y_mean[at] / norm.y_std[at])
        phases = windows.phase[:, frame], windows.phase[:, frame + 1]
        given, _, deviation = feedback.next_inputs(
            windows.x[:, frame + 1], phases, windows.y[:, frame], answer, deviation, history
        )
        history.record(deviation, feedback.read_actions(given))
    at, norm = dataset.input_layout.slices["trajectory.position"], dataset.normalization
    past = given[:, at] * torch.from_numpy(norm.x_std[at]) + torch.from_numpy(norm.x_mean[at])
    stood = past.view(count, -1, 2)[:, CURRENT - (FRAMES - 1) // 10 : CURRENT + 1]
    torch.testing.assert_close(stood, torch.zeros_like(stood), atol=1e-3, rtol=0.0)
    before = past.view(count, -1, 2)[:, 0]
    assert (before.norm(dim=1) > 0.1).all(), "before the window it walked, as the data did"


def test_what_is_asked_for_leads_back_to_the_data(feedback: InteractionFeedback, windows: WindowBatch) -> None:
    count = len(windows.x)
    deviation = begins = beside(count)
    history = feedback.begin_history(windows.x[:, 0], deviation)
    for frame in range(FRAMES - 1):
        data = windows.y[:, frame]
        answer, phases = feedback.asked_for(data, deviation), (windows.phase[:, frame], windows.phase[:, frame + 1])
        given, _, deviation = feedback.next_inputs(windows.x[:, frame + 1], phases, data, answer, deviation, history)
        history.record(deviation, feedback.read_actions(given))
    left = torch.exp(torch.tensor(-(FRAMES - 1) / 60 / RETURN_TIME_S))
    torch.testing.assert_close(deviation.turn, left * begins.turn, atol=0.02, rtol=0.0)
    torch.testing.assert_close(deviation.offset.norm(dim=1), left * begins.offset.norm(dim=1), atol=0.01, rtol=0.0)
    torch.testing.assert_close(deviation.phase, left * begins.phase, atol=0.01, rtol=0.0)


def test_a_character_beside_the_data_sees_the_goal_beside_itself(
    feedback: InteractionFeedback, windows: WindowBatch
) -> None:
    x, deviation = windows.x[:, 0], beside(len(windows.x))
    seen = feedback.displaced(x, windows.phase[:, 0], deviation)
    before, after = (feedback.read_goals(one)[:, CURRENT] for one in (x, seen))
    torch.testing.assert_close(
        rotated(after[:, :2], deviation.turn) + deviation.offset, before[:, :2], atol=1e-4, rtol=0.0
    )
    torch.testing.assert_close(after[:, 2], before[:, 2], atol=1e-5, rtol=0.0)


def test_goals_that_stand_may_always_have_been_known(
    dataset: Dataset, feedback: InteractionFeedback, windows: WindowBatch
) -> None:
    torch.manual_seed(0)
    layout = dataset.input_layout
    changed = feedback.with_old_goals(windows.x)
    same = [name for name in layout.slices if name.partition(".")[0] != "goal"]
    for name in same:
        torch.testing.assert_close(changed[..., layout.slices[name]], windows.x[..., layout.slices[name]])
    goals = feedback.read_goals(changed.flatten(0, 1))
    before = feedback.read_goals(windows.x.flatten(0, 1))
    torch.testing.assert_close(goals[:, CURRENT:], before[:, CURRENT:], atol=1e-5, rtol=0.0)
    known = (goals[:, : CURRENT + 1] - goals[:, CURRENT, None]).norm(dim=-1).amax(dim=1) < 1e-4
    new = (before[:, 0] - before[:, CURRENT]).norm(dim=-1) > 0.05
    stand = (before[:, CURRENT] - before[:, -1]).norm(dim=-1) < 0.01
    assert not known[new & ~stand].any()
    if (new & stand).any():
        assert known[new & stand].any()


def test_a_share_of_the_windows_begins_on_the_data() -> None:
    drawn = Deviation.draw(4000, InputNoise(root=0.05, phase=0.02), CPU)
    clean = (drawn.offset == 0.0).all(dim=1)
    assert 0.37 < clean.float().mean() < 0.43
    assert drawn.offset[~clean].std() == pytest.approx(0.05, rel=0.1)
    assert drawn.phase[~clean].std() == pytest.approx(0.02, rel=0.1)


def test_a_yaw_turns_the_front() -> None:
    yaws = torch.tensor([0.0, 0.5, -3.0])
    front = torch.tensor([[0.0, 1.0]]).repeat(3, 1)
    torch.testing.assert_close(yaw_of(rotated(front, yaws)), yaws)


def test_a_hand_in_contact_weighs_more(dataset: Dataset, feedback: InteractionFeedback, windows: WindowBatch) -> None:
    y, layout = windows.y[:1, 0], dataset.output_layout
    contact = layout.slices["contact"].start + 1
    norm = dataset.normalization
    touching, free = y.clone(), y.clone()
    touching[:, contact] = float((1.0 - norm.y_mean[contact]) / norm.y_std[contact])
    free[:, contact] = float((0.0 - norm.y_mean[contact]) / norm.y_std[contact])
    hand = dataset.joints.index(dataset.skeleton.names[dataset.skeleton.joint("hand.L")])
    column = layout.slices["pose.position"].start + 3 * hand
    off = torch.zeros_like(y)
    off[:, column] = 0.1
    assert feedback.loss(touching + off, touching) > 2.0 * feedback.loss(free + off, free)


def test_some_characters_plan_to_go_on_and_some_to_do_what_their_goal_is(
    dataset: Dataset, feedback: InteractionFeedback, windows: WindowBatch
) -> None:
    torch.manual_seed(0)
    x = windows.x[:, 0].repeat(40, 1)
    seen = feedback.with_wrong_plans(x)
    at = dataset.input_layout.slices["trajectory.action"]
    others = np.setdiff1d(np.arange(x.shape[1]), np.arange(at.start, at.stop))
    torch.testing.assert_close(seen[:, others], x[:, others])
    before, after = read_inputs(dataset, x, "trajectory.action"), read_inputs(dataset, seen, "trajectory.action")
    torch.testing.assert_close(after[:, : CURRENT + 1], before[:, : CURRENT + 1], atol=1e-4, rtol=0.0)
    goals = torch.zeros_like(before[:, 0])
    goals[:, [ACTIONS.index(name) for name in GOAL_ACTIONS]] = read_inputs(dataset, x, "goal.action")[:, CURRENT]
    last = after[:, -1]
    goes_on, wants = ((last - plan).abs().amax(dim=1) < 1e-3 for plan in (before[:, CURRENT], goals))
    planned = (after - before).abs().amax(dim=(1, 2)) > 1e-3
    assert (goes_on | wants)[planned].all()
    assert 0.0 < planned.float().mean() <= WRONG_PLAN_SHARE + 0.1


def test_a_character_about_to_set_off_may_see_nothing_ahead(
    dataset: Dataset, feedback: InteractionFeedback, windows: WindowBatch
) -> None:
    torch.manual_seed(0)
    layout, norm = dataset.input_layout, dataset.normalization
    x = windows.x[:, 0].repeat(40, 1)

    # Half of the characters stand, with the walk of the data before them.
    stood = torch.arange(len(x)) % 2 == 0
    for name, row in (("trajectory.position", [0.0, 0.0]), ("trajectory.action", [1.0, *[0.0] * (len(ACTIONS) - 1)])):
        at, values = layout.slices[name], read_inputs(dataset, x, name)
        values[stood, : CURRENT + 1] = torch.tensor(row)
        x[:, at] = (values.flatten(1) - torch.from_numpy(norm.x_mean[at])) / torch.from_numpy(norm.x_std[at])
    seen = feedback.without_trajectory(x)
    blind = read_inputs(dataset, seen, "trajectory.position").flatten(1).abs().amax(dim=1) < 1e-4
    assert not blind[~stood].any()
    assert blind[stood].float().mean() == pytest.approx(DROPPED_TRAJECTORY_SHARE, abs=0.1)
    torch.testing.assert_close(
        read_inputs(dataset, seen, "trajectory.position")[~stood],
        read_inputs(dataset, x, "trajectory.position")[~stood],
    )
    idle = read_inputs(dataset, seen, "trajectory.action")[blind & stood]
    torch.testing.assert_close(idle[..., 0], torch.ones_like(idle[..., 0]), atol=1e-4, rtol=0.0)
    ahead = read_inputs(dataset, seen, "trajectory.direction")[blind & stood]
    torch.testing.assert_close(ahead[..., 1], torch.ones_like(ahead[..., 1]), atol=1e-4, rtol=0.0)
