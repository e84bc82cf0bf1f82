"""Forward passes of the trained networks in numpy, one module per family, and the file that a controller lives in."""
