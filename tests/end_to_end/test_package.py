"""The packaged zip in real Blenders: validated, installed, enabled, used, disabled."""

from pathlib import Path

import pytest

from footfall import build

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(900)]  # the wheels may have to be fetched first
INSTALL = Path(__file__).with_name("install_extension.py")


def test_blender_validates_the_zip(blender, packaged_zip: Path) -> None:
    build.validate(packaged_zip, blender.version)


def test_installs_enables_and_disables(blender, packaged_zip: Path) -> None:
    output = blender(INSTALL, packaged_zip).stdout
    assert f"done in Blender {blender.version}" in output
