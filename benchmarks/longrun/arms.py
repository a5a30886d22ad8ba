"""The arms of the long run: what does not forget, what keeps the newest, the recipes, and ``reverie`` by mechanisms.

A mechanism is taken out, or put in, by another recipe: the engine is the same in every arm.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.mechanisms import ADDED, MECHANISMS, alone, bare
from reverie.errors import InvalidInput
from reverie.recipes.capacity import within
from reverie.recipes.recipe import NAMES as RECIPES
from reverie.recipes.recipe import OwnRecipe, Recipe, recipe

APPEND_ONLY = "append-only"
NEWEST = "newest"
OURS = "reverie"
MAIN = (APPEND_ONLY, NEWEST, *RECIPES)
CONTROLS = ("reverie, no dreams", "bare")
OUT, IN, ALONE = "-", "+", "only "
"""How arms begin that are ``reverie`` without a mechanism, with another one, and the bare search with one alone."""
TAKEN_OUT = tuple(f"{OUT}{name}" for name in MECHANISMS)
PUT_IN = (
    *(f"{IN}{name}" for name in ADDED),
    *(f"{ALONE}{name}" for name in MECHANISMS if name not in ("text", "meaning")),
)
SORTING = (
    "answerable",
    "opposed",
    "repeats",
    "collapse",
    "outdated",
    "updates",
    "hot tier",
    "standing orders",
    "pre-gate",
)
"""What comes after the search: none of it in the arms that only keep."""

GROUPS = {"main": MAIN, "controls": CONTROLS, "out": TAKEN_OUT, "in": PUT_IN}
ALL = (*MAIN, *CONTROLS, *TAKEN_OUT, *PUT_IN)


@dataclass(frozen=True, slots=True)
class Arm:
    """How a life is lived.

    Attributes:
        name: as in the rows.
        recipe: of the engine.
        observes: whether memories are formed; else the words are kept and nothing more.
        dreams: whether there is a dream each night.
        feedback: whether the engine is told what was of use.
        newest: keep so many messages, the newest; None: all.
    """

    name: str
    recipe: Recipe
    observes: bool = True
    dreams: bool = True
    feedback: bool = True
    newest: int | None = None


def chosen(names: str) -> tuple[str, ...]:
    """The arms of a comma-separated list of arms and of groups (main, controls, out, in, all), each once.

    Raises:
        InvalidInput: there is no such arm.
    """
    found: dict[str, None] = {}
    for name in (part.strip() for part in names.split(";" if ";" in names else ",") if part.strip()):
        if name not in (*ALL, *GROUPS, "all"):
            raise InvalidInput(f"There is no arm {name!r}.", f"Choose from all, {', '.join((*GROUPS, *ALL))}.")
        found |= dict.fromkeys(ALL if name == "all" else GROUPS.get(name, (name,)))
    return tuple(found)


def mechanisms(names: str) -> tuple[str, ...]:
    """The mechanisms of a comma-separated list. Raises InvalidInput for one there is not."""
    found = tuple(part.strip() for part in names.split(",") if part.strip())
    for name in found:
        if name not in MECHANISMS:
            raise InvalidInput(f"There is no mechanism {name!r}.", f"Choose from {', '.join(MECHANISMS)}.")
    return found


def arm(name: str, capacity: int, without: tuple[str, ...] = ()) -> Arm:
    """An arm that may keep so many memories awake; ``without``: mechanisms taken out of every arm of ``reverie``.

    The words of ``reverie`` count; the four documents' recipes limit what was formed, where they limit anything
    (reading 26). What nothing is formed of searches as ``reverie`` does, so that the arms differ in what they keep.
    """
    ours = within(recipe(OURS), capacity, words=True)
    if name == APPEND_ONLY:
        plain = searched(ours)
        return Arm(name, plain, observes=False, dreams=False, feedback=False)
    if name == NEWEST:
        return Arm(name, searched(ours), observes=False, dreams=False, feedback=False, newest=capacity)
    if name in RECIPES and name != OURS:
        return Arm(name, within(recipe(name), capacity, words=False))
    for mechanism in without:
        ours = MECHANISMS[mechanism](ours)
    return _ours(name, ours)


def searched(own: OwnRecipe) -> OwnRecipe:
    """The recipe's search, and nothing that sorts out what it found."""
    for name in SORTING:
        own = MECHANISMS[name](own)
    return own


def _ours(name: str, own: OwnRecipe) -> Arm:
    if name == "bare":
        return Arm(name, bare(own))
    if name.startswith(ALONE):
        return Arm(name, alone(name.removeprefix(ALONE), own))
    if name.startswith(OUT):
        return Arm(name, MECHANISMS[name.removeprefix(OUT)](own))
    if name.startswith(IN):
        return Arm(name, ADDED[name.removeprefix(IN)](own))
    return Arm(name, own, dreams=name != "reverie, no dreams")
