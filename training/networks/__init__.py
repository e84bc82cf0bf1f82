"""The networks in torch, for gradients; ``core/models`` holds their numpy counterparts for inference."""
