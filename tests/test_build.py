"""build.py: what it decides, without the network and without making an environment."""

import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from footfall import build

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> build.Environment:
    """An environment of a checkout in a temporary folder, whose Python is a mere file."""
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "VENVS", tmp_path / ".venvs")
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "base.txt").write_text("one==1\n")
    (tmp_path / "requirements" / "small.txt").write_text("-r base.txt\ntwo==2\n")
    environment = build.Environment("small", None, {})
    environment.python.parent.mkdir(parents=True)
    environment.python.touch()
    return environment


class Steps:
    """Stands in for `run_step`: notes the steps; can break at one of them."""

    def __init__(self, environment: build.Environment, break_at: str = "") -> None:
        self.environment, self.break_at, self.seen = environment, break_at, []

    def __call__(self, _topic: str, step: str, _command: object) -> None:
        self.seen.append(step.split()[0])
        if self.break_at and step.startswith(self.break_at):
            raise build.BuildError("pulled the plug")
        if step.startswith("making"):  # what `venv --clear` does
            shutil.rmtree(self.environment.folder)
            self.environment.python.parent.mkdir(parents=True)
            self.environment.python.touch()


class TestStamps:
    def test_a_finished_set_up_is_not_done_again(self, environment, monkeypatch):
        steps = Steps(environment)
        monkeypatch.setattr(build, "run_step", steps)
        assert build.set_up(environment)
        assert steps.seen == ["making", "installing", "linking"]
        assert build.is_ready(environment)
        assert build.set_up(environment)
        assert len(steps.seen) == 3

    @pytest.mark.parametrize("file", ["small.txt", "base.txt"])
    def test_changed_requirements_are_installed_into_what_is_there(self, environment, monkeypatch, file):
        monkeypatch.setattr(build, "run_step", Steps(environment))
        build.set_up(environment)
        with (build.ROOT / "requirements" / file).open("a") as requirements:
            requirements.write("three==3\n")
        assert not build.is_ready(environment)
        again = Steps(environment)
        monkeypatch.setattr(build, "run_step", again)
        build.set_up(environment)
        assert again.seen == ["installing", "linking"]
        assert build.is_ready(environment)

    def test_an_interrupted_set_up_starts_from_an_empty_folder(self, environment, monkeypatch):
        monkeypatch.setattr(build, "run_step", Steps(environment, break_at="installing"))
        with pytest.raises(build.BuildError):
            build.set_up(environment)
        assert not build.is_ready(environment)
        steps = Steps(environment)
        monkeypatch.setattr(build, "run_step", steps)
        build.set_up(environment)
        assert steps.seen[0] == "making"
        assert build.is_ready(environment)

    def test_an_environment_whose_python_is_gone_is_not_ready(self, environment, monkeypatch):
        monkeypatch.setattr(build, "run_step", Steps(environment))
        build.set_up(environment)
        environment.python.unlink()
        assert not build.is_ready(environment)

    def test_a_moved_checkout_is_set_up_again(self, environment, monkeypatch):
        before = build.stamp_of(environment)
        moved = build.ROOT.with_name(build.ROOT.name + "-moved")
        shutil.copytree(build.ROOT, moved)
        monkeypatch.setattr(build, "ROOT", moved)
        assert build.stamp_of(environment) != before

    def test_without_its_python_an_environment_is_not_made(self, environment):
        assert not build.set_up(build.Environment("small", "3.99", {}))

    def test_every_environment_has_its_requirements_pinned(self):
        for environment in (build.DEV, *build.BLENDERS.values()):
            for file in build.with_included(environment.requirements):
                lines = [
                    line for line in file.read_text().splitlines() if line and not line.startswith(("#", "-r ", "-c "))
                ]
                assert all(re.fullmatch(r"[A-Za-z0-9_.\[\]-]+==[0-9][0-9A-Za-z.]*", line) for line in lines), file


class TestFindingPython:
    def test_the_running_one_is_found_by_its_version(self):
        version = "{}.{}".format(*sys.version_info[:2])
        found = build.find_python(version)
        assert found is not None
        answer = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        assert answer.startswith(f"Python {version}.")

    @pytest.mark.skipif(sys.platform == "win32", reason="shims are shell scripts")
    def test_a_shim_that_refuses_is_passed_over(self, tmp_path, monkeypatch):
        shim = tmp_path / "python3.98"
        shim.write_text("#!/bin/sh\necho 'python3.98: command not found' >&2\nexit 127\n")
        shim.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        assert build.find_python("3.98") is None


