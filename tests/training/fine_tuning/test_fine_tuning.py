"""Whole runs that go on from a controller."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import ControllerModel, load_model, save_model
from footfall.training.config.config import ConfigError, TrainingConfig
from footfall.training.config.origin import FineTuningOrigin
from footfall.training.config.run_config import RunConfig
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetError, DatasetSettings
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.fine_tuning.fine_tuning import starting_model
from footfall.training.fine_tuning.style_column import map_columns
from footfall.training.loop.export import export_model
from footfall.training.loop.session import resume, train


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, dataset: Dataset) -> Path:
    """A controller of the walker that is there already."""
    config = TrainingConfig(
        hidden=16,
        batch=64,
        epochs=25,
        dropout=0.0,
        l1=0.0,
        learning_rate=3e-3,
        joint_weight=0.2,
        rollouts=0,
        device="cpu",
        threads=1,
    )
    return train(RunFolder(tmp_path_factory.mktemp("shipped") / "run"), config, dataset=dataset.path)


@pytest.fixture(scope="module")
def limps(tmp_path_factory: pytest.TempPathFactory, write_walk: Callable[..., Path]) -> list[Path]:
    """Two takes of a walk that the controller was never shown, of a taller actor."""
    folder = tmp_path_factory.mktemp("limps")
    return [write_walk(folder / f"{lift}.bvh", scale=1.1, lift=lift, speed=0.7, duty=0.7) for lift in (0.25, 0.3)]


@pytest.fixture
def gentle(tiny: TrainingConfig) -> TrainingConfig:
    """Hardly moves the weights."""
    return replace(
        tiny, epochs=1, unroll_epochs=1, learning_rate=1e-7, unroll_learning_rate=1e-7, dropout=0.0, replay_minutes=0.1
    )


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "run")


def test_a_run_goes_on_from_the_controllers_weights_body_and_normalisation(
    run: RunFolder, shipped: Path, limps: list[Path], gentle: TrainingConfig
) -> None:
    # Another network is asked for, and joints that weigh otherwise: the controller's own are taken.
    config = replace(gentle, family="plain", hidden=99, joint_weight=0.1)
    before, after = (
        load_model(shipped),
        load_model(train(run, config, clips=limps, origin=FineTuningOrigin(shipped), workers=1)),
    )
    assert after.architecture == before.architecture
    assert after.provenance["settings"]["joint_weight"] == pytest.approx(0.2)
    for name, tensor in before.tensors.items():
        np.testing.assert_allclose(after.tensors[name], tensor, atol=1e-4, err_msg=name)
        assert not np.array_equal(after.tensors[name], tensor)
    for name in ("x_mean", "x_std", "y_mean", "y_std", "reference_rotations"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name), err_msg=name)
    np.testing.assert_array_equal(after.skeleton.offsets, before.skeleton.offsets)
    np.testing.assert_array_equal(after.start["position"], before.start["position"])
    assert (after.joints, after.gaits) == (before.joints, before.gaits)


def test_a_style_is_a_gait_more(run: RunFolder, shipped: Path, limps: list[Path], gentle: TrainingConfig) -> None:
    before = load_model(shipped)
    after = load_model(train(run, gentle, clips=limps, origin=FineTuningOrigin(shipped, "limp"), workers=1))
    assert after.gaits == (*before.gaits, "limp")
    own = Dataset.open(run.dataset_path)
    assert own.gaits == after.gaits
    gaits = np.concatenate([own.input_layout.view(own.samples(clip)[0], "trajectory.gait") for clip in own.clips])
    assert (gaits[..., -1] == 1.0).all()
    x = map_columns(after.input_layout, before.input_layout)
    np.testing.assert_array_equal(after.x_mean[x], before.x_mean)
    np.testing.assert_allclose(after.tensors["W0"][..., x], before.tensors["W0"], atol=1e-4)
    # Another one can be taught after it.
    further = starting_model(FineTuningOrigin(run.model_path, "hop"))
    assert further.gaits == (*before.gaits, "limp", "hop")


def test_the_new_is_learnt_and_the_old_is_kept(
    tmp_path: Path, shipped: Path, limps: list[Path], dataset: Dataset, tiny: TrainingConfig
) -> None:
    settings = replace(tiny, unroll_steps=0, learning_rate=2e-3, dropout=0.0, pose_noise=0.0, replay_minutes=0.4)
    errors: dict[float, tuple[float, float]] = {}
    for share, epochs in ((0.0, 60), (0.5, 12)):
        config, run = replace(settings, replay_share=share, epochs=epochs), RunFolder(tmp_path / str(share))
        model = load_model(train(run, config, clips=limps, origin=FineTuningOrigin(shipped, "limp"), workers=1))
        errors[share] = error(model, Dataset.open(run.dataset_path)), error(model, dataset)
    before = starting_model(FineTuningOrigin(shipped, "limp"))
    new, old = error(before, Dataset.open(run.dataset_path)), error(before, dataset)
    assert errors[0.5][0] < 0.7 * new, (new, old, errors)
    assert errors[0.5][1] < 0.6 * errors[0.0][1], (new, old, errors)


def error(model: ControllerModel, dataset: Dataset) -> float:
    """The mean squared error of a controller's answers to clips in which nobody goes in gaits that it knows besides."""
    network, errors = model.network(), []
    for clip in dataset.clips:
        x, y, phase = dataset.samples(clip)
        wide = np.zeros((len(x), model.input_layout.size), np.float32)
        wide[:, map_columns(model.input_layout, dataset.input_layout)] = x
        answers, _ = network.step((wide - model.x_mean) / model.x_std, phase, ())
        errors.append(np.square(answers - (y - model.y_mean) / model.y_std).mean(axis=1))
    return float(np.concatenate(errors).mean())


