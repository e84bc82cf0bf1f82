"""Registration of all classes and handlers in one order, and unregistration in the reverse order."""

import time
import traceback

import bpy
from bpy.app.handlers import persistent

from .activities.drive import keys as drive_keys
from .activities.drive import operators as drive_operators
from .activities.interaction import fit_operators
from .activities.interaction import operators as interaction_operators
from .activities.interaction import overlay as contact_overlay
from .activities.interaction import panel as interaction_panel
from .activities.interaction import properties as tasks
from .activities.interaction.preview import operators as interaction_preview
from .activities.shot import operators as shot_operators
from .activities.shot import overlay as shot_overlay
from .activities.shot import panel as shot_panel
from .activities.shot import timeline as shot_timeline
from .activities.strike import presets as strike_presets
from .activities.strike import target_picking
from .activities.walk import (
    crowd_operators,
    option_panels,
    path_event_operators,
    path_event_panel,
    path_event_properties,
    retarget_panel,
    waypoint_operators,
    waypoint_properties,
)
from .activities.walk import operators as direct_operators
from .activities.walk import presets as direct_presets
from .activities.walk.live_preview import operators as live_preview
from .activities.walk.retarget_operators import FOOTFALL_OT_retarget_motion
from .animation import operators as animation_operators
from .animation.layers.bake_record import FOOTFALL_PG_bake_record
from .animation.output_settings import FOOTFALL_PG_output
from .app import command_line, menus, override_text, preferences_operators
from .app.settings import (
    FOOTFALL_PG_character,
    FOOTFALL_PG_session,
    FOOTFALL_PG_setup_finding,
    FOOTFALL_PG_training_run,
    FOOTFALL_PG_training_source,
)
from .label import (
    ball_operators,
    batch_operators,
    edit_operators,
    overlay,
    root_operators,
    stance_operators,
    strip,
    upright,
    watch,
)
from .label import operators as label_operators
from .label import panel as label_panel
from .label import presets as label_presets
from .label import store as label_store
from .label.terrain import operators as terrain_operators
from .label.terrain import panel as terrain_panel
from .rig import operators as rig_operators
from .rig import panel as rig_panel
from .rig import preset_operators as rig_preset_operators
from .rig import properties as rig_properties
from .rig import validation_overlay
from .scene import door_openings, ground_overlay, ground_tags, path_operators
from .scene import operators as ground_operators
from .scene import panel as ground_panel
from .scene.properties import FOOTFALL_PG_ground
from .shot import quality_operators, quality_panel, rollout_cache, staleness
from .shot.inserts import operators as insert_operators
from .shot.inserts import panel as insert_panel
from .shot.inserts import properties as insert_properties
from .shot.key_poses import operators as key_pose_operators
from .shot.key_poses import overlay as key_pose_overlay
from .shot.key_poses import panel as key_pose_panel
from .shot.key_poses import properties as key_pose_properties
from .shot.steps import operators as step_operators
from .shot.steps import panel as step_panel
from .shot.steps import properties as step_properties
from .shot.takes import operators as take_operators
from .shot.takes import overlay as take_overlay
from .shot.takes import properties as take_properties
from .train import (
    clip_operators,
    environment_operators,
    environment_settings,
    environment_setup,
    generator_operators,
    generator_panel,
    plot,
    runs,
)
from .train import operators as train_operators
from .train import panel as train_panel
from .train.coverage import FOOTFALL_PG_coverage_row
from .train.preview import operators as run_preview
from .train.properties import FOOTFALL_PG_clip, FOOTFALL_PG_clip_folder, FOOTFALL_PG_training
from .ui import hidden_bodies, manual_links, memo, motion_capture_panel, translations
from .ui.preferences import FOOTFALL_preferences, more_preferences

