"""Meshes as cuboids, and the sensors of characters: milliseconds, compared with equivalent plain loops."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ..core.motion.root_frame import into_frame, out_of_frame
from ..core.motion.rotations import Array, rotate, rotation_about_up
from ..core.scene import environment_sensor
from ..core.scene.collider import VOXEL_SIZE_RANGE_M, VOXELS_PER_LENGTH, Collider, ColliderCache
from ..core.scene.collider_pose import PosedCollider
from ..core.scene.environment_sensor import SPHERE_RADIUS_M, sense_environment
from ..core.scene.interaction_sensor import CELL_COUNT, InteractionVolume
from ..core.scene.mesh_files import read_mesh_file
from ..core.scene.voxels import Triangles, Voxels, voxelise
from ..training.interactions.props.mesh_primitives import Mesh
from .inference import reading_milliseconds
from .setup import Setup
from .stopwatch import median_seconds
from .tables import Part, table
from .unseen import life_size

TITLE = "Objects as cuboids, and sensors"
CHAIRS: Final = {"kenney_chair": 0.9, "kenney_desk_chairStool": 0.5, "kenney_chairRounded": 0.85}
"""Chairs and their heights, meters: few cuboids, many, and some."""
TRIANGLES: Final = 50_000
POINTS: Final = 200_000
"""Number of surface points tested for being in the collider."""
EVERY: Final = 100
"""Interval of the triangles processed by the plain loop."""
CUBOIDS: Final = 200
CROWD: Final = 32
PASSES: Final = 200
LOOPS: Final = 10
REACH_COLLIDER: Final = 300
REACH_SENSOR: Final = 0.5

NOTES = f"""\
Chairs of ../shared/data/objects, of a size that people use, their largest triangles cut in four until there are
{TRIANGLES}. *Again*: the same mesh once more through the cache, of which almost all is the digest."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    objects = setup.data.parent / "objects" / "chairs"
    colliders = table(
        ["chair", "triangles", "ms", "bound ms", "again ms", "loop", "cuboids", "voxel mm", "off mm", "solid", "alike"],
        [collider_row(objects / f"{name}.glb", height) for name, height in CHAIRS.items()],
    )
    sensors = table(
        ["sensor", "characters", "ms a frame", "ms a character", "bound ms", "loop", "off"], sensor_rows(about(objects))
    )
    return [colliders, sensors, NOTES]


# Colliders.


def collider_row(path: Path, height: float) -> list[object]:
    """Return the row of one chair."""
    vertices, triangles = divided(life_size(read_mesh_file(path), height), TRIANGLES)
    size = float(np.clip(np.ptp(vertices, axis=0).max() / VOXELS_PER_LENGTH, *VOXEL_SIZE_RANGE_M))
    collider, voxels = Collider.from_mesh(vertices, triangles), voxelise(vertices, triangles, size)
    seconds = median_seconds(lambda: Collider.from_mesh(vertices, triangles), 5)
    cache = ColliderCache()
    again = median_seconds(lambda: cache.from_mesh(vertices, triangles), 10)
    some = triangles[::EVERY]
    loop = len(triangles) / len(some) * median_seconds(lambda: one_by_one(vertices, some, size), 3)
    megabytes = vertices[triangles].nbytes / 1e6
    off = 0.0
    for points in np.array_split(np.concatenate([vertices, sampled((vertices, triangles), POINTS)]), 50):
        off = max(off, float(collider.distances(points).max()))
    order = np.random.default_rng(0).permutation(len(triangles))
    alike = same(collider, Collider.from_mesh(vertices, triangles)) and same(
        collider, Collider.from_mesh(vertices, triangles[order])
    )
    return [
        *(path.stem, len(triangles), 1000 * seconds, reading_milliseconds(megabytes, megabytes), 1000 * again),
        *(loop / seconds, len(collider.lower), 1000 * size, 1000 * off),
        *("yes" if right else "no" for right in (fills(collider, voxels), alike)),
    ]


