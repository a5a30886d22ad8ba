// The turns of a conversation: before one, what bears on it is handed over; after it, what was said is kept, once.
// In, OpenClaw's hook events; out, a block for the prompt, and messages to Reverie. A turn never fails or waits for it.

import { createHash } from "node:crypto";

import { agentOf, configOf, isBarred, sessionOf } from "./agents.js";
import { within } from "./client.js";
import { told } from "./fault.js";
import { labels } from "./marks.js";
import { distinct } from "./memory.js";
import { fenced, said, shown, wordsOf } from "./text.js";

/** Turns nobody took part in. */
const UNATTENDED = new Set(["cron", "heartbeat", "memory", "overflow"]);
const NO_PERSON = new Set(["inter_session", "internal_system"]);
/** What an assistant says when it says nothing. */
const SILENT = /^(?:NO_REPLY|HEARTBEAT_OK|ANNOUNCE_SKIP|REPLY_SKIP)$/;
const SPEAKERS = Object.freeze({ user: "user", assistant: "assistant" });
const ASKED_MOST = 200;
const LETTER = /\p{L}/u;
const WARN_AGAIN_MS = 300_000;
const AHEAD_MS = 60_000;
/** The first turn, if it comes before the server is up, waits for it so long; no later one does. */
const START_MS = 10_000;
/** What is kept after a turn is waited for so long; the rest goes on meanwhile. */
const KEEP_MS = 1_000;

/** The two hooks, and what they know of turns that are under way. */
export class Turns {
  #api;
  #memory;
  #settings;
  #now;
  #isReady;
  #asked = new Map();
  #cursors = new Map();
  #queues = new Map();
  #warned = new Map();
  #hasWaited = false;

  constructor({ api, memory, settings, isReady = () => true, now = Date.now }) {
    this.#isReady = isReady;
    this.#api = api;
    this.#memory = memory;
    this.#settings = settings;
    this.#now = now;
  }

  /** before_prompt_build: a block of memories, or nothing. */
  async before(event, context = {}) {
    const asked = event.currentUserMessage ?? event.prompt ?? "";
    this.#note(context, event.currentUserMessage);
    const text = said(asked);
    if (!this.#settings.autoRecall || !LETTER.test(text) || !this.#concerns(context)) return undefined;
    try {
      const patience = this.#settings.recallTimeoutMs;
      const isFirst = !this.#hasWaited && !this.#isReady();
      this.#hasWaited = true;
      const deadline = within(isFirst ? Math.max(patience, START_MS) : patience);
      const found = await this.#memory.recall(agentOf(context), text, { automatic: true, session: sessionOf(context) }, deadline);
      context.hookInvocation?.assertActive?.();
      const memories = distinct(found.hits);
      if (memories.length === 0) return undefined;
      const marks = labels(memories, [...found.hits, ...found.withheld]);
      const lines = memories.map((one, at) => this.#line(one, marks[at]));
      return { prependContext: fenced(lines) };
    } catch (error) {
      this.#warn("recall", error);
      return undefined;
    }
  }

  /** agent_end: keep what was said since the last time. Turns of one conversation come one after another. */
  after(event, context = {}) {
    const key = `${agentOf(context)} ${sessionOf(context)}`;
    const earlier = this.#queues.get(key) ?? Promise.resolve();
    const work = earlier.then(() => this.#keep(event, context, key)).catch((error) => this.#warn("capture", error));
    const last = work.finally(() => {
      if (this.#queues.get(key) === last) this.#queues.delete(key);
    });
    this.#queues.set(key, last);
    return Promise.race([last, new Promise((resolve) => setTimeout(resolve, KEEP_MS).unref())]);
  }

  /** session_end: what is known of a conversation that is over goes. */
  over(event, context = {}) {
    this.#cursors.delete(`${agentOf(context)} ${context.sessionId || event.sessionId || sessionOf(context)}`);
  }

  /** Until everything is kept that is being kept. */
  async settled() {
    await Promise.all(this.#queues.values());
  }

  #line({ category, at, text }, marks) {
    return `- [${[category, at.slice(0, 10), ...(marks ? [marks] : [])].join(", ")}] ${shown(text, this.#settings.recallMaxChars)}`;
  }

  #note(context, text) {
    const key = context.runId ?? context.sessionKey;
    if (key === undefined) return;
    this.#asked.delete(key);
    this.#asked.set(key, { text, provenance: context.inputProvenance?.kind });
    if (this.#asked.size > ASKED_MOST) this.#asked.delete(this.#asked.keys().next().value);
  }

  #concerns(context, provenance = context.inputProvenance?.kind) {
    if (UNATTENDED.has(context.trigger) || NO_PERSON.has(provenance)) return false;
    return !isBarred(configOf(this.#api), agentOf(context));
  }

  async #keep(event, context, key) {
    const asked = this.#asked.get(context.runId ?? context.sessionKey);
    const provenance = context.inputProvenance?.kind ?? asked?.provenance;
    if (!this.#settings.autoCapture || !this.#concerns(context, provenance)) return;
    const messages = Array.isArray(event.messages) ? event.messages : [];
    const told = spoken(messages);
    const place = told.findLastIndex((one) => one.role === "user");
    if (place >= 0 && typeof asked?.text === "string") told[place] = { ...told[place], text: said(asked.text) };
    const deadline = within(this.#settings.captureTimeoutMs);
    for (const one of told.slice(startOf(told, this.#cursors.get(key), place))) {
      if (isWorth(one, event.success !== false)) {
        await this.#memory.keep(agentOf(context), this.#message(one, sessionOf(context)), deadline);
      }
      this.#cursors.set(key, one.mark);
    }
  }

  #message({ role, text, mark, timestamp }, session) {
    const message = { text, speaker: SPEAKERS[role], role, session, message_id: `openclaw-${digest(session, mark)}` };
    if (Number.isFinite(timestamp) && timestamp > 0 && timestamp < this.#now() + AHEAD_MS) {
      message.at = new Date(timestamp).toISOString();
    }
    return message;
  }

  #warn(what, error) {
    const kind = `${what} ${error?.kind ?? "failed"}`;
    const before = this.#warned.get(kind);
    if (before !== undefined && this.#now() - before < WARN_AGAIN_MS) return;
    this.#warned.set(kind, this.#now());
    this.#api.logger.warn(`reverie: ${what} is left out of this turn: ${told(error)}`);
  }
}

/** The messages of both sides, each with a mark that stays the same however often the transcript is told. */
function spoken(messages) {
  const counts = new Map();
  return messages.filter((message) => message?.role in SPEAKERS).map((message) => {
    const text = said(wordsOf(message));
    const timestamp = typeof message.timestamp === "number" ? message.timestamp : Date.parse(message.timestamp ?? "");
    const once = digest(message.role, Number.isFinite(timestamp) ? timestamp : "", text);
    const count = (counts.get(once) ?? 0) + 1;
    counts.set(once, count);
    return { role: message.role, text, timestamp, mark: `${once} ${count}` };
  });
}

/** Where to go on: behind what was kept last, else at the turn that has just ended. */
function startOf(told, cursor, lastFromUser) {
  const known = cursor === undefined ? -1 : told.findLastIndex((one) => one.mark === cursor);
  return known >= 0 ? known + 1 : Math.max(0, lastFromUser);
}

function isWorth({ role, text }, succeeded) {
  if (!LETTER.test(text) || SILENT.test(text)) return false;
  return role === "user" || succeeded;
}

function digest(...parts) {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
}
