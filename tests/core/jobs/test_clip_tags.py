"""Tags behind the paths of a list of clips."""

import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs.clip_tags import ClipTags, performers_by_minutes, split_tags


def test_a_line_has_a_path_and_tags() -> None:
    path, tags = split_tags("walks of Anna/02 01.bvh performer=anna style=sad paces=0.5,0.75 bends=-0.5,0,0.5")
    assert path == "walks of Anna/02 01.bvh"
    assert tags == ClipTags("anna", "sad", (0.5, 0.75), (-0.5, 0.0, 0.5))


def test_tags_survive_as_text() -> None:
    tags = ClipTags("cmu-02", "", (0.5,), (0.0, 0.25), (0.5, 1.0), (0.7,), (-0.8, 0.8))
    line = " ".join(["a.bvh", *(f"{name}={value}" for name, value in tags.to_mapping().items())])
    assert split_tags(line) == ("a.bvh", tags)


@pytest.mark.parametrize("tag", ["performer=Anna!", "style=Very-Sad", "paces=quick", "paces=0.1", "bends=0,9"])
def test_a_wrong_value_is_named(tag: str) -> None:
    with pytest.raises(FootfallError, match=tag.split("=")[0]):
        split_tags(f"a.bvh {tag}")


def test_the_performer_with_most_minutes_comes_first() -> None:
    tags = [ClipTags("ben"), ClipTags("anna"), ClipTags(), ClipTags("ben"), ClipTags("carl")]
    assert performers_by_minutes(tags, [1.0, 1.5, 9.0, 1.0, 1.5]) == ("ben", "anna", "carl")


@pytest.mark.parametrize(
    "tag",
    [
        *("paces=0.24", "paces=2.01", "bends=-2.01", "bends=2.01", f"style={'a' * 33}", "style=-a", "bends=nan"),
        *("backward=0.2", "upright=2.1", "slants=1.6"),
    ],
)
def test_a_value_beyond_its_limit_is_refused(tag: str) -> None:
    with pytest.raises(FootfallError, match=tag.partition("=")[0]):
        split_tags(f"a.bvh {tag}")
