from reverie.faces.agent_zero.house import HostLogLine, failed, told


def test_a_line_holds_all_of_it() -> None:
    """What was done and what was left out stand in one line, and only the latter makes it a warning."""
    assert told("[X]", "3 injected").content == "[X] 3 injected"
    assert not told("[X]", "3 injected").fault
    line = told("[X]", "3 injected", ("a skipped", "b skipped"))
    assert (line.content, line.fault) == ("[X] 3 injected; a skipped; b skipped", True)


def test_an_error_is_told_by_its_name_alone() -> None:
    """What it says may be what a user said."""
    assert failed("[X]", "skipped", KeyError("secret")) == HostLogLine("[X] skipped: KeyError", fault=True)
    missing = failed("[X]", "skipped", ModuleNotFoundError("No module named 'Stemmer'", name="Stemmer"))
    assert missing.content == "[X] skipped: ModuleNotFoundError (Stemmer)"