def divided(mesh: Mesh, least: int) -> Mesh:
    """Return the same surface with a least number of triangles: the largest are repeatedly split in four."""
    vertices, triangles = mesh
    while (missing := least - len(triangles)) > 0:
        corners = vertices[triangles]
        areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1)
        order = np.argsort(-areas, kind="stable")
        cut = triangles[order[: -(-missing // 3)]]
        kept = triangles[order[len(cut) :]]
        middles = (vertices[cut] + vertices[np.roll(cut, -1, axis=1)]) / 2
        a, b, c = cut.T
        ab, bc, ca = (np.arange(3 * len(cut)).reshape(-1, 3) + len(vertices)).T
        vertices = np.concatenate([vertices, middles.reshape(-1, 3)])
        quarters = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
        triangles = np.concatenate([kept, *(np.column_stack(three) for three in quarters)])
    return vertices, triangles


def sampled(mesh: Mesh, count: int) -> Array:
    """Return points (N, 3) uniformly distributed over a surface."""
    generator = np.random.default_rng(0)
    corners = mesh[0][mesh[1]]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1)
    chosen = generator.choice(len(corners), count, p=areas / areas.sum())
    shares = generator.dirichlet([1, 1, 1], count)
    return np.einsum("nk,nkx->nx", shares, corners[chosen])


def fills(collider: Collider, voxels: Voxels) -> bool:
    """Return whether a collider's cuboids cover exactly the solid voxels, each voxel once."""
    counts = np.zeros(voxels.solid.shape, dtype=int)
    edges = [(corner - voxels.origin) / voxels.size for corner in (collider.lower, collider.upper)]
    first, last = (np.round(edge).astype(int) for edge in edges)
    for low, high in zip(first, last, strict=True):
        counts[low[0] : high[0], low[1] : high[1], low[2] : high[2]] += 1
    between = max(float(np.abs(edge - whole).max()) for edge, whole in zip(edges, (first, last), strict=True))
    return between < 1e-6 and bool((counts == voxels.solid).all())


def same(one: Collider, other: Collider) -> bool:
    """Return whether two colliders are bitwise identical."""
    return np.array_equal(one.lower, other.lower) and np.array_equal(one.upper, other.upper)


def one_by_one(vertices: Array, triangles: Triangles, size: float) -> None:
    """Voxelize triangles in a plain loop."""
    for corners in vertices[triangles]:
        voxelise(corners, np.array([[0, 1, 2]]), size)


# Sensors.


def about(objects: Path) -> list[PosedCollider]:
    """Return chairs around the origin, at most 1.2 m away, cut to :data:`CUBOIDS` cuboids in total."""
    generator = np.random.default_rng(0)
    kinds = [Collider.from_mesh(*life_size(read_mesh_file(objects / f"{name}.glb"), CHAIRS[name])) for name in CHAIRS]
    found: list[PosedCollider] = []
    left = CUBOIDS
    while left > 0:
        kind = kinds[len(found) % len(kinds)]
        collider = Collider(kind.lower[:left], kind.upper[:left])
        angle, away, yaw = generator.uniform(-np.pi, np.pi), generator.uniform(0.5, 1.2), generator.uniform(0, 6)
        place = away * np.array([np.sin(angle), np.cos(angle), 0.0])
        found.append(PosedCollider(collider, place, rotation_about_up(np.array(yaw))))
        left -= len(collider.lower)
    return found


def sensor_rows(things: Sequence[PosedCollider]) -> list[list[object]]:
    """Return the rows of both sensors, for one character and for a crowd."""
    generator = np.random.default_rng(1)
    places = np.column_stack([generator.uniform(-0.6, 0.6, (CROWD, 2)), np.zeros(CROWD)])
    yaws = generator.uniform(-np.pi, np.pi, CROWD)
    thing = things[0]
    whole = Collider(*(np.concatenate([part(one) for one in things]) for part in (_lowest, _highest)))
    volume = InteractionVolume.from_collider(thing.collider)
    rows: list[list[object]] = []
    for count in (1, CROWD):
        here, turns = places[:count], yaws[:count]
        ours = 1000 * median_seconds(lambda h=here, t=turns: sense_environment(h, t, things), PASSES)
        loop = 1000 * median_seconds(lambda h=here, t=turns: environment_loop(h, t, things), LOOPS)
        off = np.abs(sense_environment(here, turns, things) - environment_loop(here, turns, things)).max()
        bound = _through(count * environment_sensor.SPHERE_COUNT * 4)
        rows.append(["environment", count, ours, ours / count, bound, loop / ours, f"{off:.0e}"])
    for count in (1, CROWD):
        here, turns = places[:count], yaws[:count]
        ours = 1000 * median_seconds(lambda h=here, t=turns: volume.sense(thing.position, thing.rotation, h, t), PASSES)
        loop = 1000 * median_seconds(lambda h=here, t=turns: interaction_loop(volume, thing, h, t), LOOPS // 3)
        off = np.abs(
            volume.sense(thing.position, thing.rotation, here, turns) - interaction_loop(volume, thing, here, turns)
        ).max()
        rows.append(
            ["interaction", count, ours, ours / count, _through(count * CELL_COUNT * 7), loop / ours, f"{off:.0e}"]
        )
    made = 1000 * median_seconds(lambda: InteractionVolume.from_collider(whole), LOOPS)
    rows.append(["interaction, made", None, made, None, None, None, None])
    return rows


def environment_loop(positions: Array, yaws: Array, things: Sequence[PosedCollider]) -> Array:
    """Return the values of :func:`sense_environment`, computed cuboid by cuboid."""
    cells = np.broadcast_to(environment_sensor.SPHERE_CENTRES_M, (len(yaws), environment_sensor.SPHERE_COUNT, 3))
    points = (positions[:, None] + out_of_frame(cells, yaws[:, None])).reshape(-1, 3)
    square = np.full(len(points), np.inf)
    for one in things:
        inside = one.to_local(points)
        for low, high in zip(one.collider.lower, one.collider.upper, strict=True):
            off = inside - np.clip(inside, low, high)
            square = np.minimum(square, (off * off).sum(axis=-1))
    return np.maximum(1.0 - np.sqrt(square) / SPHERE_RADIUS_M, 0.0).reshape(len(yaws), -1)


def interaction_loop(volume: InteractionVolume, thing: PosedCollider, positions: Array, yaws: Array) -> Array:
    """Return the values of :meth:`InteractionVolume.sense`, computed cell by cell."""
    result = np.empty((len(yaws), len(volume.centres), 4))
    for row, (position, yaw) in enumerate(zip(positions, yaws, strict=True)):
        for number, (centre, filled) in enumerate(zip(volume.centres, volume.occupancy, strict=True)):
            world = thing.position + rotate(thing.rotation, centre)
            result[row, number, :3] = into_frame(world - position, yaw)
            result[row, number, 3] = filled
    return result


def _lowest(one: PosedCollider) -> Array:
    return one.collider.lower + one.position


def _highest(one: PosedCollider) -> Array:
    return one.collider.upper + one.position


def _through(numbers: int) -> float:
    """Return the milliseconds of writing and reading a number of float64 at the speed of reading."""
    megabytes = 2 * 8 * numbers / 1e6
    return reading_milliseconds(megabytes, megabytes)
