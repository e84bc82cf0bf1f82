"""How networks in training walk: who lives, who is stiff, who trembles, and that it is always the same walk."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
import torch

import footfall
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.models.network import Architecture, Float32, Memory, Network, Shapes, Task, Tensors
from footfall.core.models.pfnn import PfnnArchitecture
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.loop.export import build_controller
from footfall.training.loop.judged_walks import judged_walks
from footfall.training.loop.reference_motion import PaceMotion, ReferenceMotion
from footfall.training.loop.rollouts import RolloutEvaluator, rollout_score
from footfall.training.loop.session import resume, train


@pytest.fixture
def rollouts(dataset: Dataset) -> RolloutEvaluator:
    result = RolloutEvaluator.for_dataset(dataset)
    assert result is not None
    return result


class Tape:
    """A network that answers with the same rows (F, m) again and again, as if it had learnt a clip by heart."""

    def __init__(self, rows: Float32) -> None:
        self.rows = rows

    def begin(self, count: int) -> Memory:
        return (np.zeros((count, 1), dtype=np.float32),)

    def step(self, x: Float32, phase: object, memory: Memory) -> tuple[Float32, Memory]:
        (frame,) = memory
        return self.rows[frame[:, 0].astype(int) % len(self.rows)], (frame + 1,)


@dataclass(frozen=True, slots=True)
class TapeArchitecture(Architecture):
    family: ClassVar[str] = "tape"

    def shapes(self, task: Task) -> Shapes:
        return {}

    def network(self, tensors: Tensors, task: Task) -> Network:
        return Tape(tensors["rows"])


def played(dataset: Dataset, change: Callable[[Float32], Float32] = lambda y: y) -> ControllerModel:
    """A controller that plays a walk of the data set, straight on and changed in some way."""
    clip = next(clip for clip in dataset.clips if clip.file == "quick.bvh")
    one = clip.sequences[0]
    y = np.array(dataset.samples(clip)[1][one.start : one.stop])
    dataset.output_layout.view(y, "root.angular_velocity")[:] = 0.0
    norm = dataset.normalization
    return build_controller(dataset, TapeArchitecture(), {"rows": (change(y) - norm.y_mean) / norm.y_std})


def network_of(dataset: Dataset, value: float) -> ControllerModel:
    """A controller whose weights are all the same."""
    architecture = PfnnArchitecture(hidden=4)
    shapes = architecture.shapes(dataset.task)
    return build_controller(
        dataset, architecture, {name: np.full(shape, value, dtype=np.float32) for name, shape in shapes.items()}
    )


def test_a_walk_without_fault_has_the_score_one():
    assert rollout_score(1.0, 1.0, 1.0) == 1.0


def test_the_cost_of_faults():
    assert rollout_score(0.5, 1.0, 1.0) == 0.5
    assert rollout_score(1.0, 0.7, 1.0) == rollout_score(1.0, 1.25, 1.0) == 1.0
    assert rollout_score(1.0, 0.35, 1.0) == rollout_score(1.0, 2.5, 1.0) == 0.5
    assert rollout_score(1.0, 1.0, 0.7) == 0.7
    assert rollout_score(1.0, 0.0, 1.0) == 0.0


def test_a_network_is_evaluated_on_motion_of_its_clips(dataset: Dataset):
    usual = ReferenceMotion.of(dataset)
    walks = {walk.name: walk for walk in judged_walks(usual, dataset.skeleton)}
    assert list(walks) == ["0.8 m/s", "1.2 m/s", "standing", "reversal", "corner"]
    assert walks["standing"].wait is not None and walks["standing"].wait.duration == 4.0
    assert walks["0.8 m/s"].is_steady and not walks["standing"].is_steady and not walks["corner"].is_steady
    assert "step_width_cm" in walks["1.2 m/s"].measures and walks["corner"].measures[0] == "turn_lean_deg"
    restless = {walk.name for walk in judged_walks(replace(usual, stands=False), dataset.skeleton)}
    assert restless == set(walks) - {"standing"}
    runs = replace(usual, paces=(PaceMotion(3.0, 0.1, 2.0),))
    running = {walk.name: walk.measures for walk in judged_walks(runs, dataset.skeleton)}
    assert running["3.0 m/s"] == ("cadence_steps_min",) and running["reversal"] == ()


def test_a_walk_by_heart_arrives_and_is_as_lively_as_the_clips(dataset: Dataset, rollouts: RolloutEvaluator):
    rollout = rollouts.evaluate(played(dataset))
    assert rollout.ended == "arrived"
    assert rollout.alive_s > 6
    assert rollout.liveliness == pytest.approx(1.0, abs=0.25)  # the tape has a seam
    assert rollout.path_error_cm is not None
    assert rollout.score > 0.3
    assert rollout.measures.keys() >= {"path_error_cm", "speed_ratio", "skate_ratio", "cadence_steps_min"}


def test_feet_that_slide_cost_score(dataset: Dataset, rollouts: RolloutEvaluator):
    def hurried(y: Float32) -> Float32:
        dataset.output_layout.view(y, "root.velocity")[:] *= 1.6
        return y

    steady, sliding = rollouts.evaluate(played(dataset)), rollouts.evaluate(played(dataset, hurried))
    assert sliding.skate_cm_s > steady.skate_cm_s
    assert sliding.score < steady.score


def test_a_body_that_trembles_costs_score(dataset: Dataset, rollouts: RolloutEvaluator):
    def trembling(y: Float32) -> Float32:
        dataset.output_layout.view(y, "pose.rotation")[::2] += 0.02
        return y

    steady, shaken = rollouts.evaluate(played(dataset)), rollouts.evaluate(played(dataset, trembling))
    assert shaken.liveliness > 1.3 * steady.liveliness
    assert shaken.score < steady.score


def test_a_frozen_walk_has_died_out(dataset: Dataset, rollouts: RolloutEvaluator):
    rollout = rollouts.evaluate(network_of(dataset, 0.0))
    assert rollout.ended == "stopped moving"
    assert rollout.alive_s < 6
    assert rollout.score < 1e-6


@pytest.mark.parametrize("value", [np.nan, 1e6])
def test_a_body_that_flies_apart_has_exploded(dataset: Dataset, rollouts: RolloutEvaluator, value: float):
    rollout = rollouts.evaluate(network_of(dataset, value))
    assert rollout.ended == "exploded"
    assert rollout.score == 0.0
    json.dumps(rollout.to_json(), allow_nan=False)


def noisy(model: ControllerModel, share: float) -> ControllerModel:
    """The controller with noise in its weights, as a share of each."""
    random = np.random.default_rng(3)
    tensors = {name: w * (1 + share * random.standard_normal(w.shape)) for name, w in model.tensors.items()}
    return replace(model, tensors={name: w.astype(np.float32) for name, w in tensors.items()})


@pytest.mark.all_only("several walks are rolled out")
def test_the_nearer_to_people_the_higher_the_score(monkeypatch: pytest.MonkeyPatch):
    """The shipped controller, ever more spoilt, beside the motion of ACCAD, CMU and O3DE clips."""
    monkeypatch.undo()
    model = load_model(Path(footfall.__file__).parent / "presets" / "controllers" / "locomotion.safetensors")
    paces = tuple(PaceMotion(*each) for each in ((0.8, 0.085, 1.60), (1.2, 0.11, 1.84), (3.0, 0.216, 3.24)))
    evaluator = RolloutEvaluator(ReferenceMotion(paces, True, 1.8, 13.8), model.skeleton)
    walked = [evaluator.evaluate(noisy(model, share)) for share in (0.0, 0.25, 0.5, 1.0, 2.0)]
    scores = [rollout.score for rollout in walked]
    print([str(rollout) for rollout in walked], evaluator.total_rollouts_s)
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.85 and scores[3] < 0.7 and scores[4] < 0.1
    assert all(round(a, 2) > round(b, 2) for a, b in pairwise(scores)), "hundredths are what is ranked"
    assert walked[0].ended == "arrived" and 8 < walked[0].alive_s < 13
    assert walked[0].measures["standing_knee_deg"] > walked[2].measures["standing_knee_deg"]


@pytest.fixture
def walking(tiny: TrainingConfig) -> TrainingConfig:
    """A training in which networks are made to walk three times in each stage."""
    return replace(tiny, rollouts=3)


def walks_of(run: RunFolder) -> list[dict[str, object]]:
    return [report for report in run.read_progress()[0] if "rollout" in report]


def test_a_run_tells_how_its_networks_walk(tmp_path: Path, dataset: Dataset, walking: TrainingConfig):
    run = RunFolder(tmp_path / "run")
    train(run, walking, dataset=dataset.path)
    walks = walks_of(run)
    assert {walk["stage"] for walk in walks} == {"frames", "windows"}
    assert run.log_path.read_text().count("walk at step") == 6
    assert {"score", "closeness", "path_error_cm", "skate_cm_s", "liveliness", "alive_s", "ended"} == set(
        walks[0]["rollout"]
    )
    best = load_model(run.model_path).provenance["metrics"]["rollout"]
    assert round(best["score"], 2) == max(round(walk["rollout"]["score"], 2) for walk in walks)


@pytest.mark.all_only("stopped runs are tested in test_training")
def test_a_run_that_was_stopped_walks_and_goes_on_exactly(tmp_path: Path, dataset: Dataset, walking: TrainingConfig):
    config = replace(walking, epochs=12)
    whole, stopped = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "stopped")
    train(whole, config, dataset=dataset.path)
    train(stopped, config, dataset=dataset.path, report=lambda report: stopped.request_stop(), report_interval_s=0.0)
    assert stopped.status() == "stopped"
    resume(stopped)
    for name, tensor in load_model(whole.model_path).tensors.items():
        np.testing.assert_array_equal(tensor, load_model(stopped.model_path).tensors[name], err_msg=name)
    assert [walk["rollout"] for walk in walks_of(whole)][-1] == [walk["rollout"] for walk in walks_of(stopped)][-1]


def test_roll_outs_do_not_change_the_training(tmp_path: Path, dataset: Dataset, walking: TrainingConfig):
    """But for which network is kept: here the last one, in both."""
    runs = [RunFolder(tmp_path / name) for name in ("walking", "sitting")]
    for run, count in zip(runs, (3, 0), strict=True):
        train(run, replace(walking, rollouts=count, unroll_steps=0, epochs=5), dataset=dataset.path)
    states = [torch.load(run.checkpoints()[0], weights_only=True)["learner"]["network"] for run in runs]
    for name, tensor in states[0].items():
        assert torch.equal(tensor, states[1][name])


def test_a_stage_ends_where_nothing_gets_better(tmp_path: Path, dataset: Dataset, walking: TrainingConfig):
    run = RunFolder(tmp_path / "run")
    config = replace(walking, learning_rate=1e-8, epochs=1000, unroll_steps=0, patience=4, rollouts=0, dropout=0.9)
    train(run, config, dataset=dataset.path)
    last = run.read_progress()[0][-1]
    assert run.status() == "finished"
    assert last["epoch"] < 1000
    assert (last["step"], last["fraction"]) == (last["total"], 1.0)
    notes = [report["note"] for report in run.read_progress()[0] if "note" in report]
    assert notes == ["Stage frames ended early: no improvement in 4 evaluations."]
    assert notes[0] in run.log_path.read_text()
