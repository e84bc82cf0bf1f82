"""The version of Footfall, read from the extension's manifest."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

_MANIFEST: Final = Path(__file__).parents[2] / "blender_manifest.toml"


@cache
def footfall_version() -> str:
    """Return the version of Footfall in the extension's manifest, such as ``"1.2.0"``."""
    return tomllib.loads(_MANIFEST.read_text(encoding="utf-8"))["version"]
