"""The differentiable roll-out of interactions, against the data that it comes from."""

import torch

from footfall.tests.training.losses.take_windows import FRAMES, read_inputs
from footfall.training.data.dataset import Dataset
from footfall.training.data.samples import WindowBatch
from footfall.training.losses.closed_loop import CURRENT, RETURN_TIME_S, InteractionFeedback
from footfall.training.losses.deviation import Deviation, rotated


def beside(count: int) -> Deviation:
    """Return characters that stand 10 cm and 0.2 rad off, a twentieth of a cycle late."""
    return Deviation(
        torch.tensor([[0.06, -0.08]]).repeat(count, 1), torch.full((count,), 0.2), torch.full((count,), -0.05)
    )


def on_the_data(count: int) -> Deviation:
    return Deviation(torch.zeros(count, 2), torch.zeros(count), torch.zeros(count))


def still(count: int) -> torch.Tensor:
    """Return no drift."""
    return torch.zeros(count, 2)


def test_on_the_data_nothing_is_changed(take_feedback: InteractionFeedback, take_windows: WindowBatch) -> None:
    x, y, phase = take_windows.x[:, 0], take_windows.y[:, 0], take_windows.phase[:, 0]
    seen = take_feedback.displaced(x, phase, on_the_data(len(x)), still(len(x)))
    torch.testing.assert_close(seen, x, atol=2e-3, rtol=0.0)
    torch.testing.assert_close(take_feedback.asked_for(y, on_the_data(len(x))), y, atol=2e-3, rtol=0.0)


