"""Everything that is said can be said in another language, and in German is.

Where Blender itself was built without languages, as its Python modules are, the catalogue is held against what is
registered, and the last line says so. Run in a Blender with languages, labels and reports are looked up in it, too.
"""

import os
import re
from functools import cache
from pathlib import Path

import bpy
import pytest

import footfall
from footfall.blender_addon.animation.bake_report import QualityRow
from footfall.blender_addon.ui import translations
from footfall.blender_addon.ui.translations import (
    ANY_CONTEXT,
    CONTEXT,
    catalogues,
    translate_interface,
    translate_message,
    translate_report,
)
from footfall.core.errors import FootfallError
from footfall.core.labelling.presets import load_preset
from footfall.core.message import Message
from footfall.core.models.generator_file import save_generator
from footfall.core.models.generator_kinds import VARIATIONAL
from footfall.core.models.model_file import ModelFileError
from footfall.core.rig.rig_map.roles import role_phrase
from footfall.tests.support.generators import random_generator
from footfall.tools import translation_template

HAS_LANGUAGES = bpy.app.build_options.international


@cache
def messages() -> dict[translation_template.Entry, str]:
    return translation_template.collect_messages()


def test_everything_that_is_said_is_found() -> None:
    found = messages()
    assert ("Operator", "Bake Shot") in found and (CONTEXT, "Shot") in found
    assert (ANY_CONTEXT, "Speed along the path. Walking is about 1.3 m/s, running starts at 2.2 m/s") in found
    assert (ANY_CONTEXT, "Added '{name}': choose a path and bake") in found, "a report"
    assert (ANY_CONTEXT, "Select an armature") in found, "why a button is grey"
    assert (ANY_CONTEXT, "Nothing was baked: a motion needs at least two frames") in found, "an error"
    assert any(where.startswith("core/") for where in found.values()), "what the core refuses"
    assert not any("\n" in text for _, text in found)


def test_the_catalogue_is_of_what_is_said() -> None:
    for language, catalogue in catalogues().items():
        gone = [text for message in catalogue.keys() - messages().keys() for text in message]
        assert not gone, (
            f"run tools/translation_template.py {language}, which takes them out of locale/{language}.po: {gone}"
        )


