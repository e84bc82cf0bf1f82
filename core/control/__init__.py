"""From a request to finished motion: paths, roll-outs of networks, foot locks, interactions, duels and shots."""
