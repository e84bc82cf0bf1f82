"""Real clips for the add-on's tests, from the folder of shared data beside the repository."""

import pytest

from footfall.tools.build.folders import SHARED

DATA = SHARED / "data"
MOCAP = DATA / "mocap"
WALK = MOCAP / "cmu_asfamc/walk/02_01.bvh"
TURNING_WALK = MOCAP / "cmu_asfamc/walk/16_32.bvh"
SIT = MOCAP / "cmu_asfamc/sit/14_31.bvh"
PICK_UP = MOCAP / "skillmimic_ballplay/basketball/007pickle_pick_016.bvh"
GET_UP = MOCAP / "skillmimic_ballplay/crouch/021pickle_getup_14.bvh"
LIFT = MOCAP / "accad_male1/carry/Male1_A5_PickUpBox.bvh"

needs_clips = pytest.mark.skipif(
    not DATA.is_dir(), reason="needs the shared data: there is no ../shared/data beside the repository"
)
"""Mark of a test or a module which reads one of these clips."""
