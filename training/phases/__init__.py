"""Phase vectors as inputs and outputs of networks, and the periodic autoencoder."""
