"""Group-averaged normalisation against numpy on all rows at once."""

import numpy as np

from footfall.core.features.layout import Group, Layout
from footfall.training.data.normalization import group_deviation, mean_and_deviation


def test_moments_of_parts_are_moments_of_the_whole():
    rows = np.random.default_rng(0).normal(50.0, [0.1, 3.0], (1000, 2)).astype(np.float32)
    mean, deviation = mean_and_deviation([rows[:10], rows[10:10], rows[10:700], rows[700:]])
    np.testing.assert_allclose(mean, rows.astype(float).mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(deviation, rows.astype(float).std(axis=0), rtol=1e-9)


def test_a_groups_deviation_is_its_mean_one_divided_by_its_weight():
    layout = Layout(
        (Group("a", (2,), "m", "root"), Group("flat", (2,), "m", "root"), Group("joint", (1,), "m", "root"))
    )
    deviation = group_deviation(layout, np.array([1.0, 3.0, 0.0, 0.0, 5.0]), ["joint"], 0.1)
    np.testing.assert_allclose(deviation, [2.0, 2.0, 1.0, 1.0, 50.0])


def test_a_gait_that_hardly_occurs_is_not_blown_up():
    layout = Layout((Group("trajectory.gait", (2,), "1", "none"), Group("root.angular_velocity", (1,), "rad/s", "up")))
    np.testing.assert_allclose(group_deviation(layout, np.array([0.002, 0.004, 0.003])), [0.1, 0.1, 0.003])
