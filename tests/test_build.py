"""build.py: what it decides, in a small checkout, without the network."""

import ctypes
import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from footfall.tests.support.small_checkout import SmallCheckout
from footfall.tools.build.environments import BLENDERS, DEV, with_included
from footfall.tools.build.messages import BuildError
from footfall.tools.build.pythons import find_python
from footfall.tools.build.releases import changelog_section, exchange
from footfall.tools.build.system_packages import BPY_LIBRARIES, install_system_packages, missing_packages
from footfall.tools.build.wheels import BLENDER_PYTHONS, WHEEL_TAGS, bundled_pins
from footfall.tools.build.zips import package_entries, write_zip

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the Pythons of the small checkout are scripts")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallCheckout:
    """A small checkout, and a Python 3.99 on the PATH."""
    made = SmallCheckout(tmp_path, monkeypatch)
    made.add_python(tmp_path / "bin" / "python3.99")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    return made


@pytest.fixture
def environment(checkout: SmallCheckout) -> Any:
    """An environment of the small checkout, not yet set up."""
    return checkout.build.environments.Environment("small", "3.99", {})


def steps(checkout: SmallCheckout) -> list[str]:
    """The steps of the set-up in their order: making, installing, linking."""
    kinds = {"venv": "making", "-r": "installing", "--editable": "linking"}
    return [kinds[next(word for word in words if word in kinds)] for words, _ in checkout.asked()]


class TestStamps:
    def test_a_finished_set_up_is_not_done_again(self, checkout, environment):
        assert checkout.build.environments.set_up(environment)
        assert steps(checkout) == ["making", "installing", "linking"]
        assert checkout.build.environments.is_ready(environment)
        assert checkout.build.environments.set_up(environment) and steps(checkout) == []

    @pytest.mark.parametrize("file", ["small.txt", "base.txt"])
    def test_changed_requirements_are_installed_into_what_is_there(self, checkout, environment, file):
        checkout.build.environments.set_up(environment)
        checkout.asked()
        with (checkout.folder / "requirements" / file).open("a") as requirements:
            requirements.write("three==3\n")
        assert not checkout.build.environments.is_ready(environment)
        checkout.build.environments.set_up(environment)
        assert steps(checkout) == ["installing", "linking"]
        assert checkout.build.environments.is_ready(environment)

    def test_an_interrupted_set_up_starts_from_an_empty_folder(self, checkout, environment):
        checkout.fail("small.txt")
        with pytest.raises(checkout.build.messages.BuildError, match="out of order"):
            checkout.build.environments.set_up(environment)
        assert not checkout.build.environments.is_ready(environment)
        checkout.fail()
        checkout.asked()
        checkout.build.environments.set_up(environment)
        assert steps(checkout)[0] == "making" and checkout.build.environments.is_ready(environment)

    def test_an_environment_whose_python_is_gone_is_not_ready(self, checkout, environment):
        checkout.build.environments.set_up(environment)
        environment.python.unlink()
        assert not checkout.build.environments.is_ready(environment)

    def test_a_moved_checkout_is_set_up_again(self, checkout, environment, monkeypatch):
        moved = checkout.folder.with_name("moved")
        shutil.copytree(checkout.folder, moved)
        there = checkout.load(moved, monkeypatch)
        assert there.environments.stamp_of(environment) != checkout.build.environments.stamp_of(environment)

    def test_without_its_python_an_environment_is_not_made(self, checkout):
        assert not checkout.build.environments.set_up(checkout.build.environments.Environment("small", "3.97", {}))

    def test_every_environment_has_its_requirements_pinned(self):
        for environment in (DEV, *BLENDERS.values()):
            for file in with_included(environment.requirements):
                lines = [
                    line for line in file.read_text().splitlines() if line and not line.startswith(("#", "-r ", "-c "))
                ]
                assert all(re.fullmatch(r"[A-Za-z0-9_.\[\]-]+==[0-9][0-9A-Za-z.]*", line) for line in lines), file


class TestFindingPython:
    def test_the_running_one_is_found_by_its_version(self):
        version = "{}.{}".format(*sys.version_info[:2])
        found = find_python(version)
        assert found is not None
        answer = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        assert answer.startswith(f"Python {version}.")

    @pytest.mark.skipif(sys.platform == "win32", reason="shims are shell scripts")
    def test_a_shim_that_refuses_is_passed_over(self, tmp_path, monkeypatch):
        shim = tmp_path / "python3.98"
        shim.write_text("#!/bin/sh\necho 'python3.98: command not found' >&2\nexit 127\n")
        shim.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        assert find_python("3.98") is None


