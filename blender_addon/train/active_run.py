"""Base of the operators on the active run of the list."""

import bpy

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ..ui.preferences import runs_folder


class ActiveRunOperator:
    """A mix-in for operators that work on the active run."""

    @staticmethod
    def active_run(context: bpy.types.Context) -> bpy.types.PropertyGroup | None:
        session = context.window_manager.footfall
        return (
            session.training_runs[session.active_training_run]
            if session.active_training_run < len(session.training_runs)
            else None
        )

    @classmethod
    def run_folder(cls, context: bpy.types.Context) -> RunFolder:
        """Return the folder of the active run; raise :class:`FootfallError` if no run is active."""
        item = cls.active_run(context)
        if item is None:
            raise FootfallError("No training run is selected: select one in the list")
        return RunFolder(runs_folder() / item.name)

    @classmethod
    def why_no_controller(cls, context: bpy.types.Context) -> str | None:
        """Return the reason why the active run has no controller to export; ``None`` if it has one."""
        item = cls.active_run(context)
        if item is None:
            return "There is no training run yet: train a controller"
        return (
            None if item.has_network else "The training run has no network yet: wait until it has saved its first one"
        )
