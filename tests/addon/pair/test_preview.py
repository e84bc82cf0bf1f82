"""The live preview of a pair: it shows what would be baked, anew after changes; its headline tells refusals."""

import bpy
import numpy as np

from footfall.blender_addon.activities.pair.preview import PairPreview
from footfall.tests.addon.support.scenes import add_curve

LINE = [(0.0, 0.0, 0.2), (0.6, 0.0, 0.2)]


def add_person(controller: str = "preset:locomotion_small") -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller=controller) == {"FINISHED"}
    return bpy.context.object


def add_pair(relation: str) -> tuple[bpy.types.Object, bpy.types.Object]:
    """An active character, and its partner."""
    partner, armature = add_person(), add_person()
    armature.footfall.partner.character, armature.footfall.partner.relation = partner, relation
    return armature, partner


def seen_whole(preview: PairPreview) -> None:
    preview.tick()
    while preview.shown is not None and preview.shown.motion.advance(60):
        pass


def lowest_and_middle(preview: PairPreview) -> list[tuple[float, np.ndarray]]:
    return [(vertices[:, 2].min(), vertices.mean(axis=0)) for vertices, _ in preview.bodies(bpy.context.scene)]


def test_both_dancers_are_shown_on_the_ground_of_their_path() -> None:
    armature, _ = add_pair("DANCE")
    preview = PairPreview(armature)
    preview.tick()
    assert "has no path" in preview.error or "Choose a path" in preview.error
    armature.footfall.path = add_curve("POLY", LINE)
    preview.note_changes(bpy.context.evaluated_depsgraph_get())
    preview.may_have_changed = True
    seen_whole(preview)
    assert not preview.error and preview.shown is not None
    bodies = lowest_and_middle(preview)
    assert len(bodies) == 2
    for lowest, middle in bodies:
        assert abs(lowest - LINE[0][2]) < 0.06 and np.linalg.norm(middle[:2]) < 1.3


def test_who_answers_is_shown_at_the_scene_s_frame_and_anew_after_a_change() -> None:
    armature, partner = add_pair("FACE")
    partner.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.2), (2.0, 0.0, 0.2)])
    bpy.context.view_layer.objects.active = partner
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    preview = PairPreview(armature)
    distances = []
    for distance in (1.2, 2.0):
        armature.footfall.partner.distance = distance
        preview.may_have_changed = True
        seen_whole(preview)
        bpy.context.scene.frame_set(20)
        ((_, middle),) = lowest_and_middle(preview)
        distances.append(np.linalg.norm((middle - np.array(partner.pose.bones[0].head))[:2]))
    assert 0.6 < distances[1] - distances[0] < 1.0