# Panels come after their parents, in their order there.
PANELS = (
    shot_panel.FOOTFALL_PT_shot,
    *path_event_panel.CLASSES,
    *ground_panel.CLASSES,
    *option_panels.CLASSES,
    *key_pose_panel.CLASSES,
    *step_panel.CLASSES,
    *insert_panel.CLASSES,
    shot_panel.FOOTFALL_PT_takes,
    *quality_panel.CLASSES,
    shot_panel.FOOTFALL_PT_more,
    *interaction_panel.CLASSES,
    *rig_panel.CLASSES,
    *retarget_panel.CLASSES,
    *motion_capture_panel.CLASSES,
    *label_panel.CLASSES,
    *train_panel.CLASSES,
    *terrain_panel.CLASSES,
    *generator_panel.CLASSES,
)
# Property groups come before the groups that contain them.
CLASSES = (
    *label_store.CLASSES,
    *label_presets.CLASSES,
    FOOTFALL_PG_clip,
    FOOTFALL_PG_clip_folder,
    FOOTFALL_PG_training,
    *rig_properties.CLASSES,
    *tasks.CLASSES,
    *path_event_properties.CLASSES,
    *waypoint_properties.CLASSES,
    *key_pose_properties.CLASSES,
    *insert_properties.CLASSES,
    *step_properties.CLASSES,
    *take_properties.CLASSES,
    FOOTFALL_PG_bake_record,
    FOOTFALL_PG_output,
    FOOTFALL_PG_ground,
    FOOTFALL_PG_character,
    FOOTFALL_PG_training_run,
    FOOTFALL_PG_training_source,
    FOOTFALL_PG_coverage_row,
    FOOTFALL_PG_setup_finding,
    FOOTFALL_PG_session,
    FOOTFALL_preferences,
    *label_operators.CLASSES,
    *ball_operators.CLASSES,
    *edit_operators.CLASSES,
    *batch_operators.CLASSES,
    *ground_operators.CLASSES,
    *terrain_operators.CLASSES,
    *rig_operators.CLASSES,
    *rig_preset_operators.CLASSES,
    *clip_operators.CLASSES,
    *environment_operators.CLASSES,
    *train_operators.CLASSES,
    *generator_operators.CLASSES,
    *run_preview.CLASSES,
    *interaction_operators.CLASSES,
    *interaction_preview.CLASSES,
    *fit_operators.CLASSES,
    *target_picking.CLASSES,
    *strike_presets.CLASSES,
    *direct_operators.CLASSES,
    *shot_operators.CLASSES,
    *shot_timeline.CLASSES,
    *drive_keys.CLASSES,
    *drive_operators.CLASSES,
    FOOTFALL_OT_retarget_motion,
    *animation_operators.CLASSES,
    *manual_links.CLASSES,
    *preferences_operators.CLASSES,
    *direct_presets.CLASSES,
    *crowd_operators.CLASSES,
    *path_operators.CLASSES,
    *path_event_operators.CLASSES,
    *waypoint_operators.CLASSES,
    *key_pose_operators.CLASSES,
    *insert_operators.CLASSES,
    *step_operators.CLASSES,
    *take_operators.CLASSES,
    *quality_operators.CLASSES,
    *root_operators.CLASSES,
    *stance_operators.CLASSES,
    *upright.CLASSES,
    *menus.CLASSES,
    *PANELS,
)
OWNER_PROPERTY_GROUPS = (
    (bpy.types.Action, label_store.FOOTFALL_PG_labels),
    (bpy.types.Object, FOOTFALL_PG_character),
    (bpy.types.Scene, FOOTFALL_PG_training),
    (bpy.types.WindowManager, FOOTFALL_PG_session),
)
FIRST_POLL_S = 0.5


def _poll_runs() -> float:
    try:
        return runs.poll_runs(time.time())
    except Exception:  # Blender drops a timer that raises, which would end the monitoring of runs.
        traceback.print_exc()
        return runs.IDLE_POLL_S


@persistent
def _refresh_after_load(_path: str) -> None:
    """Read the run folders again after loading a file, since its window manager is empty and its characters differ."""
    rollout_cache.clear()
    live_preview.stop_live_preview()
    runs.poll_runs(time.time())


def register() -> None:
    """Register Footfall with Blender."""
    translations.register()
    memo.register()
    hidden_bodies.register()
    more_preferences.append(environment_settings.draw_trainer)
    more_preferences.append(drive_keys.draw_keys)
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for owner, group in OWNER_PROPERTY_GROUPS:
        owner.footfall = bpy.props.PointerProperty(type=group, override={"LIBRARY_OVERRIDABLE"})
    bpy.app.handlers.load_post.append(_refresh_after_load)
    bpy.app.timers.register(_poll_runs, first_interval=FIRST_POLL_S, persistent=True)
    watch.register()
    overlay.register()
    strip.register()
    validation_overlay.register()
    ground_tags.register()
    door_openings.register()
    ground_overlay.register()
    staleness.register()
    contact_overlay.register()
    key_pose_overlay.register()
    take_overlay.register()
    shot_timeline.register()
    shot_overlay.register()
    drive_keys.register()
    plot.register()
    ground_operators.register()
    override_text.register()
    menus.register()
    manual_links.register()
    command_line.register()


def unregister() -> None:
    """Undo :func:`register`; training runs continue."""
    rollout_cache.clear()
    live_preview.stop_live_preview()
    command_line.unregister()
    manual_links.unregister()
    menus.unregister()
    override_text.unregister()
    ground_operators.unregister()
    run_preview.stop_preview()
    interaction_preview.stop_preview()
    environment_setup.stop_install()
    plot.unregister()
    drive_operators.stop_drive()
    drive_keys.unregister()
    shot_overlay.unregister()
    shot_timeline.unregister()
    take_overlay.unregister()
    key_pose_overlay.unregister()
    contact_overlay.unregister()
    staleness.unregister()
    ground_overlay.unregister()
    door_openings.unregister()
    ground_tags.unregister()
    validation_overlay.unregister()
    strip.unregister()
    overlay.unregister()
    watch.unregister()
    if bpy.app.timers.is_registered(_poll_runs):
        bpy.app.timers.unregister(_poll_runs)
    bpy.app.handlers.load_post.remove(_refresh_after_load)
    for owner, _ in reversed(OWNER_PROPERTY_GROUPS):
        del owner.footfall
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    more_preferences.remove(drive_keys.draw_keys)
    more_preferences.remove(environment_settings.draw_trainer)
    hidden_bodies.unregister()
    memo.unregister()
    translations.unregister()
