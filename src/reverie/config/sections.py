"""What a user can set: one dataclass a section, their defaults, and every setting by its key."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import TypeAlias

from reverie.recall.settings import RerankSettings
from reverie.recipes.published.openclaw_keys import Keys
from reverie.screen.values import ScreenSettings

PROJECT_FILE = "reverie.toml"
MARKS = (".git", PROJECT_FILE)
"""What makes a folder the root of a project."""

Value: TypeAlias = str | int | float | bool


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Language model settings: which one helps, and what it may cost. `llm = "…"` is short for `llm.spec`.

    Attributes:
        spec: none, openai:MODEL, or openai:MODEL@URL.
        api_key: key for its endpoint; better set as REVERIE_LLM_API_KEY than in a file.
        timeout_s: seconds one attempt may take.
        attempts: most requests for one answer while the endpoint is down or over its limit.
        deadline_s: seconds one answer may take, all attempts together.
        rereads: how often to ask again after an answer that cannot be used.
        tokens_per_day: most input and output tokens in a day (UTC); 0 for no limit.
        rest_after: failed answers in a row after which the endpoint is not called for a while.
        rest_s: seconds without calls after such failures.
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
    """Reranker settings: which model reorders the first memories found. `reranker = "…"` is short for `reranker.spec`.

    Attributes:
        spec: none, fastembed:NAME, sentence-transformers:NAME, or rerank:MODEL@URL.
        api_key: key for its endpoint; better set as REVERIE_RERANKER_API_KEY than in a file.
        first: memories it reads for one recall.
        weight: how much its order counts beside everything else; 0: nothing.
        deadline_ms: milliseconds it may take; then recall goes on without it. In a hook at most half of the hook's own.
    """

    spec: str = "none"
    api_key: str = field(default="", repr=False)
    first: int = 20
    weight: float = 1.0
    deadline_ms: int = 300

    @property
    def limits(self) -> RerankSettings:
        """The limits of reranking in the form the engine takes."""
        return RerankSettings(self.first, self.weight, self.deadline_ms)


@dataclass(frozen=True, slots=True)
class OpsSettings:
    """Settings of the ops log and of telemetry.

    Attributes:
        log: file of the ops log; not set: one for each store in the user's state folder; "none": no log.
        whole_texts: log masked texts whole, not their first 80 characters.
        telemetry: send spans and counters to OpenTelemetry, where it is installed.
    """

    log: str = ""
    whole_texts: bool = False
    telemetry: bool = False


class Format(StrEnum):
    """Image format of a plot whose file name does not name one."""

    SVG = "svg"
    PNG = "png"


@dataclass(frozen=True, slots=True)
class PlotSettings:
    """Settings of plots.

    Attributes:
        format: svg or png, if the file's name does not say.
        dpi: dots per inch of a PNG.
    """

    format: Format = Format.SVG
    dpi: int = 150


@dataclass(frozen=True, slots=True)
class HookSettings:
    """Settings of `reverie hook`, which serves a coding agent.

    Attributes:
        deadline_ms: milliseconds the running background process may take; then the agent goes on without memory.
        start_ms: milliseconds a call may take if it first has to start that process.
        budget_tokens: most tokens injected for one message.
        idle_minutes: minutes without a call after which the background process ends.
        recall: inject the memories relevant to each message.
        capture: keep what the person and the agent say.
        tools: keep what the agent's tools did, in a line or two each; needs capture.
        runs: keep each turn that used tools as a run of a skill; needs tools.
        tool_names: which tools, separated by commas; "*" for all; not set: all but those that only read or search.
        vault: in a linked vault, show what to read first when a session begins, and write down what it taught at its
            end.
        command_line: let `reverie recall` and `explain` use the background process, and start it where none runs.
    """

    deadline_ms: int = 300
    start_ms: int = 850
    budget_tokens: int = 300
    idle_minutes: float = 30.0
    recall: bool = True
    capture: bool = True
    tools: bool = True
    runs: bool = False
    tool_names: str = ""
    vault: bool = True
    command_line: bool = True


class LogLevel(StrEnum):
    """Least level of what is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Settings of `reverie serve`, the HTTP interface.

    Attributes:
        host: address it listens on; any but this machine's own needs tokens.
        port: port it listens on; 0 for any free one.
        requests_per_minute: requests a minute one token may send; 0 for no limit.
        body_mb: most megabytes a request may have.
        import_mb: most megabytes an import may have.
        dream_at: local hour and minute at which scopes that changed dream (are consolidated), as in "03:30"; not set:
            never.
        token: a token for everything, for a process that starts the server; better set as REVERIE_SERVE_TOKEN than in
          a file.
        log_level: least level that is logged to standard error, by the proxy too: debug, info, warning or error.
        access_log: log a line for each request: its id, method, route, status, milliseconds and who asked.
    """

    host: str = "127.0.0.1"
    port: int = 8377
    requests_per_minute: int = 6000
    body_mb: int = 16
    import_mb: int = 1024
    dream_at: str = ""
    token: str = field(default="", repr=False)
    log_level: LogLevel = LogLevel.INFO
    access_log: bool = False


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """Settings of `reverie serve` for a team; without `on` none of it is there.

    Attributes:
        on: keep tenants, tokens, an audit and answers of requests with a key in a file beside the store.
        issuer: address of an OpenID Connect provider whose tokens are accepted; not set: none.
        audience: what its tokens must be made for.
        algorithms: signatures it may use, by a private key, separated by commas; not set: RS256, ES256, EdDSA.
        leeway_s: seconds by which its clock may differ.
        tenant_claim: claim that names the tenant; dots lead into objects.
        right_claim: claim that names the right (read, write, admin), or a list that holds it.
        scope_claim: claim that names the scopes as agent/user/project, with * for any; without it the whole tenant.
        keys_s: seconds for which the provider's keys are kept.
        refetch_s: least seconds between two fetches, however many tokens name an unknown key.
        idempotency_hours: hours for which the answer of a request with an Idempotency-Key is kept.
        audit_days: days for which the audit is kept.
    """

    on: bool = False
    issuer: str = ""
    audience: str = ""
    algorithms: str = ""
    leeway_s: int = 60
    tenant_claim: str = "tenant"
    right_claim: str = "reverie_right"
    scope_claim: str = "reverie_scope"
    keys_s: float = 3600.0
    refetch_s: float = 60.0
    idempotency_hours: float = 24.0
    audit_days: float = 90.0


@dataclass(frozen=True, slots=True)
class ProxySettings:
    """Settings of `reverie proxy`, which stands before a language model's API.

    Attributes:
        upstream: base URL of the model's API, as https://api.openai.com/v1.
        key: the model's key, for programs that bring only a token of this server; better set as REVERIE_PROXY_KEY than
          in a file.
        host: address it listens on; any but this machine's own needs tokens.
        port: port it listens on; 0 for any free one.
        recall: add the memories relevant to each message.
        capture: keep what the person and the model say.
        budget_tokens: most tokens added to one message; 0 for no limit.
        deadline_ms: milliseconds recall may take; then the request goes on without memories.
        body_mb: most megabytes a request may have.
    """

    upstream: str = ""
    key: str = field(default="", repr=False)
    host: str = "127.0.0.1"
    port: int = 8379
    recall: bool = True
    capture: bool = True
    budget_tokens: int = 300
    deadline_ms: int = 1000
    body_mb: int = 64


@dataclass(frozen=True, slots=True)
class McpSettings:
    """Settings of `reverie mcp` over HTTP.

    Attributes:
        host: address it listens on.
        port: port it listens on; 0 for any free one.
        token: the bearer token that a client must send; better set as REVERIE_MCP_TOKEN than in a file.
        names: further host names of this server, separated by commas; this machine's own are known.
    """

    host: str = "127.0.0.1"
    port: int = 8378
    token: str = field(default="", repr=False)
    names: str = ""


@dataclass(frozen=True, slots=True)
class SkillSettings:
    """Settings of skill memory; recording runs and reading them needs none.

    Attributes:
        cards: let a dream make a card for each skill that works well enough, for recall to offer.
        bound: least success rate, exceeded with a probability of .95, of a skill that has a card.
        tools: offer the MCP tools memory_run and memory_skills.
    """

    cards: bool = False
    bound: float = 0.5
    tools: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a user can set.

    Attributes:
        store: path of the store; relative to the file that names it, else to the working folder. A folder that holds
          OpenClaw's LanceDB table (`lance:` may precede it) is used in place. `sqlcipher:` before the path names an
          encrypted store; `postgresql://HOST/DATABASE?tenant=NAME` a tenant's memories in a database, whose password is
          better kept in PGPASSFILE than here.
        encrypted: the store is encrypted; `sqlcipher:` before the store's path, or `encrypted=true` in a database's
          address, sets this.
        key_file: file with the key of an encrypted store, a database's master key too: your own with mode 0600, or a
          secret of a container below /run/secrets; empty: the system's keyring.
        agent: the scope's agent.
        user: the scope's user.
        project: the scope's project; "auto" names it after the folder of the repository one works in.
        recipe: how Reverie recalls, forms memories and dreams: reverie, v9, exocortex, openclaw or ocean.
        embedder: the embedding model's specification; "none" recalls by text alone.
        api_key: key for an embedding endpoint; better set as REVERIE_API_KEY than in a file.
        top_k: most memories a recall injects; 0 for the recipe's own number.
        budget_tokens: most tokens a recall injects; 0 for no limit.
        screen: what is done with secrets and personal data before anything is written.
        reminders: time zone, as Europe/Istanbul, in which requests to be reminded are read from what people say;
          empty: they are not.
        corpus_mb: most megabytes of columns and vectors kept in memory for recall; the scopes longest unused go first.
        count_within_s: longest seconds, up to 3600, that `serve` and the MCP server let a recall wait to be counted, to
          write those of a scope together; 0: each is counted at once.
        llm: which language model helps, and what it may cost.
        reranker: which model reorders the first memories found.
        ops: where operations are logged.
        plots: how plots are written.
        hook: how a coding agent's hooks are served.
        serve: how the HTTP interface answers.
        team: what the HTTP interface does for a team.
        mcp: how the MCP server answers over HTTP.
        proxy: how the proxy before a language model's API works.
        openclaw: settings of the recipe `openclaw`.
        skills: what is made of recorded runs of skills.
    """

    store: str = "reverie.db"
    encrypted: bool = False
    key_file: str = ""
    agent: str = ""
    user: str = ""
    project: str = ""
    recipe: str = "reverie"
    embedder: str = "default"
    api_key: str = field(default="", repr=False)
    top_k: int = 0
    budget_tokens: int = 1000
    reminders: str = ""
    corpus_mb: int = 512
    count_within_s: float = 1.0
    screen: ScreenSettings = field(default_factory=ScreenSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    reranker: RerankerSettings = field(default_factory=RerankerSettings)
    ops: OpsSettings = field(default_factory=OpsSettings)
    plots: PlotSettings = field(default_factory=PlotSettings)
    hook: HookSettings = field(default_factory=HookSettings)
    serve: ServeSettings = field(default_factory=ServeSettings)
    team: TeamSettings = field(default_factory=TeamSettings)
    mcp: McpSettings = field(default_factory=McpSettings)
    proxy: ProxySettings = field(default_factory=ProxySettings)
    openclaw: Keys = field(default_factory=Keys)
    skills: SkillSettings = field(default_factory=SkillSettings)

    @property
    def named_store(self) -> str:
        """The store as one names it: an encrypted file with ``sqlcipher:``, a database with ``encrypted=true``."""
        if not self.encrypted:
            return self.store
        if "encrypted=true" in self.store:
            return self.store
        if "://" in self.store:
            return f"{self.store}{'&' if '?' in self.store else '?'}encrypted=true"
        return f"sqlcipher:{self.store}"


def flat(settings: Settings) -> dict[str, Value]:
    """Return every setting by its key, those of a section as ``section.key``; secrets are included."""
    found: dict[str, Value] = {}
    for one in fields(settings):
        value = getattr(settings, one.name)
        if is_dataclass(value):
            found |= {f"{one.name}.{inner.name}": getattr(value, inner.name) for inner in fields(value)}
        else:
            found[one.name] = value
    return found


def shown(settings: Settings) -> dict[str, Value]:
    """Return every setting by its key; of a secret only whether it is set."""
    return {key: ("set" if value else "") if key in SECRETS else value for key, value in flat(settings).items()}


DEFAULTS = flat(Settings())
"""Default of each key; its type is the type of the key's values."""
SECTIONS = ("screen", "llm", "reranker", "ops", "plots", "hook", "serve", "team", "mcp", "proxy", "openclaw", "skills")
SHORT = {"llm": "llm.spec", "reranker": "reranker.spec"}
"""Sections that may be set as if they were a key, and the key that this sets."""
PATHS = ("store", "key_file", "ops.log")
"""Keys whose value is a path; a relative one is relative to the file that names it."""
NO_PATHS = ("", ":memory:", "none")
SECRETS = ("api_key", "llm.api_key", "reranker.api_key", "serve.token", "mcp.token", "proxy.key")
"""Keys whose value is never printed; their fields also say ``repr=False``."""
LEAST: dict[str, float] = {
    "corpus_mb": 1,
    "llm.attempts": 1,
    "llm.rest_after": 1,
    "reranker.first": 2,
    "reranker.deadline_ms": 1,
    "plots.dpi": 50,
    "hook.deadline_ms": 1,
    "hook.start_ms": 1,
    "serve.body_mb": 1,
    "serve.import_mb": 1,
    "proxy.deadline_ms": 1,
    "proxy.body_mb": 1,
    "openclaw.limit": 1,
    "openclaw.automatic_limit": 1,
}
"""Smallest allowed value of a number; 0 for keys not listed."""
POSITIVE = (
    *("llm.timeout_s", "llm.deadline_s", "llm.rest_s", "hook.idle_minutes", "team.idempotency_hours"),
    *("team.audit_days", "team.keys_s", "openclaw.deduplication_threshold"),
)
"""Keys whose value is a number above 0, however small."""
