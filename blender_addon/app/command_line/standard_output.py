"""The standard output, reserved for a command's result."""

import os
import sys
from typing import TextIO


def redirect_standard_output() -> TextIO:
    """Return the standard output, after redirecting what Blender and its add-ons print to the standard error.

    The redirection lasts until the process ends, which Blender does after the command: earlier output may still be in a
    buffer and would otherwise follow the result.
    """
    sys.stdout.flush()
    result = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return result
