#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footfall's one entry point: `python build.py --help` names its commands.

Standard library only; Python 3.11 or newer. Whatever a command needs (virtual environments under `.venvs/`, the
system libraries of Blender's Python module) is set up first, and skipped when it is there already.
"""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - to say so, where an older Python runs this file
    sys.exit("Footfall needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2]))

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))  # absent with PYTHONSAFEPATH
    from tools.build.command_line import main

    sys.exit(main())
