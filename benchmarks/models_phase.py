"""Effect of the phase in every family with a phase input (PFNN section 8)."""

import numpy as np

from .held_out import HeldOut
from .laboratory import trained
from .setup import Setup
from .tables import Part, table

TITLE = "Families of networks: what the phase says"
STEP = 1e-2
SILENT = 1e-6

NOTES = """\
The change of the normalised output with the phase, everything else as it is: root of the mean square over held-out
samples and outputs, per cycle. PFNN's section 8 finds about 0.05 for its network and 0.001 for one with the phase as
an input, fifty times less, in a unit that is not given."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    found: list[tuple[str, float]] = []
    for one in trained(setup):
        data = HeldOut.of(one)
        forth, back = (data.turned(one.model, shift).answers(one.model, shift) for shift in (STEP, -STEP))
        change = float(np.sqrt(np.mean(np.square((forth - back) / (2 * STEP)))))
        found.append((one.entrant.title, change))
    first = found[0][1]
    rows = [[title, change, change / first] for title, change in found if change > SILENT]
    silent = ", ".join(title for title, change in found if change <= SILENT)
    return [table(["network", "change per cycle", "of the first"], rows), f"{NOTES} Not told of it: {silent}."]
