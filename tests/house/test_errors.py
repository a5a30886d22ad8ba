"""The tree drawn at the head of errors.py is the tree of classes below it."""

from __future__ import annotations

import inspect
import re

from reverie import errors


def drawn() -> dict[str, tuple[str, str]]:
    """Class name → (parent's name, description), read off the drawing."""
    tree: dict[str, tuple[str, str]] = {}
    above: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"^(?P<stem>[\s│├└─]*)(?P<name>[A-Z]\w+)(?:\s{2,}(?P<what>.+))?$", line)
        if found is None or not (found["stem"].startswith("    ") or found["stem"].startswith("│")):
            continue
        depth = len(found["stem"])
        above = [(d, name) for d, name in above if d < depth]
        tree[found["name"]] = (above[-1][1] if above else "Exception", (found["what"] or "").strip())
        above.append((depth, found["name"]))
    return tree


def classes() -> dict[str, type[Exception]]:
    """The errors the module defines."""
    return {
        name: value
        for name, value in inspect.getmembers(errors, inspect.isclass)
        if issubclass(value, Exception) and value.__module__ == errors.__name__
    }


def test_the_drawing_shows_every_error_and_no_other() -> None:
    """Each class is drawn, each drawn name is a class."""
    assert set(drawn()) == set(classes())


def test_the_drawing_hangs_each_error_where_it_belongs() -> None:
    """A class's parent in the drawing is its base class."""
    assert {name: parent for name, (parent, _) in drawn().items()} == {
        name: cls.__bases__[0].__name__ for name, cls in classes().items()
    }


def test_the_drawing_and_the_docstrings_say_the_same() -> None:
    """What the drawing says of an error is the first sentence of its docstring."""
    for name, (_, what) in drawn().items():
        if what:
            assert (classes()[name].__doc__ or "").lower().startswith(what.lower()), name


def test_an_error_shows_what_happened_and_what_to_do() -> None:
    """The text of an error is its message followed by its mend; without a mend there is no trailing space."""
    error = errors.StoreMissing("There is no store here.", "Run `reverie init`.")
    assert str(error) == "There is no store here. Run `reverie init`."
    assert (error.message, error.mend) == ("There is no store here.", "Run `reverie init`.")
    assert str(errors.NotFound("Nothing of that name.")) == "Nothing of that name."
