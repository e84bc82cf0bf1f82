"""Actions and keyframes: reading and writing of F-Curves, rig controls, NLA layers and the output of a bake."""
