"""The Python for training: its recipe, its installation, its report, and checks of the machine."""
