"""The standard output, for a command's result alone."""

import os
import sys
from typing import TextIO


def redirect_standard_output() -> TextIO:
    """Return the standard output; all that Blender and its add-ons print there from now on goes to the standard error.

    So it stays until the process ends, as Blender does when the command has: what it has printed before may still be
    in a buffer of its own, and would come after the result.
    """
    sys.stdout.flush()
    result = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return result
