"""The packaged zip in real Blenders: validated, installed, enabled, disabled, updated, removed; wrong ones refused."""

from pathlib import Path

import pytest

from footfall.tools.build.extension_tool import validate
from footfall.tools.build.wheels import current_platform
from footfall.tools.build.zips import SIZE_LIMIT, package_entries, write_zip

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.every_blender,  # each has a zip of its own
    pytest.mark.timeout(900),  # the wheels may have to be fetched first
]
ROOT, FOLDER = Path(__file__).parent.parent.parent, Path(__file__).parent


def test_blender_validates_the_zip(blender, packaged_zip: Path) -> None:
    validate(packaged_zip, blender.version)
    assert packaged_zip.stat().st_size < 1e6 * SIZE_LIMIT


def test_from_installation_to_removal_nothing_is_left_behind(blender, packaged_zip: Path) -> None:
    output = blender(FOLDER / "install_extension.py", packaged_zip).stdout
    assert f"done in Blender {blender.version}" in output


@pytest.mark.parametrize(("blender", "python"), [("4.5", "3.13"), ("5.2", "3.11")], indirect=["blender"])
@pytest.mark.all_only("one installation always runs")
def test_a_zip_for_another_blender_changes_nothing(blender, packaged_zip: Path, python: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.zip"
    write_zip(wrong, package_entries(ROOT, current_platform(), python, wheels=[]))
    output = blender(FOLDER / "install_wrong_zip.py", packaged_zip, wrong).stdout
    assert f"This Blender version ({blender.version}" in output and "version (5.1.0)" in output
