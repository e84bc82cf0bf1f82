"""How well an armature's rig map fits the chosen controller: degrees by role, and a sentence."""

import bpy

from ..core.errors import FootfallError
from ..core.retarget.calibration import BAD_RESIDUAL, Calibration
from . import controllers, rig_roles, rig_store

UNKNOWN = -1.0


def controller_key(armature: bpy.types.Object) -> str:
    """Which controller is chosen for an armature, as text to compare."""
    settings = armature.footfall
    return f"{settings.controller}|{settings.controller_file}"


def measure(armature: bpy.types.Object) -> Calibration:
    """The calibration against the chosen controller's skeleton.

    Raises:
        FootfallError: there is no such controller, or the map lacks what walking needs.
    """
    settings = armature.footfall
    _, model = controllers.load(settings.controller, settings.controller_file)
    return rig_store.calibration_of(armature, model.skeleton)


def keep(armature: bpy.types.Object, calibration: Calibration) -> str:
    """Keeps what a check found with the map; returns its sentence."""
    rig = armature.footfall.rig
    for row in rig.roles:
        row.residual = calibration.residuals.get(row.name, UNKNOWN)
    rig.checked = controller_key(armature)
    bad = calibration.bad()
    rig.fits = not bad
    rig.verdict = (
        _bad_sentence(calibration, bad) if bad else f"Fits: no bone is more than {calibration.worst:.0f}° off."
    )
    return rig.verdict


def _bad_sentence(calibration: Calibration, bad: tuple[str, ...]) -> str:
    worst = rig_roles.in_sentence(bad[0])
    others = {1: "", 2: " and another bone"}.get(len(bad), f" and {len(bad) - 1} more bones")
    return (
        f"{worst.capitalize()} is {calibration.residuals[bad[0]]:.0f}° off{others}: "
        "choose another bone, or another calibration."
    )


def recheck(armature: bpy.types.Object) -> None:
    """Checks again after a change; what cannot be checked is told in the panel."""
    rig = armature.footfall.rig
    try:
        keep(armature, measure(armature))
    except FootfallError as error:
        for row in rig.roles:
            row.residual = UNKNOWN
        rig.checked, rig.fits, rig.verdict = "", False, str(error)


def is_bad(row: bpy.types.PropertyGroup) -> bool:
    """Whether a role's bone points too far off."""
    return row.residual > BAD_RESIDUAL
