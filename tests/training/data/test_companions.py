"""Balls beside clips in data sets: a dribble in closed form, and walks without a ball."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from footfall.core.ball.ball_track import BallTrack, write_ball
from footfall.core.features.ball import BALL_SENSORS
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.tests.support.dribbler import Dribbler
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetSettings
from footfall.training.losses.system_feedback import SystemFeedback

SETTINGS = DatasetSettings(features="local_phase_system", parts=("ball",), validation_share=0.0)
RIGHT, MIRRORED = "speed 1, bend 0", "speed 1, bend 0, mirrored"


def write_dribble(path: Path, track: BallTrack) -> Path:
    """A dribble as BVH with its ball beside it, as a capture has it: without hands and rotations."""
    write_bvh(path, Dribbler().clip())
    write_ball(path.with_suffix(".ball.csv"), track)
    table = path.with_suffix(".ball.csv")
    rows = [line.split(",")[:5] for line in table.read_text().splitlines()]
    table.write_text("\n".join(",".join(row) for row in rows))
    return path


@pytest.fixture(scope="module")
def dribbles(tmp_path_factory: pytest.TempPathFactory, write_walk: Callable[..., Path]) -> Dataset:
    folder = tmp_path_factory.mktemp("dribbles")
    clips = [write_dribble(folder / "dribble.bvh", Dribbler().ball()), write_walk(folder / "walk.bvh", turn=0.2)]
    return build_dataset(clips, folder / "set", SETTINGS, workers=1)


def samples(dataset: Dataset, file: str, variant: str) -> tuple[np.ndarray, np.ndarray]:
    clip = next(clip for clip in dataset.clips if clip.file == file)
    x, y, _ = dataset.samples(clip)
    part = next(sequence for sequence in clip.sequences if sequence.variant == variant)
    return x[part.start : part.stop], y[part.start : part.stop]


def first_ball(dataset: Dataset) -> np.ndarray:
    _, y, _ = dataset.samples(dataset.clips[0])
    return dataset.output_layout.view(y, "ball.position").copy()


def test_a_ball_fills_its_parts_and_gives_its_sensors(dribbles: Dataset) -> None:
    assert {"interaction.position", "ball.position"} <= set(dribbles.input_layout.slices)
    assert dribbles.sensors == (*FOOT_CONTACTS, *BALL_SENSORS)
    assert dribbles.layouts == dribbles.expected_layouts()


def test_the_ball_is_under_the_hand_where_it_was(dribbles: Dataset) -> None:
    _, y = samples(dribbles, "dribble.bvh", RIGHT)
    layout, touching = dribbles.output_layout, Dribbler().ball().contacts[2:-1, 1]
    wrist = layout.view(y, "pose.position")[:, dribbles.joints.index("rwrist")]
    apart = layout.view(y, "ball.position") - wrist
    np.testing.assert_allclose(apart[touching], np.tile([0.0, 0.0, -0.2], (touching.sum(), 1)), atol=0.02)
    np.testing.assert_array_equal(layout.view(y, "contact.other")[:, 1], touching)
    assert layout.view(y, "ball.position")[:, 2].min() < 0.16


def test_in_the_mirror_the_left_hand_dribbles(dribbles: Dataset) -> None:
    layout = dribbles.output_layout
    _, right = samples(dribbles, "dribble.bvh", RIGHT)
    _, left = samples(dribbles, "dribble.bvh", MIRRORED)
    np.testing.assert_allclose(
        layout.view(left, "ball.position"), layout.view(right, "ball.position") * [-1.0, 1.0, 1.0], atol=1e-5
    )
    hands = layout.view(left, "contact.other")
    assert hands[:, 0].any() and not hands[:, 1].any()


def test_an_inferred_ball_counts_where_it_is_known(tmp_path: Path) -> None:
    track = Dribbler().ball()
    contacts = track.contacts.copy()
    contacts[:60] = contacts[-60:] = False
    clip = tmp_path / "dribble.bvh"
    write_bvh(clip, Dribbler().clip())
    write_ball(clip.with_suffix(".ball.csv"), replace(track, contacts=contacts))
    dataset = build_dataset([clip], tmp_path / "set", replace(SETTINGS, mirror=False), workers=1)
    held = np.flatnonzero(contacts.any(axis=1))
    assert dataset.clips[0].samples == held[-1] + 1 - held[0]


def test_a_changed_ball_is_built_again(tmp_path: Path) -> None:
    clip = write_dribble(tmp_path / "dribble.bvh", Dribbler().ball())
    settings = replace(SETTINGS, mirror=False)
    before = first_ball(build_dataset([clip], tmp_path / "set", settings, workers=1))
    write_dribble(clip, Dribbler(free_frames=42).ball())
    after = first_ball(build_dataset([clip], tmp_path / "set", settings, workers=1))
    assert not np.array_equal(before, after)


def test_a_true_answer_leads_to_the_data_s_own_next_ball(dribbles: Dataset) -> None:
    x, y = samples(dribbles, "dribble.bvh", RIGHT)
    normal, feedback = dribbles.normalization, SystemFeedback(dribbles, torch.device("cpu"))
    inputs = torch.from_numpy((x - normal.x_mean) / normal.x_std).float()
    answers = torch.from_numpy((y - normal.y_mean) / normal.y_std).float()
    blank = inputs[1:].clone()
    for name in ("ball.position", "ball.velocity", "ball.weight"):
        where = dribbles.input_layout.slices[name]
        width = (where.stop - where.start) // 7
        blank[:, where.stop - width : where.stop] = 9.0
    torch.testing.assert_close(feedback.next_input(inputs[:-1], blank, answers[:-1]), inputs[1:], atol=2e-3, rtol=0.0)
