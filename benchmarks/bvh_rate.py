"""Reading BVH: megabytes of text per second on one core."""

from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import Final

from ..core.motion.bvh import read_bvh
from .setup import Setup
from .tables import Part, table

TITLE = "Reading BVH"
LARGEST = 24
PASSES = 3
MIXED_ORDERS: Final = ("cmu_daz", "cmu_daz_more", "cmu_daz_pairs")
"""Folders of clips as written by DAZ's tools."""
NOTES: Final = f"The {LARGEST} largest clips of each, from the file cache to a finished clip."


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    usual = setup.clips("walk", "run", "turn", "mixed")
    mixed = [file for folder in MIXED_ORDERS for file in (setup.data / folder).rglob("*.bvh")]
    rows = [
        _row("this, one order of channels", usual),
        _row("this, orders that differ from joint to joint", mixed),
        ["reach", None, 35, None],
        ["a peer", None, 20, None],
    ]
    return [table(["reader", "MB", f"MB/s, best of {PASSES} passes", "worst"], rows), NOTES]


def _row(title: str, clips: Iterable[Path]) -> list[object]:
    """Return a row of the reading rates of the largest of some files."""
    files = sorted(clips, key=lambda file: -file.stat().st_size)[:LARGEST]
    for file in files:
        file.read_bytes()
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    rates = []
    for _ in range(PASSES):
        start = perf_counter()
        for file in files:
            read_bvh(file)
        rates.append(megabytes / (perf_counter() - start))
    return [title, megabytes, max(rates), min(rates)]
