"""What a user can set: one dataclass a section, their defaults, and every setting by its key.

With the name of a project, after the folder one works in.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from reverie.recall.settings import RerankSettings
from reverie.recipes.published.openclaw_keys import Keys
from reverie.screen.values import ScreenSettings

# Naming a project after the folder one works in: in, a folder; out, a name that no other folder has.


AUTO = "auto"
PROJECT_FILE = "reverie.toml"
MARKS = (".git", PROJECT_FILE)
_NAME_MAX, _DIGITS, _MANY = 150, 8, 16


def auto_project(folder: Path) -> str:
    """The name of the nearest folder with ``.git`` or ``reverie.toml`` at or above this one, or else its own.

    Eight digits of its path's hash stand behind the name, so that two folders called app never share a memory.
    """
    folder = folder.resolve()
    root = next((f for f in (folder, *folder.parents) if any((f / mark).exists() for mark in MARKS)), folder)
    return f"{_name(root)}-{_digits(root)[:_DIGITS]}"


def narrowed(project: str, folder: Path) -> str:
    """A project's name as a folder may claim it that nobody trusts: its own alone, whatever it says, "auto" included.

    The digits are sixteen, so that no folder's path is found which has those of another.
    """
    name = _name(folder) if project == AUTO else project[:_NAME_MAX]
    return f"{name}-{_digits(folder)[:_MANY]}"


def _name(folder: Path) -> str:
    return folder.name.encode("utf-8", "replace").decode("utf-8")[:_NAME_MAX] or "root"


def _digits(folder: Path) -> str:
    return sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()


# What a user can set: one dataclass a section, their defaults, and every setting by its key.


Value: TypeAlias = str | int | float | bool


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Which language model helps, and what it may cost. `llm = "…"` is short for `llm.spec`.

    Attributes:
        spec: none, openai:MODEL, or openai:MODEL@URL.
        api_key: key for its endpoint; better set as REVERIE_LLM_API_KEY than in a file.
        timeout_s: seconds one attempt may take.
        attempts: requests while the endpoint is down or over its limit.
        deadline_s: seconds the whole request may take, with all attempts.
        rereads: how often an unusable answer is requested again.
        tokens_per_day: tokens sent and received in a day of UTC; 0 for no limit.
        rest_after: failed requests in a row after which the endpoint is left alone.
        rest_s: seconds for which it is left alone.
    """

    spec: str = "none"
    api_key: str = field(default="", repr=False)
    timeout_s: float = 30.0
    attempts: int = 4
    deadline_s: float = 60.0
    rereads: int = 1
    tokens_per_day: int = 200_000
    rest_after: int = 3
    rest_s: float = 60.0


@dataclass(frozen=True, slots=True)
class RerankerSettings:
    """Which model reads the first of what was found. `reranker = "…"` is short for `reranker.spec`.

    Attributes:
        spec: none, fastembed:NAME, sentence-transformers:NAME, or rerank:MODEL@URL.
        api_key: key for its endpoint; better set as REVERIE_RERANKER_API_KEY than in a file.
        first: memories it reads for one recall.
        weight: how much its order counts, compared with all other signals; 0: nothing.
        deadline_ms: milliseconds it may take; then recall goes on without it. In a hook at most half of the hook's own.
    """

    spec: str = "none"
    api_key: str = field(default="", repr=False)
    first: int = 20
    weight: float = 1.0
    deadline_ms: int = 300

    @property
    def limits(self) -> RerankSettings:
        """What the engine is told of them."""
        return RerankSettings(self.first, self.weight, self.deadline_ms)


@dataclass(frozen=True, slots=True)
class OpsSettings:
    """Where Reverie reports what it does.

    Attributes:
        log: the ops log's file; not set: one for each store in the user's state folder; "none": there is no log.
        whole_texts: show masked texts whole in the log, not their first 80 characters.
        telemetry: report spans and counters to OpenTelemetry, if it is installed.
    """

    log: str = ""
    whole_texts: bool = False
    telemetry: bool = False


class Format(StrEnum):
    """What a picture is written as when its file does not say."""

    SVG = "svg"
    PNG = "png"


@dataclass(frozen=True, slots=True)
class PlotSettings:
    """How pictures are written.

    Attributes:
        format: svg or png, if the file's name has no such suffix.
        dpi: resolution of a PNG, in dots per inch.
    """

    format: Format = Format.SVG
    dpi: int = 150


