"""Names of people in an FBX file, whatever the scene of the user holds."""

from footfall.blender_addon.rig.fbx_names import own_names


def test_numbers_of_blender_are_taken_back() -> None:
    assert own_names(["Ann", "Bob"], ["Ann", "Bob", "Hips"]) == {"Ann": "Ann", "Bob": "Bob"}
    assert own_names(["Ann.001"], ["Ann"]) == {"Ann.001": "Ann"}
    assert own_names(["Rig.004", "Rig.002"], ["Rig", "Rig.001"]) == {"Rig.002": "Rig", "Rig.004": "Rig.001"}
    assert own_names(["Rig.001", "Rig"], ["Rig.001", "Rig"]) == {"Rig": "Rig", "Rig.001": "Rig.001"}
    assert own_names(["Rig.002"], ["Rig", "Rig.001"]) == {"Rig.002": "Rig.002"}, "which one it is is not known"
