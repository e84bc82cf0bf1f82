"""``doctor``: check whether this machine meets the requirements of training."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

HELP = "Check the computer for training: Python, torch, graphics card, memory, disk, write access"
EXAMPLES = """\
examples:
  python -m footfall doctor
  python -m footfall doctor --python ~/torch/bin/python --runs /fast/runs --json

The exit code is 1 if training cannot work."""

LEVEL_MARKERS = {"fine": "  ", "note": "  ", "warning": "! ", "error": "X "}
"""Prefix of a printed finding, by level."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    own = Path(sys.executable)
    parser.add_argument(
        "--python", type=Path, default=own, metavar="FILE", help="Python for training (default: this one)"
    )
    parser.add_argument(
        "--runs", type=Path, default=Path(), metavar="DIR", help="folder of the training runs (default: this folder)"
    )


def run(options: argparse.Namespace) -> int:
    """Print all findings, the worst first; return 1 if training is impossible."""
    from ..core.jobs.steps import finished
    from ..core.jobs.trainer_setup.doctor import examine, summarize_findings
    from .output import print_result

    findings = finished(examine(options.python.absolute(), options.runs.absolute()))
    works = all(finding.level != "error" for finding in findings)
    if options.json:
        print_result({"can_train": works, "findings": [asdict(finding) for finding in findings]}, options.json)
    else:
        for finding in findings:
            print(f"{LEVEL_MARKERS[finding.level]}{finding.text}")
            if finding.remedy:
                print(f"    {finding.remedy}")
        print(summarize_findings(findings))
    return 0 if works else 1
