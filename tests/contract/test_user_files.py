"""What a user has from the extension and keeps: presets, and the pages of the manual."""

from pathlib import Path

import pytest

from footfall.tools.site.render import render

pytestmark = pytest.mark.end_to_end


def test_presets_outlive_blender(blender) -> None:
    script = Path(__file__).with_name("direct_preset.py")
    blender(script, "save")
    blender(script, "find again")


def test_help_opens_the_pages_of_the_extension(blender, tmp_path: Path) -> None:
    render(tmp_path)
    blender(Path(__file__).with_name("manual_pages.py"), tmp_path / "manual")
