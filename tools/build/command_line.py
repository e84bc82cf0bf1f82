"""The command line of build.py."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .commands import (
    command_bakes,
    command_bench,
    command_demo,
    command_dev,
    command_docs,
    command_fuzz,
    command_gui_test,
    command_monkey,
    command_mutants,
    command_package,
    command_pictures,
    command_release,
    command_test,
)
from .folders import DIST, ROOT
from .messages import BuildError
from .testing import FUZZ_MINUTES
from .wheels import BLENDER_PYTHONS, WHEEL_TAGS


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the command and its options; arguments after `--` are passed to the program that the command starts."""
    cut = argv.index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(prog="build.py", description="Set up, run, test and package Footfall.")
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="bake a walk along a drawn path into demo/out; after `--`: its arguments")
    demo.add_argument("--scene", metavar="NAME", help="walk over a scene of presets/scenes, into demo/out/NAME")
    demo.set_defaults(run=command_demo)
    test = commands.add_parser("test", help="ruff, pyright and the tests; after `--`: arguments for pytest")
    test.add_argument("--all", action="store_true", help="every test in every Blender, all demos, and all windows")
    test.add_argument(
        "--seed", metavar="N", type=int, help="with --all: other examples of properties than in every other run"
    )
    test.add_argument("--no-fuzz", action="store_true", help="with --all: without the ten minutes of damaged files")
    test.add_argument("--no-checks", action="store_true", help="pytest only, without ruff and pyright")
    test.set_defaults(run=command_test)
    gui = commands.add_parser("gui-test", help="drive Blender with its windows; after `--`: arguments for pytest")
    gui.add_argument("--pictures", metavar="FOLDER", default=ROOT / ".cache" / "gui", help="default: .cache/gui")
    gui.set_defaults(run=command_gui_test)
    bench = commands.add_parser(
        "bench", help="measure, and write benchmarks/results and two pages of docs; after `--`: its arguments"
    )
    bench.add_argument(
        "tables", nargs="*", metavar="TABLE", help="a table, or a group of them: labelling; default: all"
    )
    bench.set_defaults(run=command_bench)
    fuzz = commands.add_parser("fuzz", help="feed damaged and hostile files to everything that reads a file")
    fuzz.add_argument("--minutes", type=float, default=FUZZ_MINUTES, metavar="N", help="default: %(default)g")
    fuzz.add_argument("--seed", type=int, default=0, metavar="N", help="other damage than in every other run")
    fuzz.set_defaults(run=command_fuzz)
    monkey = commands.add_parser("monkey", help="call operators at random, as a user who tries everything")
    monkey.add_argument("--minutes", type=float, default=10.0, metavar="N", help="default: %(default)g")
    monkey.add_argument("--seed", type=int, default=0, metavar="N", help="other deeds than in every other run")
    monkey.add_argument("--windows", action="store_true", help="in Blender's windows, with mouse and keys")
    monkey.set_defaults(run=command_monkey)
    bakes = commands.add_parser("bakes", help="bake random scenes in each Blender, and look at each motion")
    bakes.add_argument("--count", type=int, default=200, metavar="N", help="default: %(default)d")
    bakes.add_argument("--seed", type=int, default=0, metavar="N", help="other scenes than in every other run")
    bakes.set_defaults(run=command_bakes)
    mutants = commands.add_parser(
        "mutants", help="make faults in a room of the code, and see whether its tests see them"
    )
    mutants.add_argument("room", metavar="ROOM", help="such as core/motion")
    mutants.add_argument("--count", type=int, default=100, metavar="N", help="default: %(default)d")
    mutants.add_argument("--seed", type=int, default=0, metavar="N", help="other faults than in every other run")
    mutants.set_defaults(run=command_mutants)
    site = commands.add_parser("docs", help="write the manual as a website with a search, which works from its folder")
    site.add_argument("--out", metavar="FOLDER", default=DIST / "docs", help="default: dist/docs")
    site.set_defaults(run=command_docs)
    drawn = commands.add_parser(
        "pictures", help="render the manual's pictures from the scenes of the demo and of gui-test"
    )
    drawn.add_argument("names", nargs="*", metavar="NAME", help="pictures of docs/images; default: all")
    drawn.set_defaults(run=command_pictures)
    pack = commands.add_parser("package", help="build dist/footfall-<version>-<platform>-py<Python>.zip")
    pack.add_argument("--platform", choices=[*WHEEL_TAGS, "all"], help="default: this machine's")
    pack.add_argument("--python", choices=[*BLENDER_PYTHONS, "all"], default="all", help="Blender's; default: all")
    pack.set_defaults(run=command_package)
    published = commands.add_parser("release", help="all zips with check sums, notes and an index that Blender reads")
    published.add_argument("--platform", choices=[*WHEEL_TAGS, "all"], default="all", help="default: all")
    published.add_argument("--python", choices=[*BLENDER_PYTHONS, "all"], default="all", help="default: all")
    published.add_argument(
        "--out", metavar="FOLDER", default=DIST / "release", help="replaced at the end; default: dist/release"
    )
    published.set_defaults(run=command_release)
    commands.add_parser("dev", help="set everything up, and say what to do next").set_defaults(run=command_dev)
    arguments = parser.parse_args(argv[:cut])
    if arguments.command == "test" and arguments.seed is not None and not arguments.all:
        test.error("--seed goes with --all")
    arguments.extra = list(argv[cut + 1 :])
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(sys.argv[1:] if argv is None else argv)
    try:
        return arguments.run(arguments)
    except BuildError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("build.py: stopped; run it again and it goes on from here", file=sys.stderr)
        return 130
