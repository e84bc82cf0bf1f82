"""In Blender: everything that is said can be said in another language, and in German is.

Where Blender itself was built without languages, as its Python modules are, the catalogue is held against what is
registered, and the last line says so. Run in a Blender with languages, labels and reports are looked up in it, too.
"""

import sys
from functools import cache
from pathlib import Path

import bpy

import footfall
from footfall.blender_addon.ui import translations
from footfall.blender_addon.ui.translations import (
    ANY_CONTEXT,
    CONTEXT,
    PLACEHOLDER_PATTERN,
    catalogues,
    translate_interface,
    translate_report,
)
from footfall.tools import translation_template

sys.path.insert(0, str(Path(__file__).parent))
from harness import run_checks

DIRECT = ("FOOTFALL_PG_character.", "FOOTFALL_PG_output.", "FOOTFALL_PT_", "FOOTFALL_MT_")
DIRECT_BUTTONS = {"add_character", "bake_walk", "update_bake", "revert_bake", "retarget_motion", "open_manual"}
HAS_LANGUAGES = bpy.app.build_options.international


@cache
def messages() -> dict[translation_template.Message, str]:
    return translation_template.collect_messages()


def is_of_direct(where: str) -> bool:
    return where.startswith(DIRECT) or where.partition(".")[0].removeprefix("FOOTFALL_OT_") in DIRECT_BUTTONS


def check_everything_that_is_said_is_found() -> None:
    found = messages()
    assert ("Operator", "Bake Walk") in found and (CONTEXT, "Direct") in found
    assert (ANY_CONTEXT, "How fast to go; people stroll at 0.8, walk at 1.3 and run from 2.2 m/s on") in found
    assert (ANY_CONTEXT, "Added '{name}': choose a path and bake") in found, "a report"
    assert (ANY_CONTEXT, "Select an armature") in found, "why a button is grey"
    assert (ANY_CONTEXT, "Nothing was baked: a motion needs at least two frames.") in found, "an error"
    assert any(where.startswith("core/") for where in found.values()), "what the core refuses"
    assert not any("\n" in text for _, text in found)


def check_the_catalogue_is_of_what_is_said() -> None:
    for language, catalogue in catalogues().items():
        gone = [text for message in catalogue.keys() - messages().keys() for text in message]
        assert not gone, f"locale/{language}.po: run translation_template.refresh({language!r}): {gone}"


def check_translations_fill_the_same_blanks() -> None:
    for language, catalogue in catalogues().items():
        for (_, text), translated in catalogue.items():
            assert sorted(PLACEHOLDER_PATTERN.findall(text)) == sorted(PLACEHOLDER_PATTERN.findall(translated)), (
                f"{language}: {text}"
            )


def check_the_panel_direct_is_german() -> None:
    wanted = {message for message, where in messages().items() if is_of_direct(where)}
    assert len(wanted) > 100
    missing = sorted(text for _, text in wanted - catalogues()["de"].keys())
    assert not missing, f"run translation_template.refresh('de') and translate in locale/de.po: {missing}"


def check_sentences_are_known_again_whatever_they_name() -> None:
    known = translations._match_placeholders("de", "'Anna: the second' walks by 'quick': choose a path and bake")
    assert known is not None
    assert known[0] == "'{name}' walks by '{stem}': choose a path and bake"
    assert known[1] == {"name": "Anna: the second", "stem": "quick"}
    joined = "'Walk' was taken back; 'Run' is assigned again"
    assert translations._match_placeholders("de", joined) is None, "it is two sentences"
    assert all(translations._match_placeholders("de", part) for part in joined.split("; "))
    assert translations._match_placeholders("de", "Nobody ever said this of 'Anna'") is None


def check_english_stays_english() -> None:
    for say in (translate_interface, translate_report):
        assert say("Select an armature") == "Select an armature"
        assert say("Added 'Hero': choose a path and bake") == "Added 'Hero': choose a path and bake"


def check_catalogues_are_read_as_gettext_writes_them() -> None:
    file = Path(bpy.app.tempdir or "/tmp") / "footfall_test.po"
    entries = {(ANY_CONTEXT, 'Say "no"\\'): 'Sag „nein"\\', ("Operator", "Go"): "Los"}
    translation_template.write_catalogue(file, entries, "de")
    assert not translations.read_catalogue(file), "what nobody says any more is not written"
    file.write_text('msgctxt "Operator"\nmsgid ""\n"G"\n"o"\nmsgstr "Los\\"\\n"\n\nmsgid "x"\nmsgstr ""\n')
    assert translations.read_catalogue(file) == {("Operator", "Go"): 'Los"\n'}


def check_blender_says_it_in_german() -> None:
    if not HAS_LANGUAGES:
        return
    view, lookup = bpy.context.preferences.view, bpy.app.translations.pgettext_iface
    view.language = "de_DE"
    view.use_translate_interface = view.use_translate_tooltips = view.use_translate_reports = True
    own = catalogues()["de"]
    wrong = {key: (lookup(key[1], key[0]), text) for key, text in own.items() if lookup(key[1], key[0]) != text}
    assert not wrong, f"Blender's own words come first; take them, or give ours their context: {wrong}"
    assert lookup("Direct", CONTEXT) == "Regie" and lookup("Bake Walk", "Operator") == "Gang backen"
    assert (
        translate_report("Added 'Hero': choose a path and bake") == "'Hero' hinzugefügt: einen Pfad wählen und backen"
    )
    assert translate_interface("Select an armature") == "Eine Armature auswählen"
    assert translate_interface("Baked 12 frames; previous action 'Idle' kept").startswith("12 Einzelbilder gebacken; ")
    try:
        bpy.ops.footfall.bake_walk()
    except RuntimeError as refusal:
        assert "Eine Armature auswählen" in str(refusal), refusal
    footfall.unregister()
    assert lookup("Bake Walk", "Operator") == "Bake Walk", "gone with Footfall"
    footfall.register()
    view.language = "en_US"


footfall.register()
print(f"{sum(len(c) for c in catalogues().values())} messages in German, {len(messages())} in all.")
if not HAS_LANGUAGES:
    print("This Blender was built without languages: the catalogue is checked, not what Blender shows of it.")
run_checks(globals())
