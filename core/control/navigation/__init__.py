"""Navigation among obstacles: path repair, cost-to-go fields, corridors and approach poses."""
