"""Forward passes of the trained networks in numpy, one module per family, and the controller's file."""
