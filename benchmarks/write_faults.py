"""Commands that are killed, run out of disk, lose the right to write or find a link in the way, at every write."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ..core.errors import FootfallError
from ..tests.faults.scenario import SCENARIOS
from ..tests.faults.small_disk import can_mount
from ..tests.faults.trial import table, try_scenario
from .setup import Setup

TITLE = "Faults while files are written"
MOST: Final = 4
NOTES: Final = """\
Each command replaces what an earlier run has made, with a foreign file beside it, and is given {most} faults of each
kind, spread over its changes of the file system. *Kill*: SIGKILL before the change. *Full*: this and every later
creation fails. *Disk*: a real disk, of which so many bytes are left. *Read-only*: this and every later change fails.
*Link*: a link to a foreign file or folder lies where the command would write. Afterwards every part is as it was or as
it was to be, what failed has said so in one sentence, and the command, run again, makes what an unbroken run makes and
leaves nothing behind. *Lost or unclear* counts what is not so."""


def measure(_setup: Setup) -> str:
    """Return the section's table and what was lost."""
    if not can_mount():
        raise FootfallError("Small disks cannot be mounted here: run it as root on Linux")
    with TemporaryDirectory() as folder:
        tallies = [try_scenario(one, Path(folder) / "trial", MOST, disks=True) for one in SCENARIOS]
    problems = [problem for tally in tallies for problem in tally.problems]
    return "\n\n".join([table(tallies), NOTES.format(most=MOST), *problems])
