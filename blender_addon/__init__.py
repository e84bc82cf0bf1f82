"""All that touches Blender: registered in one order, unregistered in the reverse."""

import time

import bpy
from bpy.app.handlers import persistent

from . import (
    command_line,
    contact_overlay,
    cue_settings,
    direct_presets,
    errand_settings,
    ground_choice,
    ground_overlay,
    ground_tags,
    help_links,
    kept_walks,
    label_overlay,
    label_store,
    label_strip,
    label_watch,
    labelling_presets,
    mark_settings,
    menus,
    operators_clips,
    operators_crowd,
    operators_cues,
    operators_errands,
    operators_fit,
    operators_ground,
    operators_label,
    operators_label_batch,
    operators_label_edit,
    operators_marks,
    operators_path,
    operators_preferences,
    operators_report,
    operators_rig,
    operators_rig_presets,
    operators_root,
    operators_terrain,
    operators_train,
    operators_trainer,
    override_text,
    panel_cues,
    panel_errands,
    panel_ground,
    panel_label,
    panel_report,
    panel_rig,
    panel_train,
    panel_trainer,
    rig_overlay,
    rig_settings,
    runs,
    trainer_making,
    training_plot,
    translations,
)
from .data_contents import FOOTFALL_PG_content
from .errand_preview import operator as errand_preview
from .ground_settings import FOOTFALL_PG_ground
from .layers.bake_record import FOOTFALL_PG_bake
from .live_preview import switch as live_preview
from .operators_direct import FOOTFALL_OT_add_character, FOOTFALL_OT_bake_again, FOOTFALL_OT_bake_path
from .operators_layers import FOOTFALL_OT_revert_bake
from .operators_retarget import FOOTFALL_OT_retarget
from .output_settings import FOOTFALL_PG_output
from .panels import FOOTFALL_PT_direct
from .preferences import FOOTFALL_preferences
from .run_preview import operator as run_preview
from .settings import (
    FOOTFALL_PG_character,
    FOOTFALL_PG_clip,
    FOOTFALL_PG_clip_folder,
    FOOTFALL_PG_finding,
    FOOTFALL_PG_run,
    FOOTFALL_PG_session,
    FOOTFALL_PG_source,
    FOOTFALL_PG_training,
)

# Property groups come before those that hold them.
CLASSES = (
    *label_store.CLASSES,
    *labelling_presets.CLASSES,
    FOOTFALL_PG_clip,
    FOOTFALL_PG_clip_folder,
    FOOTFALL_PG_training,
    *rig_settings.CLASSES,
    *errand_settings.CLASSES,
    *cue_settings.CLASSES,
    *mark_settings.CLASSES,
    FOOTFALL_PG_bake,
    FOOTFALL_PG_output,
    FOOTFALL_PG_ground,
    FOOTFALL_PG_character,
    FOOTFALL_PG_run,
    FOOTFALL_PG_source,
    FOOTFALL_PG_content,
    FOOTFALL_PG_finding,
    FOOTFALL_PG_session,
    FOOTFALL_preferences,
    *operators_label.CLASSES,
    *operators_label_edit.CLASSES,
    *operators_label_batch.CLASSES,
    *operators_ground.CLASSES,
    *operators_terrain.CLASSES,
    *operators_rig.CLASSES,
    *operators_rig_presets.CLASSES,
    *operators_clips.CLASSES,
    *operators_trainer.CLASSES,
    *operators_train.CLASSES,
    *run_preview.CLASSES,
    *operators_errands.CLASSES,
    *errand_preview.CLASSES,
    *operators_fit.CLASSES,
    FOOTFALL_OT_add_character,
    FOOTFALL_OT_bake_path,
    FOOTFALL_OT_bake_again,
    FOOTFALL_OT_retarget,
    FOOTFALL_OT_revert_bake,
    *help_links.CLASSES,
    *operators_preferences.CLASSES,
    *direct_presets.CLASSES,
    FOOTFALL_PT_direct,
    *operators_crowd.CLASSES,
    *operators_path.CLASSES,
    *operators_cues.CLASSES,
    *operators_marks.CLASSES,
    *panel_cues.CLASSES,
    *operators_report.CLASSES,
    *operators_root.CLASSES,
    *panel_report.CLASSES,
    *panel_ground.CLASSES,
    *panel_errands.CLASSES,
    *panel_rig.CLASSES,
    *panel_label.CLASSES,
    *panel_train.CLASSES,
    *panel_trainer.CLASSES,
    *menus.CLASSES,
)
PROPERTIES = (
    (bpy.types.Action, label_store.FOOTFALL_PG_labels),
    (bpy.types.Object, FOOTFALL_PG_character),
    (bpy.types.Scene, FOOTFALL_PG_training),
    (bpy.types.WindowManager, FOOTFALL_PG_session),
)
FIRST_POLL_SECONDS = 0.5


def _watch_runs() -> float:
    return runs.poll_runs(time.time())


@persistent
def _show_runs_again(_path: str) -> None:
    """A loaded file brings an empty window manager and other characters: read the runs' folders again."""
    kept_walks.forget()
    live_preview.end()
    runs.poll_runs(time.time())


def register() -> None:
    """Makes Footfall known to Blender."""
    translations.register()
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for owner, group in PROPERTIES:
        owner.footfall = bpy.props.PointerProperty(type=group, override={"LIBRARY_OVERRIDABLE"})
    bpy.app.handlers.load_post.append(_show_runs_again)
    bpy.app.timers.register(_watch_runs, first_interval=FIRST_POLL_SECONDS, persistent=True)
    label_watch.register()
    label_overlay.register()
    label_strip.register()
    rig_overlay.register()
    ground_tags.register()
    ground_choice.register()
    ground_overlay.register()
    contact_overlay.register()
    training_plot.register()
    operators_ground.register()
    override_text.register()
    menus.register()
    help_links.register()
    command_line.register()


def unregister() -> None:
    """Takes everything back that :func:`register` did; training runs go on."""
    kept_walks.forget()
    live_preview.end()
    command_line.unregister()
    help_links.unregister()
    menus.unregister()
    override_text.unregister()
    operators_ground.unregister()
    run_preview.end_showing()
    errand_preview.end_showing()
    trainer_making.stop()
    training_plot.unregister()
    contact_overlay.unregister()
    ground_overlay.unregister()
    ground_choice.unregister()
    ground_tags.unregister()
    rig_overlay.unregister()
    label_strip.unregister()
    label_overlay.unregister()
    label_watch.unregister()
    if bpy.app.timers.is_registered(_watch_runs):
        bpy.app.timers.unregister(_watch_runs)
    bpy.app.handlers.load_post.remove(_show_runs_again)
    for owner, _ in reversed(PROPERTIES):
        del owner.footfall
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    translations.unregister()
