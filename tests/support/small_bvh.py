"""A small BVH file, and changes of it."""

from collections.abc import Callable
from pathlib import Path

# A person of 170 units: hips at 90, one leg chain on each side; %s are the root's OFFSET and the frames.
PERSON = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftUpLeg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0 -45 0
      CHANNELS 1 Xrotation
      JOINT LeftFoot
      {
        OFFSET 0 -45 0
        CHANNELS 3 Yrotation Xrotation Zrotation
        End Site
        {
          OFFSET 0 -5 15
        }
      }
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -10 0 0
    JOINT RightLeg
    {
      OFFSET 0 -45 0
      JOINT RightFoot
      {
        OFFSET 0 -45 0
      }
    }
  }
  JOINT Head
  {
    OFFSET 0 70 0
    CHANNELS 2 Yrotation Xrotation
  }
}
MOTION
Frames: 2
Frame Time: 0.0083333
1 90 2 0 0 0  0 0 0  0  0 0 0  0 0
1 90 3 0 0 90  10 20 30  40  50 60 70  80 -10
"""
Bvh = Callable[..., Path]
