"""A small checkout with the real `tools/build`, whose environments have Pythons that only note what they are asked."""

import hashlib
import importlib.util
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = "# Changelog\n\n## [0.2.0] - unreleased\n\n- New.\n\n## [0.1.0] - 2026-11-26\n\n- First.\n"
PYTHON = """#!{executable}
import hashlib, json, os, pathlib, shutil, sys, time
notes = pathlib.Path({notes!r})
words, told = sys.argv[1:], " ".join(sys.argv[1:])
if words[0] == "-c":
    print({version!r}, {own!r}, sep="\\n")
    sys.exit()
names = ("FOOTFALL_ALL", "FOOTFALL_SHARED", "PYTEST_ADDOPTS")
with (notes / "asked.jsonl").open("a") as file:
    file.write(json.dumps([words, {{name: os.environ[name] for name in names if name in os.environ}}]) + "\\n")
for word in (notes / "failing").read_text().split():
    if word in told:
        sys.exit("out of order")
if (notes / "slow").exists():
    time.sleep(60)
if "venv" in words:
    folder = pathlib.Path(words[-1])
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    shutil.copy(__file__, folder / "bin" / "python")
elif "download" in words:
    pathlib.Path(words[words.index("--dest") + 1], "thing-1.0-py3-none-any.whl").write_bytes(b"a wheel")
elif "render.py" in told:
    pathlib.Path(words[-1], "index.html").write_text("the manual")
elif "server-generate" in words:
    folder = pathlib.Path(words[words.index("--repo-dir") + 1])
    zips = {{file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("*.zip")}}
    data = [{{"archive_url": "./" + name, "archive_hash": "sha256:" + digest}} for name, digest in zips.items()]
    (folder / "index.json").write_text(json.dumps({{"data": data}}))
print("fine")
"""


class SmallCheckout:
    """A checkout in a folder.

    Attributes:
        folder: the checkout's.
        build: the package of its `build.py`, with all modules.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._notes = folder / "checkout", folder / "notes"
        self._notes.mkdir(parents=True)
        (self._notes / "failing").touch()
        (folder / "shared").mkdir()
        monkeypatch.setenv("FOOTFALL_SHARED", str(folder / "shared"))
        monkeypatch.setenv("PYENV_ROOT", str(folder / "none"))
        for name in ("requirements/base.txt", "requirements/small.txt", "presets/a.toml", "tools/site/render.py"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text("-r base.txt\ntwo==2\n" if "small" in name else "one==1\n")
        for name in ("dev", "blender-4.5", "blender-5.2", "bundled"):
            shutil.copy(self.folder / "requirements" / "base.txt", self.folder / "requirements" / f"{name}.txt")
        shutil.copytree(ROOT / "tools" / "build", self.folder / "tools" / "build")
        (self.folder / "blender_manifest.toml").write_text('id = "footfall"\nversion = "0.1.0"\n')
        (self.folder / "CHANGELOG.md").write_text(CHANGELOG)
        self.build = self.load(self.folder, monkeypatch)

    @staticmethod
    def load(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
        """Return the package of a checkout's `build.py`."""
        name = f"build_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
        spec = importlib.util.spec_from_file_location(name, folder / "tools" / "build" / "__init__.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        importlib.import_module(f"{name}.command_line")  # which imports all others
        return module

    def add_python(self, path: Path, version: str = "3.99") -> None:
        """Write a Python that notes its commands."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            PYTHON.format(executable=sys.executable, notes=str(self._notes), version=version, own=str(path))
        )
        path.chmod(0o755)

    def add_environments(self) -> None:
        """Add all environments, as if they had been set up."""
        environments = self.build.environments
        for environment in (environments.DEV, *environments.BLENDERS.values()):
            self.add_python(environment.python)
            environment.stamp_file.write_text(environments.stamp_of(environment))
        tool = "lib/bpy/5.2/scripts/addons_core/bl_pkg/cli/blender_ext.py"
        (environments.BLENDERS["5.2"].folder / tool).parent.mkdir(parents=True)
        (environments.BLENDERS["5.2"].folder / tool).touch()

    def fail(self, *words: str) -> None:
        """Let commands with one of the words fail from now on."""
        (self._notes / "failing").write_text(" ".join(words))

    def slow_down(self) -> None:
        """Let every command take a minute from now on."""
        (self._notes / "slow").touch()

    def asked(self) -> list[tuple[list[str], dict[str, str]]]:
        """Return the commands since the last call, and the variables they had."""
        log = self._notes / "asked.jsonl"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return [(words, variables) for words, variables in map(json.loads, lines)]
