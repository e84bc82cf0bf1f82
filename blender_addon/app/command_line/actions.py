"""The actions that a command works on."""

import argparse

from ....core.errors import FootfallError
from ...rig.clips import ArmatureAction, file_actions


def actions_from_options(options: argparse.Namespace) -> dict[str, ArmatureAction | None]:
    """Return the actions that ``--action`` and ``--all`` select, by name; ``None`` if missing or motionless.

    Raises:
        FootfallError: all actions are selected, and there are none.
    """
    known: dict[str, ArmatureAction | None] = {take[1].name_full: take for take in file_actions()}
    if options.all:
        if not known:
            raise FootfallError("No action in this file moves an armature: check that it is the right file")
        return dict(sorted(known.items()))
    return {name: known.get(name) for name in options.action}
