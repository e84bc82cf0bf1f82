"""The Python that trains: its recipe, its installation, its report, and checks of the machine."""
