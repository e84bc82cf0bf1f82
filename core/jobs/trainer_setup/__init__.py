"""The Python that trains: what it is made of, making it, asking it, and what a machine lacks."""