class TestSystemPackages:
    def test_only_those_whose_library_does_not_load(self, monkeypatch):
        monkeypatch.setattr(sys, "platform", "linux")
        packages = build.missing_packages(
            build.BPY_LIBRARIES, lambda library: library not in ("libXi.so.6", "libSM.so.6")
        )
        assert [package for package in packages if package.startswith("lib")] == ["libxi6", "libsm6"]

    def test_none_on_other_systems(self, monkeypatch):
        monkeypatch.setattr(sys, "platform", "darwin")
        assert build.missing_packages(build.BPY_LIBRARIES, lambda _library: False) == []

    def test_who_may_not_install_them_is_told_how(self, monkeypatch):
        monkeypatch.setattr(build, "missing_packages", lambda _libraries: ["libxi6", "libsm6"])
        monkeypatch.setattr(build.shutil, "which", lambda _name: None)
        with pytest.raises(build.BuildError, match="sudo apt-get install --no-install-recommends libxi6 libsm6"):
            build.install_system_packages(build.BPY_LIBRARIES)

    def test_root_on_debian_fetches_the_lists_once_where_needed(self, monkeypatch):
        steps, missing = [], ["libxi6"]

        def run_step(_topic, step, _command):
            steps.append(step)
            if len(steps) == 1:
                raise build.BuildError("Unable to locate package")
            if step.startswith("installing"):
                missing.clear()

        monkeypatch.setattr(build, "missing_packages", lambda _libraries: list(missing))
        monkeypatch.setattr(build.shutil, "which", lambda _name: "apt-get")
        monkeypatch.setattr(build.os, "geteuid", lambda: 0, raising=False)
        monkeypatch.setattr(build, "run_step", run_step)
        build.install_system_packages(build.BPY_LIBRARIES)
        assert steps == ["installing libxi6", "fetching the package lists", "installing libxi6"]


def test_a_blender_without_its_python_is_skipped_aloud(environment, monkeypatch, capsys):
    monkeypatch.setattr(build, "BLENDERS", {"9.9": build.Environment("small", "3.99", {})})
    assert build.set_up_blenders() == {}
    assert "SKIPPED: Blender 9.9 needs Python 3.99" in capsys.readouterr().out


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
        assert sorted(build.package_entries(source, "linux-x64", "3.13", [wheel])) == [
            "__init__.py",
            "blender_manifest.toml",
            "core/motion/clip.py",
            "presets/rigs/cmu.toml",
            "wheels/thing-1.0-py3-none-any.whl",
        ]
        assert "core/scratch.py" in capsys.readouterr().out

    @pytest.mark.parametrize("python", build.BLENDER_PYTHONS)
    def test_manifest_names_the_platform_the_wheels_and_the_blenders(self, source, wheel, python):
        entries = build.package_entries(source, "macos-arm64", python, [wheel])
        manifest = tomllib.loads(entries["blender_manifest.toml"].decode())
        assert manifest["platforms"] == ["macos-arm64"]
        assert manifest["wheels"] == ["./wheels/thing-1.0-py3-none-any.whl"]
        blenders = (manifest["blender_version_min"], manifest.get("blender_version_max"))
        assert blenders == build.BLENDER_PYTHONS[python]
        original = tomllib.loads((source / "blender_manifest.toml").read_text())
        del original["blender_version_min"]
        assert {key: manifest[key] for key in original} == original

    def test_each_supported_blender_takes_the_zip_of_its_python_and_no_other(self):
        def numbers(version):
            return tuple(int(part) for part in version.split("."))

        for version, environment in build.BLENDERS.items():
            for python, (least, below) in build.BLENDER_PYTHONS.items():
                takes = numbers(least) <= numbers(f"{version}.0") and (
                    below is None or numbers(f"{version}.0") < numbers(below)
                )
                assert takes == (python == environment.python_version) or python == "3.14"

    def test_the_same_source_gives_the_same_bytes(self, source, wheel, tmp_path):
        entries = build.package_entries(source, "linux-x64", "3.13", [wheel])
        build.write_zip(tmp_path / "a.zip", entries)
        build.write_zip(tmp_path / "b.zip", dict(reversed(entries.items())))
        assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
        with zipfile.ZipFile(tmp_path / "a.zip") as archive:
            assert archive.namelist() == sorted(entries)
            assert archive.testzip() is None

    def test_a_zip_that_is_too_big_is_not_made(self, source, wheel, tmp_path, monkeypatch):
        monkeypatch.setattr(build, "set_up_a_blender", lambda: ("5.2", build.BLENDERS["5.2"]))
        monkeypatch.setattr(build, "fetch_wheels", lambda *_: [wheel])
        monkeypatch.setattr(build, "manual_pages", dict)
        monkeypatch.setattr(build, "SIZE_LIMIT", 0.001)
        with pytest.raises(build.BuildError, match="would be"):
            build.package("linux-x64", "3.13", tmp_path / "dist")
        assert not any((tmp_path / "dist").iterdir())

    def test_a_zip_whose_wheels_do_not_fit_is_not_kept(self, tmp_path, monkeypatch):
        archive = tmp_path / "footfall-0.1.0-windows-x64-py3.11.zip"
        archive.touch()
        found = SimpleNamespace(returncode=1, stderr="'core.pyd' needs blas.dll\n")
        monkeypatch.setattr(build, "set_up", lambda environment: True)
        monkeypatch.setattr(build.subprocess, "run", lambda *_, **__: found)
        with pytest.raises(
            build.BuildError, match=r"py3\.11\.zip would not run where it is for:\n'core.pyd' needs blas"
        ):
            build.check_wheels(archive)
        assert not archive.exists()

    def test_bundled_wheels_are_pinned(self):
        names = {pin.partition("==")[0] for pin in build.bundled_pins()}
        assert names == {"scipy", "safetensors"}
        assert all("==" in pin for pin in build.bundled_pins())


