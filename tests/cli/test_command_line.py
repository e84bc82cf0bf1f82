"""Behavior common to all commands: help, errors, exit codes and JSON."""

import argparse
import io
import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from footfall import cli
from footfall.cli import main
from footfall.core.motion import Clip
from footfall.core.motion.bvh import write_bvh

ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]
COMMANDS = tuple(module.__name__.rpartition(".")[2].replace("_", "-") for module in cli.COMMANDS)
SHOWN = ("label", "infer-ball", "make-dataset", "train", "walk", "interact")
"""Commands whose help is asked for in a process of its own."""


@pytest.mark.parametrize("command", SHOWN)
def test_every_command_explains_itself_with_examples(footfall: Run, command: str) -> None:
    result = footfall(command, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert f"python -m footfall {command}" in result.stdout.partition("examples:")[2]
    assert "--json" in result.stdout and "--quiet" in result.stdout


@pytest.mark.parametrize("module", cli.COMMANDS)
def test_help_is_short_american_and_speaks_of_characters(module: ModuleType) -> None:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    texts = {module.HELP, *(action.help or "" for action in parser._actions)}
    assert not module.HELP.endswith(".") and len(module.HELP) <= 110
    wrong = re.compile(r"\b(who|whom|somebody|nobody|anew|shall|besides|labelled|labelling|meters a second)\b")
    assert not [text for text in texts if wrong.search(text)]
    assert "examples:" in module.EXAMPLES


def test_results_go_to_out_in_all_commands() -> None:
    for module in cli.COMMANDS:
        parser = argparse.ArgumentParser()
        module.add_arguments(parser)
        options = {option for action in parser._actions for option in action.option_strings}
        assert not options & {"--output", "--folder", "--out-dir", "-o"}, module.__name__


def test_the_help_names_every_command_and_the_exit_codes(footfall: Run) -> None:
    result = footfall("--help")
    assert result.returncode == 0
    assert all(f"  {command}" in result.stdout for command in COMMANDS)
    assert "130 interrupted" in result.stdout


def test_the_version_is_that_of_the_extension(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["--version"])
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert left.value.code == 0 and capsys.readouterr().out == f"Footfall {manifest['version']}\n"


@pytest.mark.parametrize("option", ["--versio", "--hel"])
def test_options_are_never_abbreviated(option: str) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main([option])
    assert left.value.code == 2
    with pytest.raises(SystemExit) as left:
        cli.main(["walk", "--pat", "a.csv", "--out", "a.bvh"])
    assert left.value.code == 2


def test_a_python_without_packages_says_so(tmp_path: Path) -> None:
    package = tmp_path / "footfall"
    package.symlink_to(ROOT, target_is_directory=True)
    (tmp_path / "p.csv").write_text("0, 0\n0, 2\n")
    # -S leaves out the packages that are installed beside the standard library.
    command = [
        sys.executable,
        "-S",
        "-m",
        "footfall",
        "walk",
        "--path",
        tmp_path / "p.csv",
        "--out",
        tmp_path / "w.bvh",
    ]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
    (said,) = told.stderr.splitlines()
    assert told.returncode == 1 and "lacks the package 'numpy'" in said


def test_a_missing_module_of_its_own_is_no_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "footfall.core.labelling.presets", None)
    with pytest.raises(ModuleNotFoundError):
        main(["list-presets"])


def test_json_goes_to_a_file_and_never_over_a_clip(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "told.json"
    assert main(["list-presets", "--json", str(target)]) == 0
    assert "training" in json.loads(target.read_text()) and capsys.readouterr().out == ""
    for wrong in (str(tmp_path / "walk.bvh"), str(tmp_path / "nowhere" / "told.json")):
        with pytest.raises(SystemExit) as left:
            main(["list-presets", "--json", wrong])
        assert left.value.code == 2


def test_presets_and_controllers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list-presets", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {"quick", "standard"} <= set(listed["training"]) and {"biped", "quadruped"} <= set(listed["labeling"])
    assert all(Path(file).is_file() for file in listed["controllers"].values())
    assert cli.main(["list-presets"]) == 0
    assert "  biped" in capsys.readouterr().out


def test_python_in_the_working_folder_does_not_run(tmp_path: Path) -> None:
    for name in ("argparse", "numpy", "torch", "scipy", "json"):
        (tmp_path / f"{name}.py").write_text(f"open('ran.txt', 'a').write('{name} ')\n")
    (tmp_path / "walk.bvh").write_text("HIERARCHY\n")
    for arguments in (["label", "walk.bvh", "--out", "out"], ["train", "--resume", "."]):
        command = [sys.executable, "-m", "footfall", *arguments]
        told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=240)
        assert "footfall: " in told.stderr, told.stderr
    assert not (tmp_path / "ran.txt").exists(), (tmp_path / "ran.txt").read_text()


