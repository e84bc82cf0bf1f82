#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footfall's one entry point: `python build.py --help` names its commands.

Standard library only; Python 3.11 or newer. Whatever a command needs (virtual environments under `.venvs/`, the
system libraries of Blender's Python module) is set up first, and skipped when it is there already.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import functools
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

if sys.version_info < (3, 11):  # noqa: UP036 - to say so, where an older Python runs this file
    sys.exit("Footfall needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2]))

import tomllib

ROOT = Path(__file__).resolve().parent
VENVS = ROOT / ".venvs"
WHEEL_CACHE = ROOT / ".cache" / "wheels"
DIST = ROOT / "dist"
SHARED = Path(os.environ.get("FOOTFALL_SHARED") or ROOT.parent / "shared")
"""Clips, objects and tools that real data needs; FOOTFALL_SHARED names another folder than the one beside this."""
HIDDEN = os.devnull
"""FOOTFALL_SHARED where tests are to find no shared data."""


def is_shared_hidden() -> bool:
    """Return whether the environment hides the shared data, as on a machine that has none."""
    return os.environ.get("FOOTFALL_SHARED") == HIDDEN


class BuildError(Exception):
    """An error with a message for the user: its cause and the remedy."""


def say(topic: str, text: str) -> None:
    print(f"[{topic}] {text}", flush=True)


# --- Virtual environments ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Environment:
    """A folder under `.venvs/` with the pinned `requirements/<name>.txt` and this checkout as `footfall`."""

    name: str
    python_version: str | None  # "3.11"; None: the Python that runs build.py
    libraries: Mapping[str, str]  # shared libraries it needs, and the Debian package of each

    @property
    def folder(self) -> Path:
        return VENVS / self.name

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def stamp_file(self) -> Path:
        return self.folder / "footfall-stamp.txt"

    @property
    def requirements(self) -> Path:
        return ROOT / "requirements" / f"{self.name}.txt"


BPY_LIBRARIES = {
    "libX11.so.6": "libx11-6",
    "libXi.so.6": "libxi6",
    "libXfixes.so.3": "libxfixes3",
    "libXrender.so.1": "libxrender1",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libgomp.so.1": "libgomp1",
}
DEV = Environment("dev", None, {})
MUTANTS = Environment("mutants", None, {})
BLENDERS = {
    "4.5": Environment("blender-4.5", "3.11", BPY_LIBRARIES),
    "5.2": Environment("blender-5.2", "3.13", BPY_LIBRARIES),
}


def with_included(requirements: Path) -> list[Path]:
    """Return the requirements file and those that it names with `-r` or `-c`."""
    files = [requirements]
    for line in requirements.read_text(encoding="utf-8").splitlines():
        if line.startswith(("-r ", "-c ")):
            files += with_included(requirements.parent / line[3:].strip())
    return files


def stamp_of(environment: Environment) -> str:
    """Return a hash of everything that determines an environment: requirements, Python and the checkout's folder."""
    digest = hashlib.sha256(f"{environment.python_version}\n{ROOT}\n".encode())
    for file in with_included(environment.requirements):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def read_stamp(environment: Environment) -> str | None:
    """Return the stamp of the last finished set-up; None if there is none or the environment's Python is gone."""
    if not (environment.python.exists() and environment.stamp_file.exists()):
        return None
    return environment.stamp_file.read_text(encoding="utf-8")


def is_ready(environment: Environment) -> bool:
    return read_stamp(environment) == stamp_of(environment)


def candidate_pythons(version: str) -> Iterator[str]:
    """Yield commands that may be Python `version`: this one, those on the PATH, pyenv's, the Windows launcher's."""
    yield getattr(sys, "_base_executable", sys.executable)
    names = [f"python{version}.exe", "python.exe"] if os.name == "nt" else [f"python{version}", "python3", "python"]
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        yield from (str(Path(folder, name)) for name in names if Path(folder, name).is_file())
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    executable = "python.exe" if os.name == "nt" else "bin/python"
    yield from (str(folder / executable) for folder in sorted(pyenv.glob(f"versions/{version}*"), reverse=True))


def find_python(version: str | None) -> str | None:
    """Return the path of a Python of this version that works (a pyenv shim may exist and refuse), or None."""
    if version is None:
        return getattr(sys, "_base_executable", sys.executable)
    question = "import sys; print('%d.%d' % sys.version_info[:2]); print(sys.executable)"
    for command in dict.fromkeys(candidate_pythons(version)):
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            answer = subprocess.run([command, "-c", question], capture_output=True, text=True, timeout=30)
            lines = answer.stdout.splitlines()
            if answer.returncode == 0 and lines and lines[0] == version:
                return lines[1]
    return None


@contextlib.contextmanager
def only_one_at_a_time(lock_file: Path) -> Iterator[None]:
    """Hold a lock, so that two build.py at once do not set up the same folder (no lock on Windows)."""
    lock_file.parent.mkdir(parents=True, exist_ok=True)
    with lock_file.open("a") as file:
        try:
            import fcntl
        except ImportError:
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("set-up", "another build.py is at it; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def clean_environment(**extra: str) -> dict[str, str]:
    """Return environment variables for a child process, without those that would mislead its Python."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return variables | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"} | extra


def run_step(topic: str, step: str, command: Sequence[str | Path]) -> None:
    """Run one step of a set-up: show its important lines and write all of them to `.venvs/<topic>.log`."""
    say(topic, step)
    log = VENVS / f"{topic}.log"
    with log.open("a", encoding="utf-8") as file:
        child = subprocess.Popen(
            [str(part) for part in command],
            cwd=ROOT,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        assert child.stdout is not None
        lines = []
        try:
            for line in child.stdout:
                file.write(line)
                lines.append(line.rstrip())
                if line.lstrip().startswith(("Downloading ", "Installing collected", "Get:")):
                    say(topic, "  " + line.strip()[:110])
        except BaseException:
            child.kill()
            raise
        if child.wait() != 0:
            raise BuildError("\n".join([f"{topic}: {step}: failed ({log} has it all):", *lines[-15:]]))


def set_up(environment: Environment) -> bool:
    """Create or update the environment, quickly if its stamp is right; return False if its Python is missing."""
    install_system_packages(environment.libraries)
    if is_ready(environment):
        return True
    with only_one_at_a_time(VENVS / ".lock"):
        if is_ready(environment):
            return True
        base = find_python(environment.python_version)
        if base is None:
            return False
        (VENVS / f"{environment.name}.log").unlink(missing_ok=True)
        if read_stamp(environment) is None:  # new, or interrupted: what is there cannot be trusted
            make = [base, "-m", "venv", "--clear", environment.folder]
            run_step(environment.name, f"making the environment with {base}", make)
        environment.stamp_file.unlink(missing_ok=True)
        pip = [environment.python, "-m", "pip", "install", "--progress-bar", "off"]
        run_step(
            environment.name,
            f"installing {environment.requirements.name} (minutes, the first time)",
            [*pip, "-r", environment.requirements],
        )
        run_step(
            environment.name,
            "linking this checkout as the package footfall",
            [*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT],
        )
        environment.stamp_file.write_text(stamp_of(environment), encoding="utf-8")
        say(environment.name, "ready")
    return True


def set_up_blenders() -> dict[str, Environment]:
    """Set up each Blender whose Python this machine has, and print the missing ones."""
    ready = {}
    for version, environment in BLENDERS.items():
        if set_up(environment):
            ready[version] = environment
        else:
            wanted = f"Python {environment.python_version}, which is neither on the PATH nor in pyenv"
            say(environment.name, f"SKIPPED: Blender {version} needs {wanted}; its tests are skipped")
    return ready


def set_up_a_blender() -> tuple[str, Environment]:
    """Return the newest Blender that can be set up on this machine."""
    for version in sorted(BLENDERS, reverse=True):
        if set_up(BLENDERS[version]):
            return version, BLENDERS[version]
    pythons = " or ".join(str(environment.python_version) for environment in BLENDERS.values())
    raise BuildError(f"Blender's Python module needs Python {pythons}; install one (or pyenv's) and try again.")


# --- System libraries -------------------------------------------------------------------------------------------------


def is_loadable(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_packages(libraries: Mapping[str, str], loadable: Callable[[str], bool] = is_loadable) -> list[str]:
    """Return the Debian packages of the libraries, and of `venv`, that are missing; none on other systems."""
    if not sys.platform.startswith("linux"):
        return []
    packages = [package for library, package in libraries.items() if not loadable(library)]
    if importlib.util.find_spec("ensurepip") is None:
        packages.append("python{}.{}-venv".format(*sys.version_info[:2]))
    return packages


def missing_packages_message(packages: Sequence[str]) -> str:
    return (
        f"These system packages are missing: {' '.join(packages)}.\n"
        f"On Debian or Ubuntu: sudo apt-get install --no-install-recommends {' '.join(packages)}\n"
        "Elsewhere: install what your system calls them. Then run this again."
    )


def install_system_packages(libraries: Mapping[str, str]) -> None:
    """Install missing packages as root on Debian or Ubuntu; otherwise name them and stop."""
    packages = missing_packages(libraries)
    if not packages:
        return
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise BuildError(missing_packages_message(packages))
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "Dpkg::Use-Pty=0", "-y"]
    install = [*apt, "install", "--no-install-recommends", *packages]
    try:
        run_step("system", f"installing {' '.join(packages)}", install)
    except BuildError:  # the usual reason on a fresh machine: no package lists yet
        run_step("system", "fetching the package lists", [*apt, "update"])
        run_step("system", f"installing {' '.join(packages)}", install)
    if still_missing := missing_packages(libraries):
        raise BuildError(missing_packages_message(still_missing))


# --- The extension zip ------------------------------------------------------------------------------------------------

SHIPPED_FILES = ("__init__.py", "__main__.py", "LICENSE", "README.md")
SHIPPED_FILES += tuple(f"requirements/{name}.txt" for name in ("bundled", "constraints", "training"))  # the trainer's
SHIPPED_FOLDERS = ("blender_addon/", "cli/", "core/", "training/", "presets/")
BLENDER_PYTHONS = {"3.11": ("4.5.0", "5.1.0"), "3.13": ("5.1.0", None), "3.14": ("5.1.0", None)}
"""Python of a zip's wheels -> the Blenders that may install it: from, and below. Debian's own Blender has 3.14."""
SIZE_LIMIT = 94.0
"""Megabytes of a zip; what ships in presets is 52 of them, scipy and safetensors 36, or 37 for Windows."""
WHEEL_TAGS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_12_0_arm64", "macosx_11_0_arm64"),
    "macos-x64": ("macosx_10_14_x86_64", "macosx_10_12_x86_64"),
}
ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def current_platform() -> str:
    """Return Blender's name for this system, e.g. `linux-x64`."""
    system = {"linux": "linux", "win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
    name = f"{system}-{machine}"
    if name not in WHEEL_TAGS:
        raise BuildError(f"No wheels are known for {name}; choose --platform {' | '.join(WHEEL_TAGS)} | all")
    return name


def tracked_files(root: Path) -> list[str]:
    """Return the paths of the files in git, with a note on untracked ones; without git, all files."""
    try:
        tracked = git_files(root)
        untracked = git_files(root, "--others", "--exclude-standard")
    except (OSError, subprocess.CalledProcessError):
        files = (file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file())
        return [file for file in files if "__pycache__" not in file and not file.startswith(".")]
    if left_out := [file for file in untracked if is_shipped(file)]:
        more = " ..." if len(left_out) > 8 else ""
        say("package", f"left out, since git does not track them: {', '.join(left_out[:8])}{more}")
    return [file for file in tracked if (root / file).is_file()]


def git_files(root: Path, *options: str) -> list[str]:
    command = ["git", "-C", str(root), "ls-files", "-z", *options]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [file for file in listing.split("\0") if file]


def is_shipped(path: str) -> bool:
    return path in SHIPPED_FILES or path.startswith(SHIPPED_FOLDERS)


def bundled_pins() -> list[str]:
    """Return `name==version` of each package that the extension bundles."""
    lines = (ROOT / "requirements" / "bundled.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def fetch_wheels(platform_name: str, python_version: str, pip_python: Path) -> list[Path]:
    """Return the bundled packages' wheels for a platform and a Python of Blender's, downloaded once into the cache."""
    key = hashlib.sha256("\n".join(bundled_pins()).encode()).hexdigest()[:8]
    folder = WHEEL_CACHE / f"{platform_name}-py{python_version}-{key}"
    if not folder.is_dir():
        say("package", f"fetching wheels for {platform_name}, Python {python_version}")
        download_wheels(folder, platform_name, python_version, pip_python)
    return sorted(folder.glob("*.whl"))


def download_wheels(folder: Path, platform_name: str, python_version: str, pip_python: Path) -> None:
    """Download into a temporary folder and rename it, so that an interrupted download is not reused."""
    part = folder.with_name(f"{folder.name}.part-{os.getpid()}")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    tags = [word for tag in WHEEL_TAGS[platform_name] for word in ("--platform", tag)]
    command = [pip_python, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--implementation", "cp", "--python-version", python_version, *tags, "--dest", part, *bundled_pins()]
    try:
        child = subprocess.run(command, env=clean_environment(), capture_output=True, text=True)
        if child.returncode != 0:
            raise BuildError(f"No wheels for {platform_name}, Python {python_version}:\n{child.stderr.strip()[-2000:]}")
        with contextlib.suppress(OSError):  # another build.py was first
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def packaged_manifest(manifest: str, platform_name: str, python_version: str, wheel_names: Sequence[str]) -> str:
    """Return the manifest's text for one zip, with its platform, its wheels and its range of Blenders.

    The range of Blenders is what keeps people from the wrong zip: Blender asks for it before it installs anything, and
    for the wheels' Python only when an extension is enabled, when the one that worked is gone.
    """
    least, below = BLENDER_PYTHONS[python_version]
    lines = [line for line in manifest.splitlines() if not line.startswith("blender_version_")]
    first_table = next((at for at, line in enumerate(lines) if line.startswith("[")), len(lines))
    added = [f'blender_version_min = "{least}"']
    added += [f'blender_version_max = "{below}"'] if below else []
    added += [f'platforms = ["{platform_name}"]', "wheels = ["]
    added += [f'    "./wheels/{name}",' for name in sorted(wheel_names)]
    return "\n".join([*lines[:first_table], *added, "]", "", *lines[first_table:], ""])


def write_zip(target: Path, entries: dict[str, bytes]) -> None:
    """Write a reproducible zip: entries are sorted, with one date and one mode."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    with zipfile.ZipFile(part, "w") as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, ZIP_DATE)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".whl") else zipfile.ZIP_DEFLATED
            archive.writestr(info, entries[name])
    part.replace(target)


def package_entries(root: Path, platform_name: str, python_version: str, wheels: Sequence[Path]) -> dict[str, bytes]:
    """Return the entries of the extension: path in the zip -> bytes."""
    entries = {file: (root / file).read_bytes() for file in tracked_files(root) if is_shipped(file)}
    source = (root / "blender_manifest.toml").read_text(encoding="utf-8")
    manifest = packaged_manifest(source, platform_name, python_version, [wheel.name for wheel in wheels])
    entries["blender_manifest.toml"] = manifest.encode()
    return entries | {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels}


def package(platform_name: str, python_version: str, folder: Path = DIST) -> Path:
    """Build, validate and return `<folder>/footfall-<version>-<platform>-py<Python>.zip`."""
    blender_version, blender = set_up_a_blender()
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    target = folder / f"{manifest['id']}-{manifest['version']}-{platform_name}-py{python_version}.zip"
    wheels = fetch_wheels(platform_name, python_version, blender.python)
    write_zip(target, package_entries(ROOT, platform_name, python_version, wheels) | manual_pages())
    size = target.stat().st_size / 1e6
    if size > SIZE_LIMIT:
        target.unlink()
        raise BuildError(f"{target.name} would be {size:.1f} MB; {SIZE_LIMIT:.0f} MB are the most that a zip may be")
    validate(target, blender_version)
    check_wheels(target)
    say("package", f"{target} ({size:.1f} MB), accepted by Blender {blender_version}'s validator; its wheels fit")
    return target


@functools.cache
def manual_pages() -> dict[str, bytes]:
    """Return the manual as web pages, for Blender's help links: path in the zip -> bytes."""
    set_up(DEV)
    with tempfile.TemporaryDirectory() as folder:
        command = [DEV.python, "-P", ROOT / "manual" / "render.py", folder]
        run_step("package", "writing the manual's pages", command)
        pages = [page for page in Path(folder).rglob("*") if page.is_file()]
        return {f"docs/{page.relative_to(folder).as_posix()}": page.read_bytes() for page in pages}


def write_site(folder: Path, python: str | Path) -> None:
    """Build the manual as a website that opens from the folder, by Sphinx in a Python that has it."""
    with tempfile.TemporaryDirectory() as doctrees:
        command = [python, "-P", "-m", "sphinx", "-q", "-W", "-b", "html", "-d", doctrees]
        run_step("docs", "writing the website", [*command, "-c", ROOT / "manual", ROOT / "docs", folder])
    start = '<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=README.html">\n'
    (folder / "index.html").write_text(start, encoding="utf-8")


def extension_tool(blender_version: str) -> list[str]:
    """Return the command of Blender's own tool for extensions, which `blender --command extension` calls."""
    environment = BLENDERS[blender_version]
    pattern = f"**/bpy/{blender_version}/scripts/addons_core/bl_pkg/cli/blender_ext.py"
    return [str(environment.python), str(next(environment.folder.glob(pattern)))]


def validate(archive: Path, blender_version: str) -> None:
    """Run Blender's own `extension validate` on the zip."""
    command = [*extension_tool(blender_version), "validate", str(archive)]
    child = subprocess.run(command, capture_output=True, text=True, env=clean_environment())
    if child.returncode != 0:
        archive.unlink()
        raise BuildError(f"Blender {blender_version} does not accept {archive}:\n{child.stdout}{child.stderr}")


def check_wheels(archive: Path) -> None:
    """Hold the wheels of a zip against the system that it is for, without that system."""
    set_up(DEV)
    command = [str(DEV.python), "-P", "-m", "footfall.tools.wheels", str(archive)]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=clean_environment())
    if child.returncode != 0:
        archive.unlink()
        raise BuildError(f"{archive.name} would not run where it is for:\n{child.stderr.strip()}")


# --- A release --------------------------------------------------------------------------------------------------------

CHECKSUMS_FILE = "SHA256SUMS"
INDEX_FILE = "index.json"
"""The repository's list of zips, whose address users give to Blender."""
INDEX_PAGE = "index.html"
NOTES_FILE = "CHANGELOG.md"


def release(folder: Path, platforms: Sequence[str], pythons: Sequence[str]) -> None:
    """Build zips, check sums, the changelog's section and the repository's index, and put them in place of the old.

    Raises:
        BuildError: the folder holds files that no release has made.
        OSError: they cannot be written; the old release is there as it was.
    """
    require_release_folder(folder)
    version = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))["version"]
    notes = changelog_section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if "unreleased" in notes.partition("\n")[0]:
        say("release", f"CHANGELOG.md calls {version} unreleased: write its date there before you publish it")
    for left_over in folder.parent.glob(f".{folder.name}.part-*"):  # of a release that was killed
        shutil.rmtree(left_over)
    part = folder.with_name(f".{folder.name}.part-{os.getpid()}")
    try:
        zips = [package(platform_name, python, part) for platform_name in platforms for python in pythons]
        (part / NOTES_FILE).write_text(notes, encoding="utf-8")
        (part / CHECKSUMS_FILE).write_text(checksum_lines(zips), encoding="utf-8")
        write_index(part, set_up_a_blender()[0])
        exchange(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    say("release", f"{len(zips)} zips, {CHECKSUMS_FILE}, {NOTES_FILE} and {INDEX_FILE} are in {folder}")


def require_release_folder(folder: Path) -> None:
    """Raise if a folder holds anything but a release, which would be lost with the old one."""
    own = {CHECKSUMS_FILE, INDEX_FILE, INDEX_PAGE, NOTES_FILE}
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    foreign = [name for name in names if name not in own and not re.fullmatch(r"footfall-.+\.zip", name)]
    if foreign:
        raise BuildError(f"{folder} holds {foreign[0]}, which no release has made: name a new or empty folder")


def exchange(new: Path, old: Path) -> None:
    """Put a folder in the place of another, which need not exist and then has the new one's name.

    On Linux this is one step (renameat2 with RENAME_EXCHANGE), so that one of them is there at any time.
    """
    if not old.exists():
        new.rename(old)
        return
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    with contextlib.suppress(OSError, AttributeError):
        if ctypes.CDLL(None).renameat2(here, os.fsencode(new), here, os.fsencode(old), swap) == 0:
            return
    aside = new.with_name(f"{new.name}-old")
    old.rename(aside)
    new.rename(old)
    aside.rename(new)


def changelog_section(changelog: str, version: str) -> str:
    """Return the section of a version, with its heading."""
    found = re.search(rf"^## \[{re.escape(version)}\].*?(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    if found is None:
        raise BuildError(f"CHANGELOG.md has no section '## [{version}]': write what is new for users")
    return found[0].rstrip() + "\n"


def checksum_lines(files: Sequence[Path]) -> str:
    """Return SHA-256 and name of each file, as `sha256sum --check` reads them."""
    return "".join(f"{sha256_of(file)}  {file.name}\n" for file in sorted(files))


def sha256_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_index(folder: Path, blender_version: str) -> None:
    """Write the index of a folder of zips as a repository of extensions, and a page with links for browsers.

    Blender's own generator writes both. The entries of the index are sorted here, and held against the zips.
    """
    command = [*extension_tool(blender_version), "server-generate", "--repo-dir", str(folder), "--html"]
    child = subprocess.run(command, capture_output=True, text=True, env=clean_environment())
    said = child.stdout + child.stderr
    if child.returncode != 0 or "WARN" in said or "duplicates" in said:
        raise BuildError(f"Blender {blender_version} does not list the zips of {folder}:\n{said}")
    index = json.loads((folder / INDEX_FILE).read_text(encoding="utf-8"))
    index["data"].sort(key=lambda entry: entry["archive_url"])
    listed = {entry["archive_url"].removeprefix("./"): entry["archive_hash"] for entry in index["data"]}
    if listed != {file.name: f"sha256:{sha256_of(file)}" for file in folder.glob("*.zip")}:
        raise BuildError(f"{folder / INDEX_FILE} does not list all zips beside it:\n{said}")
    (folder / INDEX_FILE).write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


# --- Blender with its windows -----------------------------------------------------------------------------------------

GUI_TOOLS = SHARED / "tools"
GUI_SYSTEM = Path("/opt/blender-gui")
"""A Debian in a folder, whose own Blender has its windows on a virtual screen."""
GUI_SET_UP_SECONDS = 900
SKIPPED = 77
"""Exit code where nothing could be tested here."""


def why_no_windows() -> str | None:
    """Set up Blender with its windows; return why that is impossible, or None when it is done."""
    script = GUI_TOOLS / "blender_gui_setup.sh"
    if not sys.platform.startswith("linux") or not script.is_file():
        return f"it needs Linux, and {script}"
    say("gui-test", f"setting up Blender with its windows in {GUI_SYSTEM} (minutes, the first time)")
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(["sh", script, GUI_SYSTEM], stdout=said, stderr=said, start_new_session=True)
        try:
            code = child.wait(GUI_SET_UP_SECONDS)
        except BaseException as reason:
            os.killpg(child.pid, signal.SIGKILL)
            if isinstance(reason, subprocess.TimeoutExpired):
                return f"setting it up took longer than {GUI_SET_UP_SECONDS} s"
            raise
        said.seek(0)
        lines = said.read().strip().splitlines() or ["it says nothing"]
    return f"it could not be set up: {lines[-1]}" if code else None


def python_of_windows() -> str:
    """Return the version of the Python that the Blender with its windows runs on."""
    command = ["chroot", str(GUI_SYSTEM), "python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


# --- Commands ---------------------------------------------------------------------------------------------------------

CHECKS = {"ruff": ["-m", "ruff", "check", "."], "pyright": ["-m", "pyright"]}
JUNIT = ROOT / ".cache" / "junit.xml"
"""How long each test of the last run took, and how it ended."""
RECORDS = ["--durations=20", "--durations-min=1"]
SECONDS_OF_A_TEST = 1200
"""The most that a test may take with `--all`, where a property has many examples; otherwise it is pyproject.toml's."""


@dataclass(frozen=True)
class Check:
    """A check that runs beside the tests; its output is kept until it has ended."""

    name: str
    child: subprocess.Popen[str]
    said: IO[str]

    @classmethod
    def start(cls, name: str) -> Check:
        said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - `finish` closes it
        command = [str(DEV.python), *CHECKS[name]]
        child = subprocess.Popen(command, cwd=ROOT, env=clean_environment(), stdout=said, stderr=said, text=True)
        return cls(name, child, said)

    def finish(self) -> bool:
        """Wait for the end of the check, print its output, and return whether it passed."""
        code = self.child.wait()
        self.said.seek(0)
        say("test", f"{self.name}\n{self.said.read().rstrip()}")
        self.said.close()
        return code == 0

    def stop(self) -> None:
        """Stop the check when the tests were interrupted."""
        self.child.kill()
        self.child.wait()


@contextlib.contextmanager
def checks_beside(names: Sequence[str]) -> Iterator[list[Check]]:
    """Run the checks while the tests run; none continues after them."""
    checks = [Check.start(name) for name in names]
    try:
        yield checks
    finally:
        for check in checks:
            if check.child.poll() is None:
                check.stop()


def pytest_workers(arguments: Sequence[str]) -> list[str]:
    """Return the options for two worker processes at most; none if the caller decides or debugs."""
    if any(argument.startswith(("-n", "--pdb", "--dist", "--numprocesses")) for argument in arguments):
        return []
    return ["-n", str(min(2, os.cpu_count() or 1)), "--dist", "worksteal"]


def pytest_variables(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the environment of the tests: whether all of them run, and the seed of random examples."""
    variables = clean_environment()
    if arguments.all:
        variables["FOOTFALL_ALL"] = "1"
    if arguments.seed is not None:  # by this variable it reaches the tests inside Blender, too
        added = f"--hypothesis-seed={arguments.seed}"
        variables["PYTEST_ADDOPTS"] = f"{variables.get('PYTEST_ADDOPTS', '')} {added}".strip()
    return variables


def command_demo(arguments: argparse.Namespace) -> int:
    version, blender = set_up_a_blender()
    say("demo", f"with Blender {version}")
    chosen = ["--scene", arguments.scene] if arguments.scene else []
    command = [str(blender.python), "demo/make.py", "--out", "demo/out", *chosen, *arguments.extra]
    return subprocess.call(command, cwd=ROOT, env=clean_environment())


def command_test(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    set_up_blenders()
    if arguments.seed is not None:
        say("test", f"random examples of seed {arguments.seed}")
    with checks_beside([] if arguments.no_checks else list(CHECKS)) as checks:
        code = run_pytest(arguments, JUNIT)
        if arguments.all and not arguments.extra and SHARED.is_dir():
            say("test", "once more, as on a machine without the shared data: the tests that look for them")
            code = run_pytest(arguments, JUNIT.with_name("junit-hidden.xml"), FOOTFALL_SHARED=HIDDEN) or code
        failed = [check.name for check in checks if not check.finish()]
    if arguments.all and not arguments.extra:
        windows = run_stories(JUNIT.with_name("gui"), [f"--junit-xml={JUNIT.with_name('junit-gui.xml')}"])
        code = code or (0 if windows == SKIPPED else windows)
        if not arguments.no_fuzz:
            code = run_fuzz(FUZZ_MINUTES, arguments.seed or 0) or code
    if failed:
        say("test", f"FAILED: {' and '.join(failed)} (see above)")
    return code or int(bool(failed))


def run_pytest(arguments: argparse.Namespace, junit: Path, **told: str) -> int:
    """Run the selected tests with further environment variables, and record the duration of each."""
    say("test", "pytest, and the checks beside it" if not arguments.no_checks else "pytest")
    workers, variables = pytest_workers(arguments.extra), pytest_variables(arguments) | told
    if workers:  # processes already fill the cores; threads inside them would only fight
        variables.setdefault("OMP_NUM_THREADS", "1")
        variables.setdefault("OPENBLAS_NUM_THREADS", "1")
    limit = [f"--timeout={SECONDS_OF_A_TEST}"] if arguments.all else []
    command = [DEV.python, "-P", "-m", "pytest", *workers, *RECORDS, f"--junit-xml={junit}", *limit, *arguments.extra]
    return subprocess.call([str(part) for part in command], cwd=ROOT, env=variables)


def command_gui_test(arguments: argparse.Namespace) -> int:
    return run_stories(Path(arguments.pictures).resolve(), arguments.extra)


def run_stories(pictures: Path, options: Sequence[str]) -> int:
    """Run the stories in Blender's windows; return pytest's exit code, or `SKIPPED` without windows."""
    pictures.mkdir(parents=True, exist_ok=True)
    chosen = [] if any(option.startswith("tests/") for option in options) else ["tests/gui"]
    code = run_in_windows("gui-test", ["-m", "pytest", *chosen, *RECORDS, *options], FOOTFALL_GUI_PICTURES=pictures)
    if code != SKIPPED:
        say("gui-test", f"pictures are in {pictures}")
    return code


def run_in_windows(name: str, arguments: Sequence[str], **variables: object) -> int:
    """Run Python beside a Blender with its windows, for which the zip is made; return its exit code, or `SKIPPED`."""
    reason = why_no_windows()
    python = "" if reason else python_of_windows()
    if python and python not in BLENDER_PYTHONS:
        reason = f"Debian's Blender runs on Python {python}, for which there is no zip"
    if reason:
        say(name, f"SKIPPED: {reason}")
        return SKIPPED
    set_up(DEV)
    told = {"FOOTFALL_GUI_ZIP": package(current_platform(), python), **variables}
    environment = clean_environment(**{key: str(value) for key, value in told.items()})
    with only_one_at_a_time(GUI_SYSTEM.with_suffix(".lock")):
        return subprocess.call([str(DEV.python), "-P", *arguments], cwd=ROOT, env=environment)


def command_bench(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    command = [str(DEV.python), "-m", "footfall.benchmarks", *arguments.tables, *arguments.extra]
    return subprocess.call(command, cwd=ROOT, env=clean_environment())


FUZZ_MINUTES = 10.0
"""Minutes of the campaign in `test --all`."""


def command_fuzz(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    set_up_blenders()
    return run_fuzz(arguments.minutes, arguments.seed)


def run_fuzz(minutes: float, seed: int) -> int:
    """Feed every reader damaged files, and print a table; return 1 if any gets through."""
    command = [DEV.python, "-P", "-m", "footfall.tests.fuzz", "--minutes", minutes, "--seed", seed]
    return subprocess.call([str(part) for part in command], cwd=ROOT, env=clean_environment())


def command_monkey(arguments: argparse.Namespace) -> int:
    """Walk over the operators in each Blender, for as long in each, or in the one that has windows."""
    code, ready = 0, set_up_blenders()
    if arguments.windows:
        return monkey_in_windows(ready, arguments)
    for version, environment in ready.items():
        say("monkey", f"Blender {version}")
        command = [environment.python, "-P", "-m", "footfall.tests.monkey"]
        command += ["--minutes", arguments.minutes / len(ready), "--seed", arguments.seed]
        code = subprocess.call([str(part) for part in command], cwd=ROOT, env=clean_environment()) or code
    return code


def monkey_in_windows(ready: Mapping[str, Environment], arguments: argparse.Namespace) -> int:
    """Walk with mouse and keys over the scene of the walk without them."""
    with tempfile.TemporaryDirectory() as folder:
        maker = [*ready.values()][-1].python
        subprocess.run([maker, "-P", "-m", "footfall.tests.monkey.scene", folder], env=clean_environment(), check=True)
        options = ["--minutes", str(arguments.minutes), "--seed", str(arguments.seed)]
        return run_in_windows("monkey", ["-m", "footfall.tests.monkey.windows", folder, *options])


def command_bakes(arguments: argparse.Namespace) -> int:
    """Bake random scenes in each Blender."""
    set_up(DEV)
    out = ROOT / ".cache" / "bakes"
    shutil.rmtree(out, ignore_errors=True)
    command = [DEV.python, "-m", "footfall.tests.bakes", "--out", out, "--count", arguments.count]
    command += ["--seed", arguments.seed, *(environment.python for environment in set_up_blenders().values())]
    return subprocess.call([str(part) for part in command], cwd=ROOT, env=clean_environment())


def command_mutants(arguments: argparse.Namespace) -> int:
    """Make faults in a room, and run its tests on each."""
    set_up(DEV)
    set_up(MUTANTS)
    command = [DEV.python, "-m", "footfall.tests.mutants", arguments.room, "--count", arguments.count]
    command += ["--seed", arguments.seed, "--python", MUTANTS.python]
    return subprocess.call([str(part) for part in command], cwd=ROOT, env=clean_environment())


def command_docs(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    folder = Path(arguments.out).resolve()
    write_site(folder, DEV.python)
    say("docs", f"open {folder / 'index.html'}")
    return 0


def command_pictures(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    _, blender = set_up_a_blender()
    command = [str(DEV.python), "-m", "footfall.tools.pictures", str(blender.python), *arguments.names]
    return subprocess.call(command, cwd=ROOT, env=clean_environment())


def command_package(arguments: argparse.Namespace) -> int:
    for name in chosen_of(arguments.platform or current_platform(), WHEEL_TAGS):
        for version in chosen_of(arguments.python, BLENDER_PYTHONS):
            package(name, version)
    return 0


def chosen_of(choice: str, known: Mapping[str, object]) -> list[str]:
    """Return all known names for `all`, else the chosen one."""
    return list(known) if choice == "all" else [choice]


def command_release(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.out).resolve()
    release(folder, chosen_of(arguments.platform, WHEEL_TAGS), chosen_of(arguments.python, BLENDER_PYTHONS))
    return 0


def command_dev(_arguments: argparse.Namespace) -> int:
    set_up(DEV)
    blenders = set_up_blenders()
    say("dev", "All set. What to do next:")
    print(f"  {DEV.python} -m footfall --help      the command line")
    print("  python build.py test -- tests/core -k bvh    some of the tests; without the rest of the line, all")
    for version, environment in blenders.items():
        print(f"  {environment.python}      import bpy (Blender {version}) and footfall")
    return 0


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the command and its options; arguments after `--` are passed to the program that the command starts."""
    cut = argv.index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(prog="build.py", description="Set up, run, test and package Footfall.")
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="bake a walk along a drawn path into demo/out; after `--`: its arguments")
    demo.add_argument("--scene", metavar="NAME", help="walk over a scene of presets/scenes, into demo/out/NAME")
    demo.set_defaults(run=command_demo)
    test = commands.add_parser("test", help="ruff, pyright and the tests; after `--`: arguments for pytest")
    test.add_argument("--all", action="store_true", help="every test in every Blender, all demos, and all windows")
    test.add_argument(
        "--seed", metavar="N", type=int, help="with --all: other examples of properties than in every other run"
    )
    test.add_argument("--no-fuzz", action="store_true", help="with --all: without the ten minutes of damaged files")
    test.add_argument("--no-checks", action="store_true", help="pytest only, without ruff and pyright")
    test.set_defaults(run=command_test)
    gui = commands.add_parser("gui-test", help="drive Blender with its windows; after `--`: arguments for pytest")
    gui.add_argument("--pictures", metavar="FOLDER", default=ROOT / ".cache" / "gui", help="default: .cache/gui")
    gui.set_defaults(run=command_gui_test)
    bench = commands.add_parser(
        "bench", help="measure, and write docs/benchmarks.md and docs/quality.md; after `--`: its arguments"
    )
    bench.add_argument(
        "tables", nargs="*", metavar="TABLE", help="a table, or a group of them: labelling; default: all"
    )
    bench.set_defaults(run=command_bench)
    fuzz = commands.add_parser("fuzz", help="feed damaged and hostile files to everything that reads a file")
    fuzz.add_argument("--minutes", type=float, default=FUZZ_MINUTES, metavar="N", help="default: %(default)g")
    fuzz.add_argument("--seed", type=int, default=0, metavar="N", help="other damage than in every other run")
    fuzz.set_defaults(run=command_fuzz)
    monkey = commands.add_parser("monkey", help="call operators at random, as a user who tries everything")
    monkey.add_argument("--minutes", type=float, default=10.0, metavar="N", help="default: %(default)g")
    monkey.add_argument("--seed", type=int, default=0, metavar="N", help="other deeds than in every other run")
    monkey.add_argument("--windows", action="store_true", help="in Blender's windows, with mouse and keys")
    monkey.set_defaults(run=command_monkey)
    bakes = commands.add_parser("bakes", help="bake random scenes in each Blender, and look at each motion")
    bakes.add_argument("--count", type=int, default=200, metavar="N", help="default: %(default)d")
    bakes.add_argument("--seed", type=int, default=0, metavar="N", help="other scenes than in every other run")
    bakes.set_defaults(run=command_bakes)
    mutants = commands.add_parser(
        "mutants", help="make faults in a room of the code, and see whether its tests see them"
    )
    mutants.add_argument("room", metavar="ROOM", help="such as core/motion")
    mutants.add_argument("--count", type=int, default=100, metavar="N", help="default: %(default)d")
    mutants.add_argument("--seed", type=int, default=0, metavar="N", help="other faults than in every other run")
    mutants.set_defaults(run=command_mutants)
    site = commands.add_parser("docs", help="write the manual as a website with a search, which works from its folder")
    site.add_argument("--out", metavar="FOLDER", default=DIST / "docs", help="default: dist/docs")
    site.set_defaults(run=command_docs)
    drawn = commands.add_parser(
        "pictures", help="render the manual's pictures from the scenes of the demo and of gui-test"
    )
    drawn.add_argument("names", nargs="*", metavar="NAME", help="pictures of docs/images; default: all")
    drawn.set_defaults(run=command_pictures)
    pack = commands.add_parser("package", help="build dist/footfall-<version>-<platform>-py<Python>.zip")
    pack.add_argument("--platform", choices=[*WHEEL_TAGS, "all"], help="default: this machine's")
    pack.add_argument("--python", choices=[*BLENDER_PYTHONS, "all"], default="all", help="Blender's; default: all")
    pack.set_defaults(run=command_package)
    published = commands.add_parser("release", help="all zips with check sums, notes and an index that Blender reads")
    published.add_argument("--platform", choices=[*WHEEL_TAGS, "all"], default="all", help="default: all")
    published.add_argument("--python", choices=[*BLENDER_PYTHONS, "all"], default="all", help="default: all")
    published.add_argument(
        "--out", metavar="FOLDER", default=DIST / "release", help="replaced at the end; default: dist/release"
    )
    published.set_defaults(run=command_release)
    commands.add_parser("dev", help="set everything up, and say what to do next").set_defaults(run=command_dev)
    arguments = parser.parse_args(argv[:cut])
    if arguments.command == "test" and arguments.seed is not None and not arguments.all:
        test.error("--seed goes with --all")
    arguments.extra = list(argv[cut + 1 :])
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(sys.argv[1:] if argv is None else argv)
    try:
        return arguments.run(arguments)
    except BuildError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("build.py: stopped; run it again and it goes on from here", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