def test_provenance_names_the_controller_and_credits_all_sources(
    run: RunFolder, shipped: Path, limps: list[Path], gentle: TrainingConfig
) -> None:
    config = replace(gentle, replay_share=0.0)
    before = load_model(shipped).provenance
    after = load_model(train(run, config, clips=limps, origin=FineTuningOrigin(shipped), workers=1)).provenance
    assert after["origin"]["controller"] == shipped.name
    assert len(after["origin"]["sha256"]) == 64
    assert after["origin"]["sources"] == before["sources"]
    assert after["clips"] == len(limps)
    names = [source["name"] for source in after["sources"]]
    assert names == [*(source["name"] for source in before["sources"]), limps[0].parent.name]
    second = RunFolder(run.path.with_name("second"))
    again = load_model(
        train(second, config, clips=limps, origin=FineTuningOrigin(run.model_path), workers=1)
    ).provenance
    assert again["origin"]["origin"]["sha256"] == after["origin"]["sha256"]
    (limping,) = [source for source in again["sources"] if source["name"] == names[-1]]
    assert limping["clips"] == 2 * len(limps)
    exported = load_model(export_model(second, run.path.with_name("out.safetensors")))
    assert exported.provenance["sources"] == again["sources"]


def test_a_run_continues_exactly_without_the_controllers_file(
    tmp_path: Path, shipped: Path, limps: list[Path], tiny: TrainingConfig
) -> None:
    settings = replace(tiny, dropout=0.0, epochs=3, unroll_epochs=3, replay_minutes=0.1)
    mine = tmp_path / "mine.safetensors"
    save_model(mine, load_model(shipped))
    whole, broken = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "broken")
    train(whole, settings, clips=limps, origin=FineTuningOrigin(mine, "limp"), workers=1)

    def stop(report: dict) -> None:
        if report["stage"] == "windows":
            broken.request_stop()

    every = replace(settings, checkpoint_interval=0.0)
    train(
        broken, every, clips=limps, origin=FineTuningOrigin(mine, "limp"), workers=1, report=stop, report_interval_s=0.0
    )
    mine.unlink()
    assert broken.status() == "stopped"
    resume(broken, workers=1)
    assert broken.status() == "finished"
    first, second = load_model(whole.model_path), load_model(broken.model_path)
    for name, tensor in first.tensors.items():
        np.testing.assert_array_equal(second.tensors[name], tensor, err_msg=name)


def test_a_stop_is_heeded_while_the_controller_replays(
    run: RunFolder, shipped: Path, limps: list[Path], gentle: TrainingConfig
) -> None:
    def stop(report: dict) -> None:
        if report["stage"] == "replay":
            run.request_stop()

    train(run, gentle, clips=limps, origin=FineTuningOrigin(shipped), workers=1, report=stop)
    assert run.status() == "stopped"
    assert not run.model_path.exists()
    resume(run, workers=1)
    assert run.status() == "finished"