@pytest.mark.parametrize(
    "arguments", [[], ["dance"], ["label"], ["walk", "--path", "p.csv", "--out", "w.bvh", "--speed", "-1"]]
)
def test_wrong_usage_is_exit_code_2(footfall: Run, arguments: list[str]) -> None:
    result = footfall(*arguments)
    assert result.returncode == 2
    assert "usage:" in result.stderr and "Traceback" not in result.stderr


class Output(io.StringIO):
    """An output on which words have an effect."""

    def __init__(self, effect: Callable[[], None]) -> None:
        super().__init__()
        self.effect = effect

    def write(self, text: str) -> int:
        self.effect()
        return super().write(text)


def interrupt() -> None:
    raise KeyboardInterrupt


def refuse() -> None:
    raise PermissionError(13, "Permission denied", "labels")


def terminate() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize(
    ("effect", "code", "said"),
    [
        (interrupt, 130, ""),
        (terminate, 143, ""),
        (refuse, 1, "footfall: 'labels': Permission denied.\n"),
    ],
)
def test_what_ends_a_command_is_its_exit_code(
    effect: Callable[[], None],
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(sys, "stdout", Output(effect))
    assert main(["list-presets"]) == code
    assert capsys.readouterr().err == said and signal.getsignal(signal.SIGTERM) is before


def test_help_loads_no_number_crunching() -> None:
    program = "\n".join(
        [
            "import sys",
            "from footfall.cli import main",
            "try: main(['--help'])",
            "except SystemExit: pass",
            "print(sorted({'numpy', 'scipy', 'torch', 'bpy', 'tqdm'} & set(sys.modules)), file=sys.stderr)",
        ]
    )
    child = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=60)
    assert (child.stderr.strip(), child.returncode) == ("[]", 0)


@pytest.mark.parametrize(
    ("out", "said"), [("missing/walk.bvh", "no folder for"), (".", "is a folder"), ("", "is a folder")]
)
def test_an_unwritable_file_is_refused_before_the_work(
    out: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as refused:
        main(["walk", "--path", "no-such-path.csv", "--out", out])
    assert refused.value.code == 2 and said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_matrix_products_take_one_thread_unless_told(tmp_path: Path) -> None:
    script = (
        "import os; from footfall.cli import main; main(['list-presets', '--quiet']); print(*map(os.getenv, NAMES))"
    )
    script = f"NAMES = ('OPENBLAS_NUM_THREADS', 'PYTHONSAFEPATH'); {script}"
    plain = {
        name: value for name, value in os.environ.items() if name not in ("OPENBLAS_NUM_THREADS", "PYTHONSAFEPATH")
    }
    for given, wanted in (({}, "1 1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2 1")):
        child = subprocess.run(
            [sys.executable, "-P", "-c", script], capture_output=True, text=True, env=plain | given, cwd=tmp_path
        )
        assert child.returncode == 0 and child.stdout.splitlines()[-1] == wanted, child.stderr


def test_code_in_a_folder_of_clips_is_not_run(marching: Clip, tmp_path: Path) -> None:
    for name in ("first", "second"):
        write_bvh(tmp_path / f"{name}.bvh", marching)
    (tmp_path / "multiprocessing.py").write_text("open('ran.txt', 'w')")
    (tmp_path / "numpy.py").write_text("open('ran.txt', 'w')")
    child = subprocess.run(
        [sys.executable, "-m", "footfall", "label", ".", "--out", "labels", "--jobs", "2", "--quiet"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"},
    )
    assert child.returncode == 0, child.stderr
    assert not (tmp_path / "ran.txt").exists()
