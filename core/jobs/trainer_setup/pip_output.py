"""The output of pip, parsed for progress and for the cause of a failure."""

import re
from pathlib import Path
from typing import Final

from ...message import Message
from .recipe import EnvironmentRecipe

DOWNLOAD_PROGRESS_SHARE: Final = 0.85
"""Share of the installation after which pip only unpacks."""


def pip_progress(output: str, expected: int) -> tuple[float, str]:
    r"""Return the progress of pip, 0 to 1, and a description of its current activity, parsed from its output.

    Args:
        output: pip's output so far.
        expected: approximate number of packages.

    >>> pip_progress("Collecting torch\n  Downloading torch-2.13.0-cp313.whl (900.0 MB)\nProgress 45 of 90\n", 10)
    (0.0425, 'Downloading torch-2.13.0 (450 of 900 MB)')
    """
    packages, doing, inside, size = 0, Message("Looking for packages"), 0.0, None
    for line in output.splitlines():
        words = line.split()
        if line.startswith(("Collecting ", "Processing ")):
            packages, inside, size = packages + 1, 0.0, None
            name = re.split("[<>=!~; ]", words[1])[0] if words[0] == "Collecting" else _wheel_name(words[1])
            doing = Message("Looking for {package}", package=name)
        elif line.startswith("Installing collected packages"):
            return DOWNLOAD_PROGRESS_SHARE, Message("Unpacking {count} packages", count=line.count(",") + 1)
        elif line.startswith("Progress ") and len(words) == 4 and words[1].isdigit() and words[3].isdigit():
            inside = int(words[1]) / max(int(words[3]), 1)
        elif words[:1] == ["Downloading"] and ".metadata" not in line:
            inside, doing = 0.0, Message("Downloading {package}", package=_wheel_name(words[1]))
            size = re.search(r"\(([\d.]+) ([kMG]B)\)", line)
    if size:
        whole, unit = float(size[1]), size[2]
        done, fields = f"{inside * whole:.0f}", {"activity": doing, "size": f"{whole:.0f}", "unit": unit}
        doing = (
            Message("{activity} ({done} of {size} {unit})", done=done, **fields)
            if inside
            else Message("{activity} ({size} {unit})", **fields)
        )
    share = (packages - 1 + inside) / max(expected, packages + 1) if packages else 0.0
    return DOWNLOAD_PROGRESS_SHARE * share if share > 0 else 0.0, doing


def _wheel_name(path: str) -> str:
    """Return the name and version in a wheel's path or address."""
    return "-".join(path.replace("\\", "/").rpartition("/")[2].split("-")[:2])


def pip_failure_message(output: str, recipe: EnvironmentRecipe, folder: Path) -> str:
    """Return a sentence with the cause of a failed installation, parsed from pip's output, and a remedy."""
    # If only versions other than the pinned one are available, pip reports a conflict with the constraint.
    wanted = re.findall(r"(?:No matching distribution found for|The user requested \(constraint\)) (.+)", output)
    if "No space left on device" in output or "Errno 28" in output:
        return Message("The disk of '{folder}' is full: free space and install the environment again", folder=folder)
    if wanted and recipe.wheels is not None:
        return Message(
            "The folder '{wheels}' has no wheel of {package} for '{python}': add the wheel, or choose the "
            "Python for which the wheels were made",
            wheels=recipe.wheels,
            package=wanted[0].strip(),
            python=recipe.python,
        )
    network = ("Failed to establish a new connection", "Temporary failure in name resolution", "getaddrinfo failed")
    if any(words in output for words in (*network, "timed out", "SSLError", "ProxyError", "Could not fetch URL")):
        return Message(
            "The package index cannot be reached: check the network, choose another index, or choose a folder of wheels"
        )
    if wanted:
        return Message(
            "The package index has no {package} for '{python}' on this system: choose another Python (3.11 to "
            "3.13), or another index",
            package=wanted[0].strip(),
            python=recipe.python,
        )
    errors = [line.removeprefix("ERROR:").strip() for line in output.splitlines() if line.startswith("ERROR:")]
    return Message(
        "pip could not install everything ({error}): see the log in '{folder}'",
        error=errors[-1] if errors else last_line(output),
        folder=folder,
    )


def last_line(output: str) -> str:
    """Return the last line of a program's output that is not blank."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else Message("the program printed nothing")
