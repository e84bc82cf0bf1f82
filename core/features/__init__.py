"""Network inputs and outputs as named layouts, and how labeled clips become them."""
