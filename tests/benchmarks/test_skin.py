"""The table of skin at what it touches."""

from footfall.benchmarks.skin import write_table


def test_a_row_has_the_least_and_the_largest_gap_of_each_act() -> None:
    entries = [
        {"character": "Rigify", "act": "stool", "gaps": {"hips": [0.2, -0.4]}},
        {"character": "Rigify", "act": "carry", "gaps": {"hand.L": [-1.0], "hand.R": [-1.26, 0.3]}},
        {"character": "Rigify", "act": "door", "error": "no way"},
    ]
    assert "| Rigify | -0.4 to 0.2 | - | - | - | -1.3 to 0.3 | none | - | - |" in write_table(entries)
