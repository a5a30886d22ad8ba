"""Where the command begins: the hook goes its own short way."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reverie.faces import start
from reverie.faces.hook.warm import Reply


@pytest.mark.parametrize(
    ("typed", "face"),
    [
        (["hook"], "hook"),
        (["hook", "--host", "codex"], "hook"),
        (["hook", "--host", "cursor", "--event", "stop"], "hook"),
        (["hook", "--help"], "command line"),
        (["hook", "status"], "command line"),
        (["hook", "stop", "--json"], "command line"),
        (["recall", "hook"], "command line"),
        ([], "command line"),
    ],
)
def test_what_is_typed_leads_to_its_face(typed: list[str], face: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook's calls go to its client, what people ask of it and all else to the command line."""
    called: list[str] = []

    def hook(_: list[str]) -> int:
        called.append("hook")
        return 0

    monkeypatch.setattr("reverie.faces.hook.client.main", hook)
    monkeypatch.setattr("reverie.faces.cli.main", lambda: called.append("command line"))
    monkeypatch.setattr(sys, "argv", ["reverie", *typed])
    if face == "hook":
        with pytest.raises(SystemExit) as ended:
            start.main()
        assert ended.value.code == 0
    else:
        start.main()
    assert called == [face]


@pytest.mark.parametrize(
    ("fault", "code"), [(None, None), (KeyboardInterrupt(), 130), (BrokenPipeError(), 141), (OSError(28, "full"), 14)]
)
def test_a_command_that_reads_asks_the_background_process_first(
    fault: BaseException | None, code: int | None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What it says is written as it is; Ctrl-C, a reader that has gone and a full disk end as in the command line."""

    def ask(_: list[str]) -> Reply:
        if isinstance(fault, KeyboardInterrupt):
            raise fault
        return Reply("answer ünd \u2003\n", "note\n", answered=True)

    def fail(_: Reply) -> None:
        assert fault is not None
        raise fault

    monkeypatch.setattr("reverie.faces.hook.warm.ask", ask)
    if isinstance(fault, OSError):
        monkeypatch.setattr("reverie.faces.hook.warm.write", fail)
    monkeypatch.setattr("reverie.faces.cli.app._let_go_of_output", lambda: None)
    monkeypatch.delenv("REVERIE_HOOK_COMMAND_LINE")
    monkeypatch.setattr(sys, "argv", ["reverie", "--json", "recall", "x"])
    if code is None:
        start.main()
        assert capfd.readouterr() == ("answer ünd \u2003\n", "note\n")
    else:
        with pytest.raises(SystemExit) as ended:
            start.main()
        assert ended.value.code == code


def test_the_hook_loads_no_command_line() -> None:
    """Neither click nor numpy is loaded on the way to the hook."""
    code = (
        "import sys; sys.argv = ['reverie', 'hook']\n"
        "import reverie.faces.hook.client as c; c.main = lambda a: 0\n"
        "from reverie.faces.start import main\n"
        "try: main()\nexcept SystemExit: print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"click", "numpy", "reverie.faces.cli", "typing"} & set(loaded)
