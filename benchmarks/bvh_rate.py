"""Reading BVH: megabytes of text a second on one core."""

from time import perf_counter

from ..core.motion.bvh import read_bvh
from .document import table
from .setup import Setup

TITLE = "Reading BVH"
LARGEST = 24
PASSES = 3


def measure(setup: Setup) -> str:
    """Return the section's table."""
    files = sorted(setup.clips("walk", "run", "turn", "mixed"), key=lambda file: -file.stat().st_size)[:LARGEST]
    for file in files:
        file.read_bytes()
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    rates = []
    for _ in range(PASSES):
        start = perf_counter()
        for file in files:
            read_bvh(file)
        rates.append(megabytes / (perf_counter() - start))
    rows = [["this", max(rates), min(rates)], ["reach", 35, None], ["a peer", 20, None]]
    return table(["reader", f"MB/s, best of {PASSES} passes", "worst"], rows) + (
        f"\n\n{len(files)} CMU clips, {megabytes:.0f} MB, from the file cache to a finished clip."
    )
