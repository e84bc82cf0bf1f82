"""The commands of build.py."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from .checks import CHECKS, checks_beside
from .environments import DEV, MUTANTS, Environment, set_up, set_up_a_blender, set_up_blenders
from .folders import HIDDEN, ROOT, SHARED
from .manual import write_site
from .messages import say
from .processes import clean_environment
from .releases import release
from .testing import FUZZ_MINUTES, JUNIT, run_fuzz, run_pytest, run_stories
from .wheels import BLENDER_PYTHONS, WHEEL_TAGS, current_platform
from .windows import SKIPPED, run_in_windows
from .zips import package


def command_demo(arguments: argparse.Namespace) -> int:
    version, blender = set_up_a_blender()
    say("demo", f"with Blender {version}")
    chosen = ["--scene", arguments.scene] if arguments.scene else []
    command = [str(blender.python), "demo/make.py", "--out", "demo/out", *chosen, *arguments.extra]
    return subprocess.call(command, cwd=ROOT, env=clean_environment())


def command_test(arguments: argparse.Namespace) -> int:
    begun = time.monotonic()
    try:
        return run_tests(arguments)
    finally:
        say("test", f"took {(time.monotonic() - begun) / 60:.1f} minutes")


def run_tests(arguments: argparse.Namespace) -> int:
    """Run the tests selected by the options, with the checks in parallel; return an exit code."""
    set_up(DEV)
    set_up_blenders()
    if arguments.seed is not None:
        say("test", f"random examples of seed {arguments.seed}")
    with checks_beside([] if arguments.no_checks else list(CHECKS)) as checks:
        code = run_pytest(arguments, JUNIT)
        if arguments.all and not arguments.extra and SHARED.is_dir():
            say("test", "once more, as on a machine without the shared data: the tests that look for them")
            code = run_pytest(arguments, JUNIT.with_name("junit-hidden.xml"), FOOTFALL_SHARED=HIDDEN) or code
        failed = [check.name for check in checks if not check.finish()]
    if arguments.all and not arguments.extra:
        windows = run_stories(JUNIT.with_name("gui"), [f"--junit-xml={JUNIT.with_name('junit-gui.xml')}"])
        code = code or (0 if windows == SKIPPED else windows)
        if not arguments.no_fuzz:
            code = run_fuzz(FUZZ_MINUTES, arguments.seed or 0) or code
    if failed:
        say("test", f"FAILED: {' and '.join(failed)} (see above)")
    return code or int(bool(failed))


def command_gui_test(arguments: argparse.Namespace) -> int:
    return run_stories(Path(arguments.pictures).resolve(), arguments.extra)


def command_bench(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    command = [str(DEV.python), "-m", "footfall.benchmarks", *arguments.tables, *arguments.extra]
    return subprocess.call(command, cwd=ROOT, env=clean_environment())


def command_fuzz(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    set_up_blenders()
    return run_fuzz(arguments.minutes, arguments.seed)


def command_monkey(arguments: argparse.Namespace) -> int:
    """Run random operators in each Blender for equal times, or in the Blender with windows; return an exit code."""
    code, ready = 0, set_up_blenders()
    if arguments.windows:
        return monkey_in_windows(ready, arguments)
    for version, environment in ready.items():
        say("monkey", f"Blender {version}")
        command = [environment.python, "-P", "-m", "footfall.tests.monkey"]
        command += ["--minutes", arguments.minutes / len(ready), "--seed", arguments.seed]
        code = subprocess.call([str(part) for part in command], cwd=ROOT, env=clean_environment()) or code
    return code


def monkey_in_windows(ready: Mapping[str, Environment], arguments: argparse.Namespace) -> int:
    """Send random mouse and key events to the Blender with windows; return an exit code."""
    with tempfile.TemporaryDirectory() as folder:
        maker = [*ready.values()][-1].python
        subprocess.run([maker, "-P", "-m", "footfall.tests.monkey.scene", folder], env=clean_environment(), check=True)
        options = ["--minutes", str(arguments.minutes), "--seed", str(arguments.seed)]
        return run_in_windows("monkey", ["-m", "footfall.tests.monkey.windows", folder, *options])


def command_bakes(arguments: argparse.Namespace) -> int:
    """Bake random scenes in each Blender; return an exit code."""
    set_up(DEV)
    out = ROOT / ".cache" / "bakes"
    shutil.rmtree(out, ignore_errors=True)
    command = [DEV.python, "-m", "footfall.tests.bakes", "--out", out, "--count", arguments.count]
    command += ["--seed", arguments.seed, *(environment.python for environment in set_up_blenders().values())]
    return subprocess.call([str(part) for part in command], cwd=ROOT, env=clean_environment())


def command_mutants(arguments: argparse.Namespace) -> int:
    """Add faults to the code of a room one by one, and run its tests on each; return an exit code."""
    set_up(DEV)
    set_up(MUTANTS)
    command = [DEV.python, "-m", "footfall.tests.mutants", arguments.room, "--count", arguments.count]
    command += ["--seed", arguments.seed, "--python", MUTANTS.python]
    return subprocess.call([str(part) for part in command], cwd=ROOT, env=clean_environment())


def command_docs(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    folder = Path(arguments.out).resolve()
    write_site(folder, DEV.python)
    say("docs", f"open {folder / 'index.html'}")
    return 0


def command_pictures(arguments: argparse.Namespace) -> int:
    set_up(DEV)
    _, blender = set_up_a_blender()
    command = [str(DEV.python), "-m", "footfall.tools.pictures", str(blender.python), *arguments.names]
    return subprocess.call(command, cwd=ROOT, env=clean_environment())


def command_package(arguments: argparse.Namespace) -> int:
    for name in chosen_of(arguments.platform or current_platform(), WHEEL_TAGS):
        for version in chosen_of(arguments.python, BLENDER_PYTHONS):
            package(name, version)
    return 0


def chosen_of(choice: str, known: Mapping[str, object]) -> list[str]:
    """Return the names that a choice stands for: all known ones for `all`, else the choice alone."""
    return list(known) if choice == "all" else [choice]


def command_release(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.out).resolve()
    release(folder, chosen_of(arguments.platform, WHEEL_TAGS), chosen_of(arguments.python, BLENDER_PYTHONS))
    return 0


def command_dev(_arguments: argparse.Namespace) -> int:
    set_up(DEV)
    blenders = set_up_blenders()
    say("dev", "All set. What to do next:")
    print(f"  {DEV.python} -m footfall --help      the command line")
    print("  python build.py test -- tests/core -k bvh    some of the tests; without the rest of the line, all")
    for version, environment in blenders.items():
        print(f"  {environment.python}      import bpy (Blender {version}) and footfall")
    return 0