def test_old_clips_are_practised_where_they_are_at_hand(
    run: RunFolder, shipped: Path, limps: list[Path], dataset: Dataset, gentle: TrainingConfig
) -> None:
    train(run, gentle, clips=limps, origin=FineTuningOrigin(shipped, "limp", dataset.path), workers=1)
    assert not (run.replay_path / "manifest.json").exists()
    whole = RunConfig.from_run(run)
    assert whole.origin == FineTuningOrigin(shipped, "limp", dataset.path)
    other = build_dataset(limps, run.path.with_name("others"), DatasetSettings(mirror=False), workers=1)
    with pytest.raises(FootfallError, match=r"was not built for this controller \(its skeleton differs\)"):
        train(run, gentle, clips=limps, origin=FineTuningOrigin(shipped, "limp", other.path), workers=1)


def test_a_data_set_is_trained_from_where_it_was_made_for_the_controller(
    run: RunFolder, shipped: Path, limps: list[Path], dataset: Dataset, gentle: TrainingConfig
) -> None:
    origin = FineTuningOrigin(shipped, "limp")
    with pytest.raises(
        FootfallError, match=r"its gaits are stand, walk, run, .*, but those of the controller are .*, limp"
    ):
        train(run, gentle, dataset=dataset.path, origin=origin)
    body = NetworkSkeleton.of(starting_model(origin), origin.style)
    own = build_dataset(
        limps, run.path.with_name("limping"), DatasetSettings(mirror=False), workers=1, network_skeleton=body
    )
    assert train(run, gentle, dataset=own.path, origin=origin).exists()


def test_the_new_clips_alone_decide_whether_anything_is_held_out(
    run: RunFolder, shipped: Path, limps: list[Path], gentle: TrainingConfig
) -> None:
    train(run, replace(gentle, unroll_steps=0), clips=limps[:1], origin=FineTuningOrigin(shipped), workers=1)
    assert load_model(run.model_path).provenance["metrics"]["validation_loss"] is None


@pytest.mark.parametrize(
    ("style", "sentence"), [("Limp!", "is not a valid name of a style"), ("walk", "already has a gait 'walk'")]
)
def test_styles_are_named_well_before_anything_is_done(
    run: RunFolder, shipped: Path, limps: list[Path], gentle: TrainingConfig, style: str, sentence: str
) -> None:
    with pytest.raises(FootfallError, match=sentence):
        train(run, gentle, clips=limps, origin=FineTuningOrigin(shipped, style))
    assert not run.path.exists()


def test_controllers_that_cannot_be_fine_tuned_are_told_apart(tmp_path: Path, shipped: Path) -> None:
    slow = tmp_path / "slow.safetensors"
    save_model(slow, replace(load_model(shipped), rate=30.0))
    with pytest.raises(FootfallError, match="runs at 30 frames per second"):
        starting_model(FineTuningOrigin(slow))
    with pytest.raises(FootfallError, match="the file cannot be read"):
        starting_model(FineTuningOrigin(tmp_path / "none.safetensors"))


def test_clips_that_do_not_fit_are_left_out_and_none_is_an_error(
    run: RunFolder, shipped: Path, limps: list[Path], gentle: TrainingConfig, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.bvh"
    empty.write_text("HIERARCHY\n")
    with pytest.raises(DatasetError, match="None of the 1 clips can be used"):
        train(run, gentle, clips=[empty], origin=FineTuningOrigin(shipped), workers=1)
    assert run.status() == "failed"


def test_a_damaged_origin_in_the_run_is_reported(
    run: RunFolder, shipped: Path, limps: list[Path], gentle: TrainingConfig
):
    train(run, gentle, clips=limps, origin=FineTuningOrigin(shipped), workers=1)
    document = tomllib.loads(run.config_path.read_text())
    assert document["origin"] == {"controller": str(shipped), "style": ""}
    run.config_path.write_text(run.config_path.read_text().replace(f'"{shipped}"', "7"))
    with pytest.raises(ConfigError, match="is not text"):
        RunConfig.from_run(run)
