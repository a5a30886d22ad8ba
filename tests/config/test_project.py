from pathlib import Path

import pytest

from reverie.config import load, load_settings
from reverie.config.project import Projects, address, auto_project, own_name, repository
from reverie.errors import InvalidInput, InvalidSetting, NotFound


def test_folders_of_one_repository_are_one_project(tmp_path: Path) -> None:
    """Wherever in it one works."""
    (tmp_path / "app" / ".git").mkdir(parents=True)
    below = tmp_path / "app" / "src" / "deep"
    below.mkdir(parents=True)
    assert auto_project(below, {}) == auto_project(tmp_path / "app", {})
    assert auto_project(below, {}).startswith("app-")


def test_two_folders_of_one_name_share_nothing(tmp_path: Path) -> None:
    """Their paths tell them apart."""
    for place in ("work", "home"):
        (tmp_path / place / "app" / ".git").mkdir(parents=True)
    assert auto_project(tmp_path / "work" / "app", {}) != auto_project(tmp_path / "home" / "app", {})


@pytest.mark.parametrize("name", ["çalışma", "a b", "x" * 200, "😀"])
def test_any_folder_gives_a_name_a_scope_takes(tmp_path: Path, name: str) -> None:
    """Odd and long ones too, and the root of the disk."""
    (tmp_path / name).mkdir()
    found = load_settings(tmp_path / name, {}, {"project": "auto"}).project
    assert 0 < len(found) <= 200
    assert auto_project(Path("/"), {}).startswith("root-")


def test_only_auto_is_worked_out(tmp_path: Path) -> None:
    """A name of one's own stays."""
    assert load_settings(tmp_path, {}, {"project": "home"}).project == "home"


# A repository, as git lays it down; no git is run here either.


def repository_at(root: Path, remote: str = "", first: str = "") -> Path:
    """A folder with a ``.git`` that has a remote and a first commit."""
    git = root / ".git"
    (git / "logs").mkdir(parents=True)
    origin = f'[remote "origin"]\n\turl = {remote}\n[branch "main"]\n' if remote else ""
    (git / "config").write_text(f"[core]\n\tbare = false\n{origin}")
    if first:
        (git / "logs" / "HEAD").write_text(f"{'0' * 40} {first} Ada <a@b> 1 +0000\tcommit (initial): begin\n")
    return root


def worktree_at(place: Path, main: Path) -> Path:
    """A worktree of a repository, each naming the other."""
    own = main / ".git" / "worktrees" / place.name
    own.mkdir(parents=True)
    place.mkdir(parents=True)
    (place / ".git").write_text(f"gitdir: {own}\n")
    (own / "commondir").write_text("../..\n")
    (own / "gitdir").write_text(f"{place / '.git'}\n")
    return place


def test_the_worktrees_of_a_repository_are_one_project(tmp_path: Path) -> None:
    """Since the repository names them back."""
    main = repository_at(tmp_path / "app")
    tree = worktree_at(tmp_path / "elsewhere" / "feature", main)
    assert auto_project(tree, {}) == auto_project(main, {})


def test_a_folder_that_only_says_it_is_a_worktree_is_none(tmp_path: Path) -> None:
    """Whoever packed it may have written any path into its ``.git``."""
    main = repository_at(tmp_path / "app")
    worktree_at(tmp_path / "feature", main)
    forged = tmp_path / "forged"
    forged.mkdir()
    (forged / ".git").write_text((tmp_path / "feature" / ".git").read_text())
    assert auto_project(forged, {}) == own_name(forged)
    (forged / ".git").write_text("gitdir: \0\n../x")
    assert auto_project(forged, {}) == own_name(forged)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/ada/app.git",
        "https://ada:token@GitHub.com/ada/app",
        "ssh://git@github.com:22/ada/app.git",
        "git@github.com:ada/app.git",
        "git://github.com/ada/app/",
    ],
)
def test_a_remote_is_known_however_its_address_is_written(url: str) -> None:
    """And nobody's password is kept with it."""
    assert address(url) == "github.com/ada/app"


def test_a_new_clone_asks_once_and_shares_nothing_until_joined(tmp_path: Path) -> None:
    """Anybody can copy a remote's address or a first commit."""
    state = {"HOME": str(tmp_path / "home")}
    first = repository_at(tmp_path / "app", "git@github.com:ada/app.git", "a" * 40)
    clone = repository_at(tmp_path / "copy", "https://github.com/ada/app")
    auto = {"project": "auto"}
    assert load(first, state, auto).notes == ()
    name = auto_project(first, state)
    (question,) = load(clone, state, auto).notes
    assert f"`reverie project join {name}`" in question
    assert load(clone, state, auto).notes == ()
    assert auto_project(clone, state) != name
    joined = Projects(state).join(clone, name)
    assert (joined.project, joined.joined, joined.others) == (name, True, (str(first),))
    assert load(clone / ".git", state, auto).settings.project == name


def test_a_repository_that_moved_is_asked_about_and_taken_back(tmp_path: Path) -> None:
    """By its first commit; each decision can be undone, one after the other."""
    state = {"HOME": str(tmp_path / "home")}
    projects = Projects(state)
    old = repository_at(tmp_path / "old", first="b" * 40)
    projects.meet(old)
    old.rename(tmp_path / "new")
    assert own_name(old) in projects.meet(tmp_path / "new")[1]
    projects.join(tmp_path / "new", own_name(old))
    assert projects.part(tmp_path / "new").project == own_name(tmp_path / "new")
    assert projects.undo(tmp_path / "new").project == own_name(old)
    projects.join(tmp_path / "new", "chosen by me")
    assert auto_project(tmp_path / "new", state) == "chosen by me"
    with pytest.raises(NotFound):
        projects.part(tmp_path / "old")
    with pytest.raises(NotFound):
        projects.undo(tmp_path / "old")


@pytest.mark.parametrize("name", ["", " ", "auto", "x" * 151])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    """With what to give."""
    with pytest.raises(InvalidInput):
        Projects({"HOME": str(tmp_path)}).join(tmp_path, name)


def test_without_a_home_nothing_is_kept_and_that_is_said(tmp_path: Path) -> None:
    """Projects are named all the same; joining needs a place."""
    main = repository_at(tmp_path / "app", "git@github.com:ada/app.git")
    assert Projects({}).meet(main) == (own_name(main), "")
    assert auto_project(main, {}) == own_name(main)
    with pytest.raises(InvalidSetting):
        Projects({}).join(main, "app")


def test_a_broken_line_counts_for_nothing(tmp_path: Path) -> None:
    """The rest holds; a repository whose remote changes is met again and stays joined."""
    state = {"HOME": str(tmp_path / "home")}
    main = repository_at(tmp_path / "app", "git@github.com:ada/app.git")
    projects = Projects(state)
    projects.join(main, "mine")
    with (tmp_path / "home" / ".local" / "state" / "reverie" / "projects.jsonl").open("ab") as file:
        file.write(b'{"what": "joined"}\n\xff\xfe\n[]\n')
    repository_at(tmp_path / "other", "git@github.com:ada/app.git")
    (main / ".git" / "config").write_text("")
    assert auto_project(main, state) == "mine"
    assert projects.meet(main) == ("mine", "")
    assert projects.of(repository(main)).joined
