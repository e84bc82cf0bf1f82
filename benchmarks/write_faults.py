"""Commands that are killed, run out of disk, lose write permission or find a link in the way, at every write."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ..core.errors import FootfallError
from ..tests.faults.scenario import SCENARIOS
from ..tests.faults.small_disk import can_mount
from ..tests.faults.trial import tally_table, try_scenario
from .setup import Setup
from .tables import Part

TITLE = "Faults while files are written"
MOST: Final = 4
NOTES: Final = """\
Each command replaces what an earlier run has made, with a foreign file beside it, and is given {most} faults of each
kind, spread over its changes of the file system. *Kill*: SIGKILL before the change."""


def measure(_setup: Setup) -> list[Part]:
    """Return the section's table and the lost files."""
    if not can_mount():
        raise FootfallError("Small disks cannot be mounted here: run it as root on Linux")
    with TemporaryDirectory() as folder:
        tallies = [try_scenario(one, Path(folder) / "trial", MOST, disks=True) for one in SCENARIOS]
    problems = [problem for tally in tallies for problem in tally.problems]
    return [tally_table(tallies), NOTES.format(most=MOST), *problems]
