"""The add-on as a whole: settings, menus, preferences and the command line of Blender."""
