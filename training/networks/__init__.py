"""The networks in torch, where they have gradients; ``core/models`` holds their numpy twins for use."""
