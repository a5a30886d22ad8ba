from __future__ import annotations

import ast

import pytest

from reverie.vault.standalone.scopes import uses


@pytest.mark.parametrize(
    ("code", "used"),
    [
        ("def f(a, *b, c=D, **e): return a + b + c + e + g", ["D", "g"]),
        ("def f():\n    x = y\n    return [x for z in q if (w := z)] + [z, w]", ["q", "y", "z"]),
        ("def f() -> T:\n    def g(): return h(f)\n    return g()", ["T", "f", "h"]),
        ("def f():\n    try: pass\n    except E as e: return e\n    import json\n    return json", ["E"]),
        ("class A(B):\n    x: C = d\n    y = x\n    def m(self): return x", ["B", "C", "d", "x"]),
        ("x = m.a.b + lam(lambda p, q=r: p + q)", ["lam", "m.a", "r", "x"]),
        ("def f(v):\n    match v:\n        case K(k=z): return z", ["K"]),
        ("@deco(u)\ndef f(): return f", ["deco", "f", "u"]),
    ],
)
def test_names_of_the_module_are_told_from_those_of_a_function(code: str, used: list[str]) -> None:
    """Arguments, variables, comprehensions, handlers and patterns bind; decorators, defaults and annotations do not."""
    found = uses(ast.parse(code).body[0])
    assert sorted({use.name if use.attribute is None else f"{use.name}.{use.attribute}" for use in found}) == used


def test_a_use_knows_its_place() -> None:
    """In bytes, as the syntax tree counts, with what is bound around it."""
    [use] = [use for use in uses(ast.parse("def f(é): return 'é' + m.name").body[0]) if use.name == "m"]
    line = "def f(é): return 'é' + m.name".encode()
    assert line[use.start : use.end] == b"m"
    assert line[use.start : use.attribute_end] == b"m.name"
    assert use.locals == {"é"}
