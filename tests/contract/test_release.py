"""A release's index, read by Blender's own tool for extensions: each Blender finds the zip that is made for it."""

import subprocess
from pathlib import Path

import pytest

from footfall.tools.build.extension_tool import extension_tool
from footfall.tools.build.messages import BuildError
from footfall.tools.build.processes import clean_environment
from footfall.tools.build.releases import INDEX_FILE, write_index
from footfall.tools.build.wheels import BLENDER_PYTHONS, WHEEL_TAGS
from footfall.tools.build.zips import packaged_manifest, write_zip

pytestmark = pytest.mark.end_to_end
ROOT = Path(__file__).parents[2]
BLENDERS = {"4.5.3": "3.11", "5.0.1": "3.11", "5.1.0": "3.13", "5.2.0": "3.13", "5.2.1": "3.14"}
"""Blender -> its Python; Debian's own Blender has another one than that of blender.org."""


@pytest.fixture
def repository(blender, tmp_path: Path) -> Path:
    """The folder of a release whose zips hold manifests and empty wheels alone."""
    manifest = (ROOT / "blender_manifest.toml").read_text(encoding="utf-8")
    for platform, tags in WHEEL_TAGS.items():
        for python in BLENDER_PYTHONS:
            tag = "cp" + python.replace(".", "")
            wheels = [f"scipy-1.15.0-{tag}-{tag}-{tags[0]}.whl", f"safetensors-0.5.0-cp38-abi3-{tags[0]}.whl"]
            entries = {
                "__init__.py": b"def register(): ...\n\n\ndef unregister(): ...\n",
                "blender_manifest.toml": packaged_manifest(manifest, platform, python, wheels).encode(),
                **{f"wheels/{wheel}": b"" for wheel in wheels},
            }
            write_zip(tmp_path / f"footfall-{platform}-py{python}.zip", entries)
    write_index(tmp_path, blender.version)
    return tmp_path


def test_each_blender_installs_the_zip_that_is_made_for_it(blender, repository: Path, tmp_path: Path) -> None:
    address = (repository / INDEX_FILE).as_uri()
    for version, python in BLENDERS.items():
        installed = tmp_path / f"blender-{version}"
        installed.mkdir()
        for command in (["sync"], ["install", "--blender-version", version, "--python-version", python, "footfall"]):
            where = ["--remote-url", address, "--local-dir", str(installed)]
            tool = [*extension_tool(blender.version), command[0], *where, *command[1:]]
            told = subprocess.run(tool, capture_output=True, text=True, env=clean_environment())
            assert told.returncode == 0, told.stdout + told.stderr
        manifest = (installed / "footfall" / "blender_manifest.toml").read_text(encoding="utf-8")
        assert f"-cp{python.replace('.', '')}-" in manifest, f"Blender {version} got another zip"


def test_a_zip_that_is_listed_twice_is_an_error(blender, repository: Path) -> None:
    original = repository / "footfall-linux-x64-py3.13.zip"
    original.with_name("copy.zip").write_bytes(original.read_bytes())
    with pytest.raises(BuildError, match="does not list the zips"):
        write_index(repository, blender.version)