def test_manifest_keeps_to_blenders_rules_and_to_the_projects_version():
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert manifest["version"] == project["version"]
    assert len(manifest["tagline"]) <= 64
    assert manifest["tagline"][-1].isalnum()
    assert all(len(reason) <= 64 for reason in manifest["permissions"].values())


class TestRelease:
    CHANGELOG = "# Changelog\n\n## [0.2.0] - unreleased\n\n- New.\n\n## [0.1.0] - 2026-11-26\n\n- First.\n"

    @pytest.fixture
    def made(self, tmp_path, monkeypatch):
        """A release of a small source: the folder, and what is made into it."""
        source = tmp_path / "source"
        source.mkdir()
        (source / "blender_manifest.toml").write_text('version = "0.1.0"\n')
        (source / "CHANGELOG.md").write_text(self.CHANGELOG)
        monkeypatch.setattr(build, "ROOT", source)
        monkeypatch.setattr(build, "set_up_a_blender", lambda: ("5.2", build.BLENDERS["5.2"]))

        def package(platform, python, folder):
            folder.mkdir(parents=True, exist_ok=True)
            target = folder / f"footfall-0.1.0-{platform}-py{python}.zip"
            target.write_bytes(platform.encode())
            return target

        monkeypatch.setattr(build, "package", package)
        monkeypatch.setattr(build, "write_index", lambda folder, version: (folder / build.INDEX_FILE).touch())
        return tmp_path / "release"

    def test_all_zips_have_check_sums_and_the_notes_of_their_version(self, made):
        made.mkdir()
        (made / "footfall-0.0.9-linux-x64-py3.11.zip").touch()  # of a release before
        assert build.main(["release", "--out", str(made)]) == 0
        names = {
            f"footfall-0.1.0-{name}-py{python}.zip" for name in build.WHEEL_TAGS for python in build.BLENDER_PYTHONS
        }
        assert {file.name for file in made.iterdir()} == names | {"SHA256SUMS", "CHANGELOG.md", "index.json"}
        assert (made / "CHANGELOG.md").read_text() == "## [0.1.0] - 2026-11-26\n\n- First.\n"
        lines = dict(reversed(line.split("  ")) for line in (made / "SHA256SUMS").read_text().splitlines())
        assert set(lines) == names
        assert lines["footfall-0.1.0-linux-x64-py3.13.zip"] == hashlib.sha256(b"linux-x64").hexdigest()

    def test_a_folder_with_other_files_is_not_replaced(self, made, capsys):
        made.mkdir()
        (made / "thesis.zip").write_text("mine")
        assert build.main(["release", "--out", str(made)]) == 1
        assert "holds thesis.zip, which no release has made: name a new" in capsys.readouterr().err
        assert [file.name for file in made.iterdir()] == ["thesis.zip"]

    def test_a_release_that_fails_leaves_the_old_one(self, made, monkeypatch, capsys):
        assert build.main(["release", "--out", str(made)]) == 0
        old = {file.name: file.read_bytes() for file in made.iterdir()}

        def full(folder, version):
            raise OSError(28, "No space left on device", str(folder))

        monkeypatch.setattr(build, "write_index", full)
        assert build.main(["release", "--out", str(made)]) == 1
        assert "No space left on device" in capsys.readouterr().err
        assert {file.name: file.read_bytes() for file in made.iterdir()} == old
        assert [file.name for file in made.parent.iterdir() if file.name.startswith(".")] == []

    @pytest.mark.parametrize("library", [build.ctypes.CDLL, lambda name: SimpleNamespace()])
    def test_folders_are_exchanged_where_the_system_can_in_one_step(self, tmp_path, monkeypatch, library):
        monkeypatch.setattr(build.ctypes, "CDLL", library)
        for name in ("new", "old"):
            (tmp_path / name).mkdir()
            (tmp_path / name / name).touch()
        build.exchange(tmp_path / "new", tmp_path / "old")
        assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("*/*")} == {"new/old", "old/new"}

    def test_a_version_without_a_date_is_said_and_one_without_notes_is_an_error(self, made, capsys):
        (build.ROOT / "blender_manifest.toml").write_text('version = "0.2.0"\n')
        assert build.main(["release", "--out", str(made), "--platform", "linux-x64", "--python", "3.13"]) == 0
        assert "calls 0.2.0 unreleased" in capsys.readouterr().out
        (build.ROOT / "blender_manifest.toml").write_text('version = "0.3.0"\n')
        assert build.main(["release", "--out", str(made)]) == 1
        assert "no section '## [0.3.0]'" in capsys.readouterr().err

    def test_the_changelog_has_a_section_of_the_version(self):
        version = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))["version"]
        section = build.changelog_section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        assert section.startswith(f"## [{version}]") and len(section.splitlines()) > 10


