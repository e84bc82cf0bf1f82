"""Choice of a scene's objects that a character walks on, avoids, jumps over or ducks under."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import bpy

from ...core.message import Message
from ..ui.memo import Memo
from .ground_tags import CEILING, IGNORED, JUMP_OVER, OBSTACLE, TAGS, WALKABLE, tag_of, unknown_tag

MESHABLE_TYPES: Final = ("MESH", "CURVE", "SURFACE", "META", "FONT")
"""Types of objects that may have faces."""
NOT_IN_VIEW_LAYER: Final = Message(
    "The collection of '{name}' is excluded from this view layer, or is not in this scene: include it in the Outliner"
)


@dataclass(slots=True)
class GroundChoice:
    """The objects of a scene that are relevant for a character's walk.

    Attributes:
        object_uses: tags that define the uses of objects, by the objects' ``session_uid``.
        own_objects: ``session_uid`` of the character's own objects and its path, which are always ignored.
        uses_collection: whether exactly the objects of a collection are walkable.
        counts: number of objects for each tag.
        warnings: objects that cannot be used and the reasons, in sentences.
    """

    object_uses: dict[int, str] = field(default_factory=dict)
    own_objects: set[int] = field(default_factory=set)
    uses_collection: bool = False
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TAGS, 0))
    warnings: list[str] = field(default_factory=list)

    @property
    def is_level(self) -> bool:
        """True if no object is walkable, so that the ground is flat at the height of the path."""
        return not self.uses_collection and not self.counts[WALKABLE]

    def use_of(self, owner: bpy.types.Object, source: bpy.types.Object) -> str | None:
        """Return how an object in the scene is used; ``source`` owns the mesh if the object is an instance."""
        if owner.session_uid in self.own_objects:
            return None
        use = self.object_uses.get(owner.session_uid)
        if source != owner:
            # A tag inside a linked set of objects applies to each instance of the set.
            inner = tag_of(source)
            outside = use is None and self.uses_collection and inner == WALKABLE
            # An object that scatters grass differs from the grass; an instance of a set consists of all its objects.
            said = owner.instance_type == "COLLECTION" and tag_of(owner) is not None
            if inner is not None and not said and not outside:
                use = inner
        return None if use == IGNORED else use


def choose_ground(armature: bpy.types.Object, scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> GroundChoice:
    """Return which objects are ground or obstacles for a character, from its settings and the objects' tags."""
    settings = armature.footfall
    ground, obstacles = settings.ground.collection, settings.ground.obstacles
    result = GroundChoice(own_objects=set(_own_objects(armature, scene)), uses_collection=ground is not None)
    members = {use: [*one.all_objects] for use, one in ((OBSTACLE, obstacles), (WALKABLE, ground)) if one is not None}
    usual = {thing.session_uid: use for use, things in reversed(members.items()) for thing in things}
    known = {thing.session_uid for thing in view_layer.objects if thing is not None}  # as between removal and update
    for thing in dict.fromkeys((*scene.objects, *(thing for things in members.values() for thing in things))):
        uid = thing.session_uid
        if uid in result.own_objects:
            continue
        wrong = unknown_tag(thing)
        if wrong is not None:
            result.warnings.append(
                Message(
                    "'{name}' has an unknown walk surface, '{tag}': set one of {tags}",
                    name=thing.name,
                    tag=wrong,
                    tags=", ".join(TAGS),
                )
            )
        use = tag_of(thing) or usual.get(uid)
        if use == IGNORED or not has_surface(thing) or (use == WALKABLE and ground is not None and uid not in usual):
            continue
        uses = (
            {use} if use is not None else {tag for one in instanced_objects(thing) if (tag := tag_of(one)) is not None}
        )
        uses -= {IGNORED, WALKABLE} if use is None and ground is not None else {IGNORED}
        if not uses:
            continue
        hidden = _hidden_reason(thing, view_layer) if uid in known else NOT_IN_VIEW_LAYER
        if hidden is not None:
            result.warnings.append(Message(hidden, name=thing.name))
            continue
        if use is not None:
            result.object_uses[uid] = use
        for one in uses:
            result.counts[one] += 1
    if ground is not None and not result.counts[WALKABLE]:
        result.warnings.append(
            Message("The ground collection '{name}' has nothing to walk on: put meshes into it", name=ground.name)
        )
    return result


def instanced_objects(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the objects in the collection that an object instances, including those in nested collections."""
    pending, seen = [obj], set[int]()
    while pending:
        one = pending.pop()
        collection = one.instance_collection if one.instance_type == "COLLECTION" else None
        if collection is not None and collection.session_uid not in seen:
            seen.add(collection.session_uid)
            yield from collection.all_objects
            pending.extend(collection.all_objects)


def _own_objects(armature: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[int]:
    """Yield the ``session_uid`` of a character's armature, its path, and objects attached to or deformed by it."""
    yield armature.session_uid
    if armature.footfall.path is not None:
        yield armature.footfall.path.session_uid
    for thing in scene.objects:
        parent = thing.parent
        while parent is not None and parent != armature:
            parent = parent.parent
        bent = any(modifier.type == "ARMATURE" and modifier.object == armature for modifier in thing.modifiers)
        if parent is not None or bent:
            yield thing.session_uid


def has_surface(obj: bpy.types.Object) -> bool:
    """Return whether an object may have faces, its own or those of instances."""
    if obj.type in MESHABLE_TYPES or obj.instance_type == "COLLECTION":
        return True
    return any(modifier.type in ("NODES", "PARTICLE_SYSTEM") for modifier in obj.modifiers)


def _hidden_reason(obj: bpy.types.Object, view_layer: bpy.types.ViewLayer) -> str | None:
    """Return the template of a sentence on the reason why Blender hides an object; ``None`` if it is visible."""
    if obj.hide_viewport:
        return Message("'{name}' is disabled in viewports: enable it with the screen symbol in the Outliner")
    if obj.visible_get(view_layer=view_layer):
        return None
    return Message("'{name}' is hidden: show it with the eye in the Outliner")


_choices: Memo[GroundChoice] = Memo(until_update=True)
"""The last choice, valid until something changes, since panels draw often."""


def cached_choice(context: bpy.types.Context, armature: bpy.types.Object) -> GroundChoice:
    """Return the cached result of :func:`choose_ground`, computed again only after a change."""
    key = (armature.session_uid, context.scene.session_uid)
    return _choices.get(key, lambda: choose_ground(armature, context.scene, context.view_layer))


def invalidate() -> None:
    """Drop the cached choice."""
    _choices.clear()


def describe_choice(choice: GroundChoice, collection: str = "") -> Iterable[str]:
    """Yield a text for each kind of use, listing its objects."""
    counts = choice.counts
    if choice.is_level:
        yield "The character walks on level ground at the height of the path"
    else:
        walkable = _object_count_text(counts[WALKABLE])
        yield (
            Message("The character walks on {objects} of '{collection}'", objects=walkable, collection=collection)
            if collection
            else Message("The character walks on {objects}", objects=walkable)
        )
    for use, sentence in (
        (JUMP_OVER, Message("The character jumps over {objects}")),
        (OBSTACLE, Message("The character walks around {objects}")),
        (CEILING, Message("The character ducks under {objects}")),
    ):
        if counts[use]:
            yield Message(sentence, objects=_object_count_text(counts[use]))


def _object_count_text(count: int) -> str:
    return Message("1 object") if count == 1 else Message("{count} objects", count=count)
