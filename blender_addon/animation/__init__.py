"""Actions and keyframes: reading and writing F-Curves, the rig's controls, NLA layers and the output of a bake."""