@dataclass(frozen=True, slots=True)
class HookSettings:
    """How `reverie hook` serves a coding agent.

    Attributes:
        deadline_ms: milliseconds the running background process may take; then the agent continues without memories.
        start_ms: milliseconds a call may take if it has to start that process first.
        budget_tokens: most tokens of memories that one message gets.
        idle_minutes: minutes without a call after which the background process ends.
        recall: give the agent the memories that match each message.
        capture: keep what the person and the agent say.
        tools: keep the agent's tool calls, in a line or two each; needs capture.
        tool_names: which tools, with commas between; "*" for all; not set: all but those that only read or search.
        vault: in a linked vault, give the most important observations at a session's start, and write new ones at its
            end.
    """

    deadline_ms: int = 300
    start_ms: int = 850
    budget_tokens: int = 300
    idle_minutes: float = 30.0
    recall: bool = True
    capture: bool = True
    tools: bool = True
    tool_names: str = ""
    vault: bool = True


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """How `reverie serve` answers.

    Attributes:
        host: address it listens on; anything but this machine's own needs tokens.
        port: port it listens on; 0 for any free one.
        requests_per_minute: requests per minute and token; 0 for no limit.
        body_mb: largest request, in megabytes.
        import_mb: largest import, in megabytes.
        dream_at: hour and minute, local, at which every scope dreams, as in "03:30"; not set: never.
        token: a token for everything, for a process that starts the server; better set as REVERIE_SERVE_TOKEN than in
            a file.
    """

    host: str = "127.0.0.1"
    port: int = 8377
    requests_per_minute: int = 6000
    body_mb: int = 16
    import_mb: int = 1024
    dream_at: str = ""
    token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class McpSettings:
    """How `reverie mcp` answers over HTTP.

    Attributes:
        host: address it listens on.
        port: port it listens on; 0 for any free one.
        token: what a client must send as its bearer token; better set as REVERIE_MCP_TOKEN than in a file.
        names: other names by which clients may call this server, with commas between; this machine's own are known.
    """

    host: str = "127.0.0.1"
    port: int = 8378
    token: str = field(default="", repr=False)
    names: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a user can set.

    Attributes:
        store: path of the store; relative to the file that names it, else to the working folder. A folder that holds
            OpenClaw's LanceDB table (`lance:` may stand before it) is worked on in place.
        agent: the scope's agent.
        user: the scope's user.
        project: the scope's project; "auto" names it after the folder of the repository one works in.
        recipe: the named settings of recall, forming and dream: reverie, v9, exocortex, openclaw or ocean.
        embedder: the embedding model; "none" recalls by words only.
        api_key: key for an embedding endpoint; better set as REVERIE_API_KEY than in a file.
        top_k: most memories a recall returns; 0 for the recipe's own number.
        budget_tokens: most tokens a recall returns; 0 for no limit.
        screen: how secrets and personal data are treated before anything is written.
        llm: which language model helps, and what it may cost.
        reranker: which model reads the first of what was found.
        ops: where operations are logged.
        plots: how pictures are written.
        hook: how a coding agent's hooks are served.
        serve: how the HTTP interface answers.
        mcp: how the MCP server answers over HTTP.
        openclaw: what may be set of the recipe `openclaw`.
    """

    store: str = "reverie.db"
    agent: str = ""
    user: str = ""
    project: str = ""
    recipe: str = "reverie"
    embedder: str = "default"
    api_key: str = field(default="", repr=False)
    top_k: int = 0
    budget_tokens: int = 1000
    screen: ScreenSettings = field(default_factory=ScreenSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    reranker: RerankerSettings = field(default_factory=RerankerSettings)
    ops: OpsSettings = field(default_factory=OpsSettings)
    plots: PlotSettings = field(default_factory=PlotSettings)
    hook: HookSettings = field(default_factory=HookSettings)
    serve: ServeSettings = field(default_factory=ServeSettings)
    mcp: McpSettings = field(default_factory=McpSettings)
    openclaw: Keys = field(default_factory=Keys)


def flat(settings: Settings) -> dict[str, Value]:
    """Every setting by its key, those of a section as ``section.key``; secrets and all."""
    found: dict[str, Value] = {}
    for one in fields(settings):
        value = getattr(settings, one.name)
        if is_dataclass(value):
            found |= {f"{one.name}.{inner.name}": getattr(value, inner.name) for inner in fields(value)}
        else:
            found[one.name] = value
    return found


def shown(settings: Settings) -> dict[str, Value]:
    """Every setting by its key, secrets only as whether they are set."""
    return {key: ("set" if value else "") if key in SECRETS else value for key, value in flat(settings).items()}


DEFAULTS = flat(Settings())
"""Key → default, which also says what type a value has."""
SECTIONS = ("screen", "llm", "reranker", "ops", "plots", "hook", "serve", "mcp", "openclaw")
SHORT = {"llm": "llm.spec", "reranker": "reranker.spec"}
"""A section that may be set as if it were a key."""
PATHS = ("store", "ops.log")
NO_PATHS = ("", ":memory:", "none")
SECRETS = ("api_key", "llm.api_key", "reranker.api_key", "serve.token", "mcp.token")
LEAST: dict[str, float] = {
    "llm.attempts": 1,
    "llm.rest_after": 1,
    "reranker.first": 2,
    "reranker.deadline_ms": 1,
    "plots.dpi": 50,
    "hook.deadline_ms": 1,
    "hook.start_ms": 1,
    "serve.body_mb": 1,
    "serve.import_mb": 1,
    "openclaw.limit": 1,
    "openclaw.automatic_limit": 1,
}
"""The least a number may be; 0 where it is not named here."""
POSITIVE = ("llm.timeout_s", "llm.deadline_s", "llm.rest_s", "hook.idle_minutes", "openclaw.deduplication_threshold")
