"""Bake random scenes in each Blender, look at each motion, and paint the worst: `python build.py bakes --count N`."""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

PART_CASES: Final = 16
"""Cases of one part, in a Blender of its own."""
CASE_SECONDS: Final = 120.0
"""Time per case after which a part hangs."""
FASTEST_RAD_S: Final = {"strikes": 43.7}
"""Largest rotation speed of a joint in captured boxing (CMU 14_02); of all other kinds see :data:`WALKING_RAD_S`."""
WALKING_RAD_S: Final = 39.2
"""Largest rotation speed of a joint in ACCAD's captured walks, runs and turns (a toe, Male1_C17_RunTurnAround)."""
DEEPEST_MM: Final = 15.0
"""Depth from which a foot is through the ground."""
SHOWN: Final = 5
"""Number of the worst motions that are painted."""


@dataclass
class Tally:
    """The results of the cases.

    Attributes:
        cases: the number of each kind that was made.
        refused: refusals, each with its kind.
        faults: each with its seed, case and what was wrong.
        motions: the measures of each character's motion, as :mod:`.run` notes them, with its kind and seed.
    """

    cases: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[str, str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    motions: list[dict] = field(default_factory=list)

    def add(self, log: Path) -> None:
        """Count the cases of a part."""
        kind, told, seed, ended = "", "the scene", -1, False
        for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
            one = json.loads(line)
            ended = "ended" in one
            seed = one.get("seed", seed)
            if "kind" in one:
                kind, told = one["kind"], one["told"]
                self.cases[kind] += 1
            elif "refused" in one:
                self.refused.append((kind, one["refused"]))
            elif "fault" in one:
                self.faults.append(f"seed {seed}, {kind}, {told}: {one['fault']}")
            elif "fastest" in one:
                self.motions.append({**one, "kind": kind})
                self.faults += [f"seed {seed}, {kind}, {told}: {wrong}" for wrong in what_is_wrong(one, kind)]
        if not ended:
            self.faults.append(f"seed {seed}, {kind}, {told}: the process ended or hung")

    def worst(self) -> list[dict]:
        """Return the motions in which joints turn fastest for their kind."""
        return sorted(self.motions, key=lambda one: one["fastest"] / limit_of(one["kind"]), reverse=True)[:SHOWN]


def limit_of(kind: str) -> float:
    """Return the largest rotation speed of a joint in captured motion of a kind, rad/s."""
    return FASTEST_RAD_S.get(kind, WALKING_RAD_S)


def what_is_wrong(motion: dict, kind: str) -> Iterator[str]:
    """Yield what is wrong with a motion."""
    if motion["fastest"] > limit_of(kind):
        yield f"the joint {motion['joint']} of '{motion['character']}' turns by {motion['fastest']:.0f} rad/s"
    deep = motion.get("ground_penetration", 0.0)
    if deep > DEEPEST_MM:
        yield f"a foot of '{motion['character']}' is {deep:.0f} mm in the ground"


def bake(blender: Path, first: int, count: int, folder: Path, tally: Tally) -> None:
    """Bake some cases in a Blender of its own, with a home of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="footfall-bakes-") as home:
        own = {"HOME": home, "XDG_CACHE_HOME": home, "BLENDER_USER_RESOURCES": str(Path(home) / "user")}
        command = [str(blender), "-P", "-m", "footfall.tests.bakes.run", str(folder), str(first), str(count)]
        try:
            child = subprocess.run(
                command, env={**os.environ, **own}, capture_output=True, text=True, timeout=CASE_SECONDS * count
            )
            if child.returncode:
                print(child.stderr[-2000:], file=sys.stderr)
        except subprocess.TimeoutExpired:
            pass
    tally.add(folder / "log.jsonl")


def report(tally: Tally) -> str:
    """Return the table of all kinds."""
    rows = ["| kind | cases | refused | characters | frames | fastest joint, rad/s | deepest foot, mm |"]
    rows.append("| --- | --- | --- | --- | --- | --- | --- |")
    for kind, count in tally.cases.items():
        motions = [one for one in tally.motions if one["kind"] == kind]
        refused = sum(1 for other, _ in tally.refused if other == kind)
        values = (count, refused, len(motions), sum(one["frames"] for one in motions))
        fastest = max((one["fastest"] for one in motions), default=0.0)
        deepest = max((one.get("ground_penetration", 0.0) for one in motions), default=0.0)
        rows.append(f"| {kind} | {' | '.join(map(str, values))} | {fastest:.1f} | {deepest:.1f} |")
    reasons = Counter(text for _, text in tally.refused)
    told = [f"refused {count} times: {text}" for text, count in reasons.most_common()]
    return "\n".join([*rows, "", *told, "", *tally.faults, f"{len(tally.faults)} faults"])


def paint_worst(tally: Tally, folder: Path) -> None:
    """Paint the worst motions around their fastest moments, from the side and from ahead."""
    from footfall.benchmarks.measures.extremes import largest_joint_speed
    from footfall.benchmarks.strips import paint_row, write_strip
    from footfall.core.rig.clip_file import read_clip

    for number, one in enumerate(tally.worst(), start=1):
        clip = read_clip(Path(one["file"]))
        middle, reach = largest_joint_speed(clip).frame, max(round(0.25 * clip.rate), 5)
        first, last = max(middle - reach, 0), min(middle + reach, len(clip) - 1)
        frames = np.unique(np.linspace(first, last, 11).round().astype(int))
        title = f"seed {one['seed']}: {one['kind']}, {one['case']}; {one['joint']} {one['fastest']:.0f} rad/s"
        pixels = np.concatenate([paint_row(clip, frames, from_side) for from_side in (True, False)])
        write_strip(pixels, title, folder / f"worst-{number}.png")


def main() -> int:
    """Return 0 if nothing was wrong."""
    parser = argparse.ArgumentParser(prog="footfall.tests.bakes", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="cases in each Blender; default: 200")
    parser.add_argument("--seed", type=int, default=0, help="of the first case; default: 0")
    parser.add_argument("--out", type=Path, required=True, help="folder of motions and pictures")
    parser.add_argument("blenders", nargs="+", type=Path, help="the Python of each Blender")
    options = parser.parse_args()
    wrong = 0
    for blender in options.blenders:
        tally, name = Tally(), blender.parent.parent.name
        for first in range(options.seed, options.seed + options.count, PART_CASES):
            known, count = len(tally.faults), min(PART_CASES, options.seed + options.count - first)
            bake(blender, first, count, options.out / name / str(first), tally)
            print(f"[bakes] {name}: to seed {first + count - 1}", *tally.faults[known:], sep="\n  ", flush=True)
        print(f"\n{name}\n\n{report(tally)}\n", flush=True)
        paint_worst(tally, options.out / name)
        wrong += len(tally.faults)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
