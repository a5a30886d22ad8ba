"""Markdown, and documents of which only a part is generated."""

from __future__ import annotations

from benchmarks.report.text import BEGIN, END, between_markers, percent, points, table


def test_a_table_has_a_rule_and_its_rows() -> None:
    """The first column to the left, figures to the right."""
    assert table(["a", "b"], [["x", "1"], ["y", "2"]]).splitlines() == [
        "| a | b |",
        "| --- | ---: |",
        "| x | 1 |",
        "| y | 2 |",
    ]


def test_figures_are_in_percent_and_points() -> None:
    """One decimal; a difference shows its sign."""
    assert (percent(0.7971), points(0.042), points(-0.001)) == ("79.7", "+4.2", "-0.1")


def test_only_what_stands_between_the_markers_is_replaced() -> None:
    """What a person wrote stays, before and after; writing twice changes nothing."""
    document = f"# Title\n\nwords\n\n{BEGIN}\nold\n{END}\n\nmore words\n"
    once = between_markers(document, "new")
    assert once == f"# Title\n\nwords\n\n{BEGIN}\n\nnew\n\n{END}\n\nmore words\n"
    assert between_markers(once, "new") == once


def test_a_document_without_markers_keeps_all_and_gets_them() -> None:
    """Also an empty one."""
    assert between_markers("# Title\n", "new") == f"# Title\n\n{BEGIN}\n\nnew\n\n{END}\n"
    assert between_markers("", "new").startswith(BEGIN)
