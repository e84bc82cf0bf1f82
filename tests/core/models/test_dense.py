"""Dense layers whose weights are written down."""

import numpy as np

from footfall.core.models.dense import Dense, dense_shapes
from footfall.core.models.network import Float32

X = np.array([[1.0], [-3.0]], dtype=np.float32)


def halving_and_negating() -> dict[str, Float32]:
    """Two layers of one unit: the first takes a half and adds one, the second the negative; and another's tensor."""
    values = {
        "a.0.weight": [[0.5]],
        "a.0.bias": [1.0],
        "a.1.weight": [[-1.0]],
        "a.1.bias": [0.0],
        "ab.0.weight": [[9.0]],
    }
    return {name: np.array(value, dtype=np.float32) for name, value in values.items()}


def test_shapes_are_outputs_by_inputs_of_each_layer() -> None:
    assert dense_shapes("gate", (3, 5, 2)) == {
        "gate.0.weight": (5, 3),
        "gate.0.bias": (5,),
        "gate.1.weight": (2, 5),
        "gate.1.bias": (2,),
    }
    assert dense_shapes("none", (3,)) == {}


def test_units_are_exponential_linear_but_for_a_linear_output() -> None:
    """Of 1 and -3 the first layer makes 1.5 and -0.5, which its unit bends to exp(-0.5) - 1."""
    first = np.array([[1.5], [np.expm1(-0.5)]])
    linear, bent = (Dense(halving_and_negating(), "a", linear_output=one)(X.copy()) for one in (True, False))
    np.testing.assert_allclose(linear, -first, rtol=1e-6)
    np.testing.assert_allclose(bent, [[np.expm1(-1.5)], -first[1]], rtol=1e-6)
