"""Calling ``footfall`` as Blender's command line does, in this process."""

import contextlib
import io
import json
import tempfile
from pathlib import Path
from typing import Any

from footfall.blender_addon.app.command_line.main import main


def called(*arguments: object) -> tuple[int, dict[str, Any], str]:
    """A command's exit code, its JSON (nothing where it told none), and what it said on the standard error."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.json"
        with contextlib.redirect_stderr(io.StringIO()) as words, contextlib.redirect_stdout(io.StringIO()):
            code = main([*map(str, arguments), "--json", str(told)])
        return code, json.loads(told.read_text()) if told.exists() else {}, words.getvalue()