class TestSystemPackages:
    def test_only_those_whose_library_does_not_load(self, monkeypatch):
        monkeypatch.setattr(sys, "platform", "linux")
        packages = missing_packages(BPY_LIBRARIES, lambda library: library not in ("libXi.so.6", "libSM.so.6"))
        assert [package for package in packages if package.startswith("lib")] == ["libxi6", "libsm6"]

    def test_none_on_other_systems(self, monkeypatch):
        monkeypatch.setattr(sys, "platform", "darwin")
        assert missing_packages(BPY_LIBRARIES, lambda _library: False) == []

    @pytest.mark.skipif(sys.platform != "linux", reason="packages are Debian's")
    def test_who_may_not_install_them_is_told_how(self, monkeypatch):
        monkeypatch.setattr(shutil, "which", lambda _name: None)
        with pytest.raises(BuildError, match="sudo apt-get install --no-install-recommends libnone1 libnone2"):
            install_system_packages({"libnone.so.1": "libnone1", "libnone.so.2": "libnone2"})


def test_a_blender_without_its_python_is_skipped_aloud(checkout, monkeypatch, capsys):
    checkout.add_environments()
    shutil.rmtree(checkout.build.environments.BLENDERS["4.5"].folder)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "_base_executable", "nowhere")
    assert list(checkout.build.environments.set_up_blenders()) == ["5.2"]
    assert "SKIPPED: Blender 4.5 needs Python 3.11" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "code"), [("pass", 0), ("import sys; sys.exit(3)", 3), ("1 / 0", 1), ("raise SystemExit('why')", 1)]
)
def test_scripts_for_blender_end_with_their_own_exit_code(script, code, tmp_path):
    (tmp_path / "script.py").write_text(script)
    command = [sys.executable, ROOT / "tests" / "run_in_blender.py", tmp_path / "script.py"]
    assert subprocess.run(command, capture_output=True).returncode == code


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small source tree in git, with a file that git does not track."""
    root = tmp_path / "checkout"
    tree = ["__init__.py", "core/motion/clip.py", "presets/rigs/cmu.toml", "tests/test_x.py", "docs/a.md", "build.py"]
    for name in tree:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{name}\n")
    shutil.copy(ROOT / "blender_manifest.toml", root)
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", "-C", root, *command], check=True)
    (root / "core" / "scratch.py").touch()
    return root


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    wheel = tmp_path / "thing-1.0-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    return wheel


class TestPackage:
    def test_holds_the_tracked_source_and_the_wheels_and_nothing_else(self, source, wheel, capsys):
        assert sorted(package_entries(source, "linux-x64", "3.13", [wheel])) == [
            "__init__.py",
            "blender_manifest.toml",
            "core/motion/clip.py",
            "presets/rigs/cmu.toml",
            "wheels/thing-1.0-py3-none-any.whl",
        ]
        assert "core/scratch.py" in capsys.readouterr().out

    @pytest.mark.parametrize("python", BLENDER_PYTHONS)
    def test_manifest_names_the_platform_the_wheels_and_the_blenders(self, source, wheel, python):
        entries = package_entries(source, "macos-arm64", python, [wheel])
        manifest = tomllib.loads(entries["blender_manifest.toml"].decode())
        assert manifest["platforms"] == ["macos-arm64"]
        assert manifest["wheels"] == ["./wheels/thing-1.0-py3-none-any.whl"]
        blenders = (manifest["blender_version_min"], manifest.get("blender_version_max"))
        assert blenders == BLENDER_PYTHONS[python]
        original = tomllib.loads((source / "blender_manifest.toml").read_text())
        del original["blender_version_min"]
        assert {key: manifest[key] for key in original} == original

    def test_each_supported_blender_takes_the_zip_of_its_python_and_no_other(self):
        def numbers(version):
            return tuple(int(part) for part in version.split("."))

        for version, environment in BLENDERS.items():
            for python, (least, below) in BLENDER_PYTHONS.items():
                takes = numbers(least) <= numbers(f"{version}.0") and (
                    below is None or numbers(f"{version}.0") < numbers(below)
                )
                assert takes == (python == environment.python_version) or python == "3.14"

    def test_the_same_source_gives_the_same_bytes(self, source, wheel, tmp_path):
        entries = package_entries(source, "linux-x64", "3.13", [wheel])
        write_zip(tmp_path / "a.zip", entries)
        write_zip(tmp_path / "b.zip", dict(reversed(entries.items())))
        assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
        with zipfile.ZipFile(tmp_path / "a.zip") as archive:
            assert archive.namelist() == sorted(entries)
            assert archive.testzip() is None

    def test_a_zip_whose_wheels_do_not_fit_is_not_kept(self, checkout, tmp_path):
        checkout.add_environments()
        archive = tmp_path / "footfall-0.1.0-windows-x64-py3.11.zip"
        archive.touch()
        checkout.fail("tools.wheels")
        with pytest.raises(
            checkout.build.messages.BuildError, match=r"py3\.11\.zip would not run where it is for:\nout of order"
        ):
            checkout.build.wheels.check_wheels(archive)
        assert not archive.exists()

    def test_bundled_wheels_are_pinned(self):
        names = {pin.partition("==")[0] for pin in bundled_pins()}
        assert names == {"scipy", "safetensors"}
        assert all("==" in pin for pin in bundled_pins())


def test_manifest_keeps_to_blenders_rules_and_to_the_projects_version():
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert manifest["version"] == project["version"]
    assert len(manifest["tagline"]) <= 64
    assert manifest["tagline"][-1].isalnum()
    assert all(len(reason) <= 64 for reason in manifest["permissions"].values())


class TestRelease:
    @pytest.fixture
    def made(self, checkout, tmp_path):
        """The folder of the small checkout's releases."""
        checkout.add_environments()
        return tmp_path / "release"

    def test_all_zips_have_check_sums_and_the_notes_of_their_version(self, made, checkout):
        made.mkdir()
        (made / "footfall-0.0.9-linux-x64-py3.11.zip").touch()  # of a release before
        assert checkout.build.command_line.main(["release", "--out", str(made)]) == 0
        names = {f"footfall-0.1.0-{name}-py{python}.zip" for name in WHEEL_TAGS for python in BLENDER_PYTHONS}
        assert {file.name for file in made.iterdir()} == names | {"SHA256SUMS", "CHANGELOG.md", "index.json"}
        assert (made / "CHANGELOG.md").read_text() == "## [0.1.0] - 2026-11-26\n\n- First.\n"
        lines = dict(reversed(line.split("  ")) for line in (made / "SHA256SUMS").read_text().splitlines())
        one = made / "footfall-0.1.0-linux-x64-py3.13.zip"
        assert set(lines) == names and lines[one.name] == hashlib.sha256(one.read_bytes()).hexdigest()
        with zipfile.ZipFile(one) as archive:
            assert {"docs/index.html", "presets/a.toml", "wheels/thing-1.0-py3-none-any.whl"} <= set(archive.namelist())

    def test_a_folder_with_other_files_is_not_replaced(self, made, checkout, capsys):
        made.mkdir()
        (made / "thesis.zip").write_text("mine")
        assert checkout.build.command_line.main(["release", "--out", str(made)]) == 1
        assert "holds thesis.zip, which no release has made: name a new" in capsys.readouterr().err
        assert [file.name for file in made.iterdir()] == ["thesis.zip"]

    def test_a_release_that_fails_leaves_the_old_one(self, made, checkout, capsys):
        arguments = ["release", "--out", str(made), "--platform", "linux-x64", "--python", "3.13"]
        assert checkout.build.command_line.main(arguments) == 0
        old = {file.name: file.read_bytes() for file in made.iterdir()}
        checkout.fail("server-generate")
        assert checkout.build.command_line.main(arguments) == 1
        assert "out of order" in capsys.readouterr().err
        assert {file.name: file.read_bytes() for file in made.iterdir()} == old
        assert [file.name for file in made.parent.iterdir() if file.name.startswith(".")] == []

    @pytest.mark.parametrize("library", [ctypes.CDLL, lambda name: SimpleNamespace()])
    def test_folders_are_exchanged_where_the_system_can_in_one_step(self, tmp_path, monkeypatch, library):
        monkeypatch.setattr(ctypes, "CDLL", library)
        for name in ("new", "old"):
            (tmp_path / name).mkdir()
            (tmp_path / name / name).touch()
        exchange(tmp_path / "new", tmp_path / "old")
        assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("*/*")} == {"new/old", "old/new"}

    def test_a_version_without_a_date_is_said_and_one_without_notes_is_an_error(self, made, checkout, capsys):
        manifest = checkout.folder / "blender_manifest.toml"
        manifest.write_text(manifest.read_text().replace("0.1.0", "0.2.0"))
        one = ["release", "--out", str(made), "--platform", "linux-x64", "--python", "3.13"]
        assert checkout.build.command_line.main(one) == 0
        assert "calls 0.2.0 unreleased" in capsys.readouterr().out
        manifest.write_text(manifest.read_text().replace("0.2.0", "0.3.0"))
        assert checkout.build.command_line.main(one) == 1
        assert "no section '## [0.3.0]'" in capsys.readouterr().err

    def test_the_changelog_has_a_section_of_the_version(self):
        version = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))["version"]
        section = changelog_section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        assert section.startswith(f"## [{version}]") and len(section.splitlines()) > 10
