"""The version of Footfall."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

_MANIFEST: Final = Path(__file__).parents[2] / "blender_manifest.toml"


@cache
def footfall_version() -> str:
    """Return the version in the extension's manifest."""
    return tomllib.loads(_MANIFEST.read_text(encoding="utf-8"))["version"]
