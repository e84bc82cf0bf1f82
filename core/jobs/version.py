"""The version of Footfall, read from the extension's manifest."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

_MANIFEST: Final = Path(__file__).parents[2] / "blender_manifest.toml"


@cache
def footfall_version() -> str:
    """Return the version that the extension's manifest gives."""
    return tomllib.loads(_MANIFEST.read_text(encoding="utf-8"))["version"]
