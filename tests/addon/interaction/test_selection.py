"""Which of the selected objects a new task uses."""

import bpy


def test_a_click_on_the_body_chooses_no_object() -> None:
    bpy.ops.footfall.add_character()
    armature = bpy.context.object
    body = next(one for one in armature.children if one.type == "MESH")
    place = bpy.data.objects.new("Place", None)
    bpy.context.collection.objects.link(place)
    bpy.ops.mesh.primitive_cube_add(size=0.44, location=(3.0, 0.0, 0.22))
    seat = bpy.context.object
    for chosen, expected in ((seat, ("sit", seat, None)), (place, ("walk", None, place))):
        for one in bpy.context.view_layer.objects:
            one.select_set(one in (chosen, body))
        bpy.context.view_layer.objects.active = body
        bpy.ops.footfall.add_interaction_task()
        task = armature.footfall.interaction_tasks[armature.footfall.active_interaction_task]
        assert (task.type, task.object, task.target) == expected
