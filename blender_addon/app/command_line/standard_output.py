"""The standard output, reserved for a command's result."""

import os
import sys
from typing import TextIO


def redirect_standard_output() -> TextIO:
    """Return the standard output, and redirect what Blender and its add-ons print to the standard error.

    So it stays until the process ends, as Blender does when the command has: what it has printed before may still be
    in a buffer of its own, and would come after the result.
    """
    sys.stdout.flush()
    result = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return result