def blanks(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", text))


def test_translations_fill_the_same_blanks() -> None:
    for language, catalogue in catalogues().items():
        for (_, text), translated in catalogue.items():
            assert blanks(text) == blanks(translated), f"{language}: {text}"


def test_everything_that_is_said_is_german() -> None:
    missing = {
        text: where for (context, text), where in messages().items() if (context, text) not in catalogues()["de"]
    }
    assert not missing, f"run tools/translation_template.py de and translate in locale/de.po: {missing}"


def test_a_frame_is_called_as_blender_calls_it() -> None:
    """Blender's German has *Einzelbild* for a frame, and *Bild* for an image and in *Bilder pro Sekunde*."""
    others = re.compile(r"\b(Bild|Bilder|Bildern|Bildes|Frame|Frames)\b")
    images = re.compile(r"\bimage\b|Frames per second|'Frames: n'")
    german = catalogues()["de"]
    wrong = [text for (_, text), said in german.items() if others.search(said) and not images.search(text)]
    assert not wrong


def test_german_addresses_nobody() -> None:
    """Instructions are infinitives. *Lade* on a button is how Blender itself translates *Load*."""
    formal = re.compile(r"\b\w+n Sie\b")
    familiar = re.compile(
        r"\b(backe|beginne|bring|entferne|erzeuge|exportiere|füge|geh|gib|nenne|nimm|ordne|schreibe|skaliere"
        r"|steuere|trainiere|verschiebe|wähle)\b",
        re.IGNORECASE,
    )
    german = catalogues()["de"].values()
    wrong = [said for said in german if formal.search(said) or familiar.search(said)]
    assert not wrong


def german(text: str) -> str:
    """A text as a Blender with languages says it in German."""
    return translate_message(text, lambda said: catalogues()["de"].get((ANY_CONTEXT, said), said))


def test_messages_are_translated_by_their_templates() -> None:
    assert german("Select an armature") == "Eine Armature auswählen"
    assert german(Message("Added '{name}': choose a path and bake", name="{Hero}; Select an armature")) == (
        "'{Hero}; Select an armature' hinzugefügt: einen Pfad wählen und backen"
    )
    assert german(Message("This was said of '{name}' by mistake", name="Anna")) == (
        "This was said of 'Anna' by mistake"
    )


def test_names_in_blanks_stay() -> None:
    said = german(Message("The bake '{name}' was reverted", name="heel"))
    assert said == "Das Backen von 'heel' wurde zurückgenommen", "an action may be called like a part of the body"


def test_fragments_in_blanks_are_german() -> None:
    said = Message("Added a foot strike ({side}) at frame {frame}", side=Message("left"), frame=7)
    assert german(said) == "Auftritt (links) an Einzelbild 7 hinzugefügt"
    said = Message("Choose a bone for {body_part}", body_part=role_phrase("upper_arm.L"))
    assert said == "Choose a bone for the left upper arm"
    assert german(said) == "Einen Knochen wählen für: Oberarm links"
    row = QualityRow("foot_sliding", 1.0, 2.0, 3.0, 4.0, 5, "right heel", "fine")
    assert row.worst_description == "the right heel slides most"
    assert german(row.worst_description) == "Ferse rechts rutscht am meisten"


def test_joined_messages_are_translated_one_by_one() -> None:
    parts = [Message("The bake '{name}' was reverted", name="Walk; Run"), Message("No action is assigned now"), "heel"]
    said = Message.joined("; ", parts)
    assert said == "The bake 'Walk; Run' was reverted; No action is assigned now; heel"
    assert german(said) == "Das Backen von 'Walk; Run' wurde zurückgenommen; Jetzt ist keine Aktion zugewiesen; heel"


def test_errors_are_german() -> None:
    error = ModelFileError(
        Path("a"),
        Message("the file has {size} MB, more than any controller, so it is not a Footfall file", size=9),
    )
    assert german(str(error)) == (
        "Controller-Datei 'a': sie hat 9 MB, mehr als jeder Controller, also ist es eine fremde Datei"
    )


def test_reasons_of_files_that_cannot_be_used_are_german(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(f"name = {'[' * 10_000}")
    with pytest.raises(FootfallError) as refusal:
        load_preset(tmp_path / "mine.toml")
    assert german(str(refusal.value)).endswith("ist kein gültiges TOML: es ist zu tief verschachtelt")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.safetensors")
        with pytest.raises(FootfallError) as refusal:
            save_generator(tmp_path / "pipe.safetensors", random_generator(VARIATIONAL))
        assert "Es ist ein Gerät oder eine Pipe und wird nicht ersetzt" in german(str(refusal.value))


def test_english_stays_english() -> None:
    for say in (translate_interface, translate_report):
        assert say("Select an armature") == "Select an armature"
        said = Message("Added '{name}': choose a path and bake", name="Hero")
        assert say(said) == "Added 'Hero': choose a path and bake"


def test_catalogues_are_read_as_gettext_writes_them() -> None:
    file = Path(bpy.app.tempdir or "/tmp") / "footfall_test.po"
    entries = {(ANY_CONTEXT, 'Say "no"\\'): 'Sag „nein"\\', ("Operator", "Go"): "Los"}
    translation_template.write_catalogue(file, entries, "de")
    assert not translations.read_catalogue(file), "what nobody says any more is not written"
    file.write_text('msgctxt "Operator"\nmsgid ""\n"G"\n"o"\nmsgstr "Los\\"\\n"\n\nmsgid "x"\nmsgstr ""\n')
    assert translations.read_catalogue(file) == {("Operator", "Go"): 'Los"\n'}


@pytest.mark.skipif(not HAS_LANGUAGES, reason="this Blender was built without languages")
def test_blender_says_it_in_german() -> None:
    view, lookup = bpy.context.preferences.view, bpy.app.translations.pgettext_iface
    view.language = "de_DE"
    view.use_translate_interface = view.use_translate_tooltips = view.use_translate_reports = True
    own = catalogues()["de"]
    wrong = {key: (lookup(key[1], key[0]), text) for key, text in own.items() if lookup(key[1], key[0]) != text}
    assert not wrong, f"Blender's own words come first; take them, or give ours their context: {wrong}"
    assert lookup("Shot", CONTEXT) == "Shot" and lookup("Bake Shot", "Operator") == "Shot backen"
    assert (
        translate_report(Message("Added '{name}': choose a path and bake", name="Hero"))
        == "'Hero' hinzugefügt: einen Pfad wählen und backen"
    )
    assert translate_interface("Select an armature") == "Eine Armature auswählen"
    baked = Message.joined("; ", [Message("Baked {count} frames", count=12), "previous action"])
    assert translate_interface(baked).startswith("12 Einzelbilder gebacken; ")
    try:
        bpy.ops.footfall.bake_shot()
    except RuntimeError as refusal:
        assert "Eine Armature auswählen" in str(refusal), refusal
    footfall.unregister()
    assert lookup("Bake Shot", "Operator") == "Bake Shot", "gone with Footfall"
    footfall.register()
    view.language = "en_US"
