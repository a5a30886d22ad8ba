from reverie.faces.cli.writing import ROLES
from reverie.types import Role
from tests.faces.cli.conftest import Run


def test_a_message_is_kept_with_who_when_and_where(home: Run) -> None:
    """Every option arrives, and the answer names the scope."""
    done = home(
        *(
            "remember",
            "On at six.",
            "--speaker",
            "Ada",
            "--role",
            "user",
            "--session",
            "s",
            "--at",
            "2026-03-02T09:00Z",
        ),
        "--json",
    )
    assert done.shape["scope"] == {"agent": "helper", "user": "ada", "project": "home"}
    [kept] = home("timeline", "--json").shape["memories"]
    assert (kept["text"], kept["speaker"], kept["role"], kept["session"]) == ("On at six.", "Ada", "user", "s")
    assert kept["at"] == "2026-03-02T09:00:00+00:00"
    assert kept["id"] == done.shape["id"]


def test_the_same_id_twice_is_kept_once(home: Run) -> None:
    """And with other words it is a conflict."""
    first = home("remember", "a", "--id", "m1", "--json").shape
    again = home("remember", "a", "--id", "m1", "--json").shape
    assert (first["new"], again["new"]) == (True, False)
    assert again["id"] == first["id"]
    assert "known already" in home("remember", "a", "--id", "m1").out
    assert home("remember", "b", "--id", "m1").code == 4


def test_a_message_can_be_piped_in(home: Run) -> None:
    """Its last line break is the pipe's, every other is its own; bytes that are no UTF-8 survive."""
    home("remember", input="one\ntwo\n")
    home("remember", "-", input=b"caf\xe9")
    home("remember", "")
    assert [m["text"] for m in home("timeline", "--json").shape["memories"]] == ["one\ntwo", "caf\udce9", ""]


def test_the_roles_on_offer_are_the_engines() -> None:
    """Spelled out in the command for speed; the same list."""
    assert tuple(Role) == ROLES
