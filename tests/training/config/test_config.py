"""Training settings: strict, and clear about what is wrong."""

import tomllib
from pathlib import Path

import pytest

from footfall.core.jobs.run_folder import RunFolder
from footfall.training.config.config import ConfigError, TrainingConfig, preset_names, to_toml
from footfall.training.config.run_config import RunConfig


@pytest.mark.parametrize("name", ["quick", "standard", "paper"])
def test_the_presets_that_ship_are_valid(name: str):
    assert name in preset_names()
    assert TrainingConfig.from_preset(name).hidden >= 128


def test_the_paper_preset_is_the_papers():
    paper = TrainingConfig.from_preset("paper")
    assert (paper.hidden, paper.control_points, paper.batch, paper.epochs) == (512, 4, 32, 20)
    assert (paper.learning_rate, paper.dropout, paper.l1, paper.joint_weight) == (1e-4, 0.3, 0.01, 0.1)


def test_a_configuration_survives_toml():
    config = TrainingConfig(hidden=64, speeds=(0.8, 1), exclude_joints=('Bip "01" \\ Toe\n',), device="cpu", l1=0)
    assert TrainingConfig.from_mapping(tomllib.loads(to_toml(config.to_mapping()))) == config


def test_settings_are_overridden_on_the_command_line():
    config = TrainingConfig().with_overrides(["hidden=64", "device=cpu", "speeds=[1.0, 1.1]", "mirror=false", "l1 = 1"])
    assert (config.hidden, config.device, config.speeds) == (64, "cpu", (1.0, 1.1))
    assert (config.mirror, config.l1) == (False, 1.0)


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("hiden=3", "'hiden' in --set is not a training setting"),
        ("hidden", "name=value"),
        ("hidden=2.5", "'hidden' must be a whole number, but is 2.5"),
        ("hidden=true", "'hidden' must be a whole number, but is True"),
        ("hidden=0", "from 1 to 16384"),
        ("dropout=nan", "'dropout' must be a number"),
        ("dropout=1", "from 0 to 0.95"),
        ("device=tpu", "one of auto, cpu, cuda, mps"),
        ("mirror=1", "true or false"),
        ("speeds=1.0", "must be a list"),
        ("speeds=[]", "is empty"),
        ("bends=[]", "is empty"),
        ("bends=[9]", "from -2 to 2"),
        ("speeds=['a']", "'speeds' must be a number"),
        ("speeds=[9]", "from 0.25 to 4"),
        ("exclude_joints=[1]", "must be text"),
    ],
)
def test_a_wrong_setting_is_one_clear_sentence(assignment: str, words: str):
    with pytest.raises(ConfigError) as caught:
        TrainingConfig().with_overrides([assignment])
    assert words in str(caught.value)
    assert not str(caught.value).endswith(".")


def test_a_preset_of_ones_own_is_named_by_its_file(tmp_path):
    (tmp_path / "ours.toml").write_text("# For our walks.\nhidden = 24\n")
    assert TrainingConfig.from_preset(str(tmp_path / "ours.toml")).hidden == 24
    with pytest.raises(ConfigError, match="cannot be read"):
        TrainingConfig.from_preset(str(tmp_path / "theirs.toml"))


def test_an_unknown_preset_names_those_that_exist():
    with pytest.raises(ConfigError, match=r"paper, .*quick, standard"):
        TrainingConfig.from_preset("best")


@pytest.mark.parametrize("value", ["9" * 400, "[" * 50_000, "9" * 5000, "nan", "1e999", "[[1]]", "{a = 1}"])
def test_values_that_no_setting_could_have_are_refused(value: str):
    for name in ("batch", "gating", "speeds", "learning_rate", "device"):
        try:
            TrainingConfig().with_overrides([f"{name}={value}"])
        except ConfigError as error:
            assert len(str(error)) < 1500


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 50_000,
        "a = " + "9" * 5000,
        '[data]\nclips = [["a"]]\n[training]\n',
        "[data]\nclips = 5\n[training]\n",
        "[data]\ndataset = 0\n[training]\n",
        "[data]\ndataset = []\n[training]\n",
        '[data]\nclips = ["a"]\n[training]\nbatch = ' + "9" * 30,
        '[data]\nclips = ["a"]\n[training]\nspeeds = [nan]\n',
        '[data]\nclips = ["a"]\n[training]\ngating = ["x"]\n',
        '[data]\nclips = ["a"]\n[training]\n[origin]\ncontroller = 5\n',
        "data = 5\ntraining = 5\n",
    ],
)
def test_damaged_settings_of_a_run_are_one_sentence(text: str, tmp_path: Path):
    run = RunFolder(tmp_path)
    run.config_path.write_text(text)
    with pytest.raises(ConfigError):
        RunConfig.from_run(run)
