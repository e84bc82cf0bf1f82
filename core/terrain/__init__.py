"""Ground that is not level: heightfields, patches of it, and fitting them to motion."""
