// What the plugin does with a memory, agent by agent: in, an agent and words; out, what Reverie answers, made ready.

import { randomUUID } from "node:crypto";

import { Fault } from "./fault.js";
import { marksOf } from "./marks.js";
import { query } from "./text.js";

/** The categories of OpenClaw's own tool; anything else Reverie knows is told as "other". */
export const CATEGORIES = Object.freeze(["preference", "fact", "decision", "entity", "other"]);

/** The tool a model stores with, which is the speaker of what it stores. */
const STORE = "memory_store";

/** Everything the tools, the hooks and the commands ask for. */
export class Memory {
  #backend;
  #settings;

  constructor(backend, settings) {
    this.#backend = backend;
    this.#settings = settings;
  }

  /** What bears on a question. `automatic`: nobody asked, so only what is sure. */
  async recall(agent, text, { automatic = false, limit, session } = {}, deadline) {
    const most = limit ?? (automatic ? this.#settings.autoRecallLimit : this.#settings.recallLimit);
    const body = { cue: query(text, this.#settings.recallMaxChars), automatic, top_k: most };
    if (session) body.session = session;
    return answer(await this.#ask(agent, "/v1/recall", body, deadline));
  }

  /** The same without counting it as used, with what was held back and why. */
  async explain(agent, text, limit, deadline) {
    const body = { cue: query(text, this.#settings.recallMaxChars), top_k: limit ?? this.#settings.recallLimit };
    return answer(await this.#ask(agent, "/v1/explain", body, deadline));
  }

  /** Keep what a model stores, as the assistant's. `category` and `importance` are optional. */
  async store(agent, text, { importance, category, session } = {}, deadline) {
    const said = { text, speaker: STORE, role: "assistant", session: session ?? STORE };
    const body = { ...said, deliberate: true, message_id: `openclaw-${randomUUID()}` };
    if (importance !== undefined) body.importance = importance;
    if (category && category !== "other") body.kind = category;
    return stored(await this.#ask(agent, "/v1/observe", body, deadline));
  }

  /** Keep a message of a conversation; the same one twice is kept once. */
  async keep(agent, message, deadline) {
    const body = { ...message, classed: this.#settings.recipe === "openclaw" };
    return stored(await this.#ask(agent, "/v1/observe", body, deadline));
  }

  /** Let a memory no longer hold, and with it the messages it alone was formed of. */
  async forget(agent, id, deadline) {
    const { memory } = await this.#ask(agent, path(id), undefined, deadline, "GET");
    if (memory.kind !== "episode") {
      for (const source of memory.sources) await this.#forgetSource(agent, source, id, deadline);
    }
    await this.#forgetOne(agent, id, deadline);
    return memory;
  }

  async #forgetSource(agent, source, id, deadline) {
    let formed;
    try {
      formed = (await this.#ask(agent, `${path(source)}/formed`, undefined, deadline, "GET")).memories;
    } catch (error) {
      if (error instanceof Fault && error.status === 404) return; // erased since
      throw error;
    }
    if (formed.every((one) => one.id === id)) await this.#forgetOne(agent, source, deadline);
  }

  async #forgetOne(agent, id, deadline) {
    await this.#ask(agent, `${path(id)}/forget`, { why: "forgotten through memory_forget" }, deadline);
  }

  /** Counts of an agent's memory, and how what was formed stands. */
  async stats(agent, deadline) {
    const [counts, health, server] = await Promise.all([
      this.#ask(agent, "/v1/stats", undefined, deadline, "GET"),
      this.#ask(agent, "/v1/health", undefined, deadline, "GET"),
      this.#backend.ask({ method: "GET", path: "/v1/server" }, deadline),
    ]);
    return { agent, ...counts, states: health.states, kinds: health.kinds, recipe: server.recipe, model: server.model, version: server.version };
  }

  /** Let unused memories fade and fall asleep now; how many began to fade, and how many fell asleep. */
  async decay(agent, dryRun, deadline) {
    const health = () => this.#ask(agent, "/v1/health", undefined, deadline, "GET");
    const { states: before } = await health();
    const report = await this.#ask(agent, "/v1/decay", { dry_run: dryRun }, deadline, "POST", { once: true });
    const { states: after } = await health();
    const more = (state) => (after[state] ?? 0) - (before[state] ?? 0);
    const dormant = more("dormant");
    return { agent, changed: report.changed, dryRun: report.dry_run, faded: more("fading") + dormant, dormant };
  }

  /** Wake a memory that sleeps or fades. */
  async revive(agent, id, deadline) {
    return (await this.#ask(agent, `${path(id)}/revive`, undefined, deadline)).memory;
  }

  /** The agents that have a memory here, for this user and project. */
  async agents(deadline) {
    const { user, project } = this.#settings;
    const { scopes } = await this.#backend.ask({ method: "GET", path: "/v1/scopes" }, deadline);
    return scopes.filter((scope) => scope.user === user && scope.project === project).map((scope) => scope.agent);
  }

  #ask(agent, route, body, deadline, method = "POST", options = {}) {
    const { user, project } = this.#settings;
    return this.#backend.ask({ method, path: route, body, scope: { agent, user, project } }, deadline, options);
  }
}

function path(id) {
  return `/v1/memories/${encodeURIComponent(id)}`;
}

/** A recollection, made ready: what is handed over, what is held back, and how sure the best was. */
function answer(found) {
  const hits = [...found.standing, ...found.hits].map(shape);
  return {
    hits,
    withheld: found.withheld.map(shape),
    gated: found.gated,
    bestScore: found.confidence ?? hits[0]?.score ?? 0,
    likely: found.confidence ?? null,
    ended: found.ended,
    trace: found.trace,
  };
}

function shape(hit) {
  const { memory } = hit;
  return {
    id: memory.id,
    text: hit.shown || memory.text,
    category: CATEGORIES.includes(memory.kind) ? memory.kind : "other",
    kind: memory.kind,
    importance: memory.standing.importance,
    score: hit.score,
    similarity: hit.cosine === null ? null : 1 / (1 + 2 - 2 * Math.min(1, hit.cosine)),
    at: memory.at,
    sources: memory.sources,
    withheld: hit.withheld,
    marks: marksOf(hit),
    signals: hit.signals.map(({ name, value, weight, share }) => ({ name, value, weight, share })),
  };
}

/** What became of a message that was handed over. */
function stored(receipt) {
  const verdicts = receipt.decisions.filter((one) => one.stage === "gate").map((one) => one.verdict);
  const screened = receipt.decisions.find((one) => one.stage === "screen");
  return {
    id: receipt.formed[0] ?? receipt.id,
    new: receipt.new,
    formed: receipt.formed,
    merged: receipt.formed.length > 0 && verdicts.every((one) => one === "update" || one === "reinforce"),
    quarantined: screened?.verdict === "quarantine" ? screened.why : "",
    masked: screened?.verdict === "mask" ? screened.why : "",
  };
}

/** Memories of which none is the message another was formed of, and none says the same twice. */
export function distinct(memories) {
  const formed = memories.filter((memory) => memory.kind !== "episode");
  const sources = new Set(formed.flatMap((memory) => memory.sources));
  const seen = new Set();
  return memories.filter((memory) => {
    if (memory.kind === "episode" && sources.has(memory.id)) return false;
    const key = memory.text.trim().toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
