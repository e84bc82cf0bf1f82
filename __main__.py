# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: ``python -m footfall --help`` names its commands."""

import sys
from pathlib import Path


def forget_working_folder() -> None:
    """Take the working folder, where ``-m`` puts it first, from the module path, unless the package lies in it.

    It may be a folder of clips or a run of another user: no Python in it is to run (Python: ``-P``).
    """
    is_first = not sys.flags.safe_path and sys.path[:1] in ([""], [str(Path.cwd())])
    if is_first and not Path(__file__).parents[1].samefile(Path.cwd()):
        del sys.path[0]


if __name__ == "__main__":
    forget_working_folder()
    from .cli import main

    sys.exit(main())
