"""The sample spec of attacks: on the body of the controller that walks to them and away."""

from .manifest import DatasetSettings
from .network_skeleton import NetworkSkeleton
from .shards import SampleSpec, TerrainSettings


def strike_spec(settings: DatasetSettings) -> SampleSpec:
    """Return the sample spec of a data set of attacks, which take place on level ground.

    Args:
        settings: of the data set.
    """
    body = NetworkSkeleton.of_walking()
    return SampleSpec(
        body.skeleton,
        body.joints,
        body.reference_rotations,
        body.hinges,
        settings.mirror,
        settings.speeds,
        settings.bends,
        TerrainSettings(),
        other_targets=settings.other_targets,
    )
