# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: ``python -m footfall label | retarget | terrain | dataset | train | export | walk | evaluate``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
