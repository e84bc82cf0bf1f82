"""Operators on the run that is marked in the list of runs."""

import bpy

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ..ui.preferences import runs_folder


class ActiveRunOperator:
    """A mix-in for operators on the marked run."""

    @staticmethod
    def active_run(context: bpy.types.Context) -> bpy.types.PropertyGroup | None:
        """Return the marked run."""
        session = context.window_manager.footfall
        return (
            session.training_runs[session.active_training_run]
            if session.active_training_run < len(session.training_runs)
            else None
        )

    @classmethod
    def run_folder(cls, context: bpy.types.Context) -> RunFolder:
        """Return the marked run's folder; raises :class:`FootfallError` where there is none."""
        item = cls.active_run(context)
        if item is None:
            raise FootfallError("No training run is marked: mark one in the list.")
        return RunFolder(runs_folder() / item.name)

    @classmethod
    def why_no_controller(cls, context: bpy.types.Context) -> str | None:
        """Return why the marked run has no controller to give; ``None`` where it has one."""
        item = cls.active_run(context)
        if item is None:
            return "There is no run yet: train a controller"
        return None if item.has_network else "It has no network yet: wait for the end of its first epoch"