class TestCommandLine:
    def test_what_follows_the_dashes_goes_to_pytest(self):
        arguments = build.parse(["test", "--no-checks", "--", "tests/core", "-k", "bvh"])
        assert arguments.no_checks
        assert arguments.extra == ["tests/core", "-k", "bvh"]

    def test_tables_to_measure_come_before_the_dashes(self, monkeypatch):
        called = []
        monkeypatch.setattr(build, "set_up", lambda environment: None)
        monkeypatch.setattr(build.subprocess, "call", lambda command, **_: called.append(command) or 0)
        assert build.main(["bench", "labelling", "spots", "--", "--print"]) == 0
        assert called[0][2:] == ["footfall.benchmarks", "labelling", "spots", "--print"]

    def test_zips_are_for_this_machine_and_every_python_unless_somebody_chooses(self, monkeypatch):
        made = []
        monkeypatch.setattr(build, "package", lambda *what: made.append(what))
        monkeypatch.setattr(build, "current_platform", lambda: "linux-x64")
        assert build.main(["package"]) == 0
        assert made == [("linux-x64", python) for python in ("3.11", "3.13", "3.14")]
        made.clear()
        assert build.main(["package", "--platform", "all", "--python", "3.13"]) == 0
        assert made == [(name, "3.13") for name in ("linux-x64", "windows-x64", "macos-arm64", "macos-x64")]

    def test_without_windows_the_reason_is_said_and_the_exit_code_tells(self, monkeypatch, capsys):
        monkeypatch.setattr(build, "GUI_TOOLS", Path("nowhere"))
        assert build.main(["gui-test"]) == build.SKIPPED
        assert capsys.readouterr().out.startswith("[gui-test] SKIPPED: it needs Linux, and nowhere")

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the set-up is a shell script for Debian")
    @pytest.mark.parametrize(
        ("script", "seconds", "reason"),
        [
            ("echo fetching; echo needs root; exit 3", 60, "it could not be set up: needs root"),
            ("sleep 60 & sleep 60", 0.5, "setting it up took longer than 0.5 s"),
        ],
    )
    def test_what_the_set_up_says_last_is_the_reason(self, script, seconds, reason, tmp_path, monkeypatch, capsys):
        (tmp_path / "blender_gui_setup.sh").write_text(script)
        monkeypatch.setattr(build, "GUI_TOOLS", tmp_path)
        monkeypatch.setattr(build, "GUI_SET_UP_SECONDS", seconds)
        assert build.main(["gui-test"]) == build.SKIPPED
        assert capsys.readouterr().out.splitlines()[-1] == f"[gui-test] SKIPPED: {reason}"

    def test_workers_are_left_to_who_asks_for_them(self):
        assert build.pytest_workers(["-n", "0"]) == []
        assert "worksteal" in build.pytest_workers(["tests/core"])

    def test_all_that_there_is_takes_in_the_windows_and_a_seed_reaches_every_pytest(self, monkeypatch, capsys):
        ran = []

        def call(command, env, **_):
            ran.append((command, env))
            return 0

        for name in ("set_up", "set_up_blenders"):
            monkeypatch.setattr(build, name, lambda *_: None)
        monkeypatch.setattr(build.subprocess, "call", call)
        monkeypatch.setattr(build, "GUI_TOOLS", Path("nowhere"))
        monkeypatch.setattr(build, "SHARED", Path(build.ROOT))
        monkeypatch.delenv("FOOTFALL_ALL", raising=False)
        monkeypatch.delenv("FOOTFALL_SHARED", raising=False)
        monkeypatch.setenv("PYTEST_ADDOPTS", "-q")
        assert build.main(["test", "--no-checks", "--all", "--seed", "7"]) == 0
        (command, variables), (_, hidden), (fuzz, _) = ran
        assert "FOOTFALL_SHARED" not in variables and hidden["FOOTFALL_SHARED"] == build.HIDDEN
        assert f"--junit-xml={build.JUNIT}" in command and "--durations=20" in command
        assert [str(word) for word in fuzz[-4:]] == ["--minutes", str(build.FUZZ_MINUTES), "--seed", "7"]
        assert (variables["FOOTFALL_ALL"], variables["PYTEST_ADDOPTS"]) == ("1", "-q --hypothesis-seed=7")
        said = capsys.readouterr().out
        assert "seed 7" in said and "[gui-test] SKIPPED: it needs Linux, and nowhere" in said
        ran.clear()
        assert build.main(["test", "--no-checks", "--", "tests/core"]) == 0
        [(command, variables)] = ran
        assert command[-1] == "tests/core" and "FOOTFALL_ALL" not in variables
        assert "SKIPPED" not in capsys.readouterr().out

    def test_a_seed_without_all_is_refused(self, capsys):
        with pytest.raises(SystemExit):
            build.parse(["test", "--seed", "7"])
        assert "--seed goes with --all" in capsys.readouterr().err

    @pytest.mark.parametrize(("program", "code"), [("print('fine')", 0), ("print('bad'); raise SystemExit(1)", 1)])
    def test_a_check_beside_the_tests_is_shown_and_counts(self, program, code, monkeypatch, capsys):
        monkeypatch.setattr(build, "CHECKS", {"look": ["-c", program]})
        monkeypatch.setattr(build, "DEV", SimpleNamespace(python=sys.executable))
        monkeypatch.setattr(build, "run_pytest", lambda *_: 0)
        for name in ("set_up", "set_up_blenders"):
            monkeypatch.setattr(build, name, lambda *_: None)
        assert build.main(["test"]) == code
        said = capsys.readouterr().out
        assert ("fine" in said or "bad" in said) and ("FAILED: look" in said) == bool(code)

    def test_no_check_outlives_the_tests(self, monkeypatch):
        monkeypatch.setattr(build, "CHECKS", {"look": ["-c", "import time; time.sleep(60)"]})
        monkeypatch.setattr(build, "DEV", SimpleNamespace(python=sys.executable))
        with pytest.raises(KeyboardInterrupt), build.checks_beside(["look"]) as checks:
            raise KeyboardInterrupt
        assert checks[0].child.returncode

    def test_an_error_is_a_sentence_and_an_exit_code(self, monkeypatch, capsys):
        def fail(_environment):
            raise build.BuildError("no more disk")

        monkeypatch.setattr(build, "set_up", fail)
        assert build.main(["dev"]) == 1
        assert capsys.readouterr().err == "build.py: no more disk\n"
