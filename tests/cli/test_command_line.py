"""What all commands have in common."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from footfall import cli

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMANDS = ("label", "ball", "learn-ball", "add-root-motion", "dataset", "train", "export", "walk", "evaluate")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_examples(footfall: Run, command: str) -> None:
    result = footfall(command, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert f"python -m footfall {command}" in result.stdout.partition("examples:")[2]
    assert "--json" in result.stdout


def test_the_help_names_every_command_and_the_exit_codes(footfall: Run) -> None:
    result = footfall("--help")
    assert result.returncode == 0
    assert all(f"  {command}" in result.stdout for command in COMMANDS)
    assert "130 interrupted" in result.stdout


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


def test_an_interrupt_is_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.evaluate, "run", interrupted)
    assert cli.main(["evaluate", "walk.bvh"]) == 130


def test_a_disk_that_refuses_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(options: object) -> int:
        raise PermissionError(13, "Permission denied", "labels")

    monkeypatch.setattr(cli.evaluate, "run", refused)
    assert cli.main(["evaluate", "walk.bvh"]) == 1
    assert capsys.readouterr().err == "footfall: 'labels': Permission denied.\n"


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