def test_the_right_answer_leads_to_the_next_frame(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    x, y, phase = take_windows.x, take_windows.y[:, 0], take_windows.phase
    history = take_feedback.begin_history(x[:, 0], on_the_data(len(y)), still(len(y)))
    following, phases, deviation = take_feedback.next_inputs(
        x[:, 1], (phase[:, 0], phase[:, 1]), y, y, on_the_data(len(y)), history
    )
    torch.testing.assert_close(phases, phase[:, 1], atol=1e-4, rtol=0.0)
    assert deviation.offset.abs().max() < 5e-3 and deviation.turn.abs().max() < 5e-3
    for name in ("pose.position", "trajectory.position", "trajectory.direction", "trajectory.action", "goal.position"):
        at = take_dataset.input_layout.slices[name]
        torch.testing.assert_close(following[:, at], x[:, 1, at], atol=0.06, rtol=0.0)


def test_a_character_that_stands_sees_that_it_stood(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    """The data walks on; a past that were the data's would tell a network to walk, which it never sees in a bake."""
    count, layout = len(take_windows.x), take_dataset.output_layout
    deviation, given = on_the_data(count), take_windows.x[:, 0]
    history, norm = take_feedback.begin_history(given, deviation, still(len(given))), take_dataset.normalization
    for frame in range(FRAMES - 1):
        answer = take_windows.y[:, frame].clone()
        for name in ("root.velocity", "root.angular_velocity"):
            at = layout.slices[name]
            answer[:, at] = torch.from_numpy(-norm.y_mean[at] / norm.y_std[at])
        phases = take_windows.phase[:, frame], take_windows.phase[:, frame + 1]
        given, _, deviation = take_feedback.next_inputs(
            take_windows.x[:, frame + 1], phases, take_windows.y[:, frame], answer, deviation, history
        )
        history.record(deviation, take_feedback.read_actions(given))
    at, norm = take_dataset.input_layout.slices["trajectory.position"], take_dataset.normalization
    past = given[:, at] * torch.from_numpy(norm.x_std[at]) + torch.from_numpy(norm.x_mean[at])
    stood = past.view(count, -1, 2)[:, CURRENT - (FRAMES - 1) // 10 : CURRENT + 1]
    torch.testing.assert_close(stood, torch.zeros_like(stood), atol=1e-3, rtol=0.0)
    before = past.view(count, -1, 2)[:, 0]
    assert (before.norm(dim=1) > 0.1).all(), "before the window it walked, as the data did"


def test_targets_lead_back_to_the_data(take_feedback: InteractionFeedback, take_windows: WindowBatch) -> None:
    count = len(take_windows.x)
    deviation = begins = beside(count)
    history = take_feedback.begin_history(take_windows.x[:, 0], deviation, still(len(deviation.turn)))
    for frame in range(FRAMES - 1):
        data = take_windows.y[:, frame]
        answer, phases = (
            take_feedback.asked_for(data, deviation),
            (take_windows.phase[:, frame], take_windows.phase[:, frame + 1]),
        )
        given, _, deviation = take_feedback.next_inputs(
            take_windows.x[:, frame + 1], phases, data, answer, deviation, history
        )
        history.record(deviation, take_feedback.read_actions(given))
    left = torch.exp(torch.tensor(-(FRAMES - 1) / 60 / RETURN_TIME_S))
    torch.testing.assert_close(deviation.turn, left * begins.turn, atol=0.02, rtol=0.0)
    torch.testing.assert_close(deviation.offset.norm(dim=1), left * begins.offset.norm(dim=1), atol=0.01, rtol=0.0)
    torch.testing.assert_close(deviation.phase, left * begins.phase, atol=0.01, rtol=0.0)


def test_a_character_beside_the_data_sees_the_goal_beside_itself(
    take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    x, deviation = take_windows.x[:, 0], beside(len(take_windows.x))
    seen = take_feedback.displaced(x, take_windows.phase[:, 0], deviation, still(len(x)))
    before, after = (take_feedback.read_goals(one)[:, CURRENT] for one in (x, seen))
    torch.testing.assert_close(
        rotated(after[:, :2], deviation.turn) + deviation.offset, before[:, :2], atol=1e-4, rtol=0.0
    )
    torch.testing.assert_close(after[:, 2], before[:, 2], atol=1e-5, rtol=0.0)


def test_a_character_that_drifted_sees_that_it_came_another_way(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    x, count, drift = take_windows.x[:, 0], len(take_windows.x), torch.tensor([[0.1, -0.2]])
    seen = take_feedback.displaced(x, take_windows.phase[:, 0], on_the_data(count), drift.repeat(count, 1))
    before, after = (read_inputs(take_dataset, one, "trajectory.position") for one in (x, seen))
    seconds = torch.arange(-CURRENT, 0)[:, None] / CURRENT
    torch.testing.assert_close(
        (after - before)[:, :CURRENT], (seconds * drift).expand(count, -1, -1), atol=1e-3, rtol=0.0
    )
    ahead = (after - before)[:, CURRENT + 1 :]
    assert (ahead[..., 0] >= -1e-3).all() and (ahead[..., 0] <= 0.1 + 1e-3).all()


def test_no_character_on_a_seat_is_led_back(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    y, norm, slices = take_windows.y[:, 0].clone(), take_dataset.normalization, take_dataset.output_layout.slices
    hips = slices["contact"].start
    y[:, hips] = float((1.0 - norm.y_mean[hips]) / norm.y_std[hips])
    asked = take_feedback.asked_for(y, beside(len(y)))
    torch.testing.assert_close(asked[:, slices["root.angular_velocity"]], y[:, slices["root.angular_velocity"]])


def test_a_hand_in_contact_weighs_more(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    y, layout = take_windows.y[:1, 0], take_dataset.output_layout
    contact = layout.slices["contact"].start + 1
    norm = take_dataset.normalization
    touching, free = y.clone(), y.clone()
    touching[:, contact] = float((1.0 - norm.y_mean[contact]) / norm.y_std[contact])
    free[:, contact] = float((0.0 - norm.y_mean[contact]) / norm.y_std[contact])
    hand = take_dataset.joints.index(take_dataset.skeleton.names[take_dataset.skeleton.joint("hand.L")])
    column = layout.slices["pose.position"].start + 3 * hand
    off = torch.zeros_like(y)
    off[:, column] = 0.1
    assert take_feedback.loss(touching + off, touching) > 2.0 * take_feedback.loss(free + off, free)
