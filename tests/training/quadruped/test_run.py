"""A whole run on clips of an animal, from two cycles to a controller that can be walked."""

from pathlib import Path

import numpy as np

from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.path_walk import begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.roles import is_quadruped
from footfall.core.rig.rig_map import RigMap, save_rig_map
from footfall.tests.support.dog import BEAT_HZ, dog, standing, trot
from footfall.training.config.config import TrainingConfig
from footfall.training.loop.session import train

SMALL = (
    "takes=1",
    "experts=2",
    "hidden=8",
    "gating_hidden=8",
    "epochs=1",
    "unroll_steps=0",
    "rollouts=0",
    "mirror=false",
)


def test_two_clips_become_a_controller_of_four_legs(tmp_path: Path) -> None:
    body = dog()
    roles = {role: body.names[joint] for role, joint in body.roles.items() if role != "chest"}
    save_rig_map(RigMap("Dog", roles), tmp_path / "rig.toml")
    write_bvh(tmp_path / "trot.bvh", trot(body, round(60 / BEAT_HZ) + 1)[0])
    write_bvh(tmp_path / "stand.bvh", standing(body))
    config = TrainingConfig.from_preset("quadruped").with_overrides(SMALL)
    clips = [tmp_path / "trot.bvh", tmp_path / "stand.bvh"]
    file = train(RunFolder(tmp_path / "run"), config, clips=clips, workers=1)
    model = load_model(file)
    assert is_quadruped(model.skeleton.roles) and len(model.task.foot_joints) == 4
    assert model.start["vector"].shape == (4, 2)
    walk = begin_walk(model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [2.0, 0.0]])), 1.0))
    walk.advance(60)
    assert np.isfinite(walk.finish().clip.positions).all()
