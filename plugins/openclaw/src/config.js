// The plugin's settings: in, what OpenClaw read of `plugins.entries.reverie.config`; out, every key with its value,
// and what of it the server that is started needs to know.

import { homedir } from "node:os";
import { join, isAbsolute, resolve } from "node:path";

import { MAIN } from "./agents.js";
import { Fault } from "./fault.js";

/** Every key with its default; `store` follows OpenClaw's own folder. The manifest's schema says the same. */
export const DEFAULTS = Object.freeze({
  recipe: "reverie",
  command: "reverie",
  store: "",
  url: "",
  token: "",
  user: "owner",
  project: "openclaw",
  autoRecall: true,
  autoCapture: true,
  similarityWeight: 0.5,
  activationWeight: 0.35,
  importanceWeight: 0.15,
  confidenceThreshold: 0.35,
  minScore: 0.5,
  recallLimit: 5,
  autoRecallLimit: 3,
  decayEnabled: true,
  decayOnStartup: true,
  fadingThreshold: 0.3,
  dormantThreshold: 0.1,
  deduplicationThreshold: 0.85,
  recallMaxChars: 1000,
  recallTimeoutMs: 1000,
  captureTimeoutMs: 15000,
  startTimeoutMs: 30000,
});

/** Keys of the recipe `openclaw`, and the variables by which Reverie takes them. */
const RECIPE_KEYS = Object.freeze({
  similarityWeight: "SIMILARITY_WEIGHT",
  activationWeight: "ACTIVATION_WEIGHT",
  importanceWeight: "IMPORTANCE_WEIGHT",
  confidenceThreshold: "CONFIDENCE_THRESHOLD",
  minScore: "MIN_SCORE",
  recallLimit: "LIMIT",
  autoRecallLimit: "AUTOMATIC_LIMIT",
  decayEnabled: "DECAY",
  decayOnStartup: "DECAY_ON_STARTUP",
  fadingThreshold: "FADING_THRESHOLD",
  dormantThreshold: "DORMANT_THRESHOLD",
  deduplicationThreshold: "DEDUPLICATION_THRESHOLD",
});

/** Keys that a server which runs already has settings of its own for. */
const OF_OUR_SERVER = Object.freeze(["command", "store", "recipe", ...Object.keys(RECIPE_KEYS)]);
const ASKED_FOR = new Set(["recallLimit", "autoRecallLimit"]);
/** Keys of those that are sent with each question, so that any server heeds them. */

/** The settings in force. Throws a Fault for a key nobody knows: OpenClaw's own check has let it through then. */
export function settingsOf(given) {
  const found = given ?? {};
  const unknown = Object.keys(found).find((key) => !(key in DEFAULTS));
  if (unknown !== undefined) {
    throw new Fault("config", `There is no setting ${JSON.stringify(unknown)}.`, `There are ${Object.keys(DEFAULTS).join(", ")}.`);
  }
  const set = Object.entries(found).filter(([, value]) => value !== undefined && value !== null);
  return Object.freeze({ ...DEFAULTS, ...Object.fromEntries(set) });
}

/** Settings that do nothing because the server that is named has its own. */
export function idle(settings, given) {
  if (!settings.url) return settings.token ? ["token"] : [];
  return OF_OUR_SERVER.filter((key) => !ASKED_FOR.has(key) && (given ?? {})[key] !== undefined);
}

/** The folder in which OpenClaw keeps its state. */
export function stateFolder(environment = process.env) {
  const named = environment.OPENCLAW_STATE_DIR?.trim();
  return named ? resolve(named) : join(environment.HOME || homedir(), ".openclaw");
}

/** The store's path; a path that names another kind of store, such as `lance:…`, stays as it is. */
export function storePath(settings, environment = process.env) {
  const named = settings.store;
  if (!named) return join(stateFolder(environment), "memory", "reverie", "reverie.db");
  if (named.startsWith("~/")) return join(environment.HOME || homedir(), named.slice(2));
  if (isAbsolute(named) || /^[a-z][a-z0-9+.-]*:/i.test(named)) return named;
  return resolve(stateFolder(environment), named);
}

/** The words by which the server is started. */
export function commandOf(settings) {
  return Array.isArray(settings.command) ? settings.command : [settings.command];
}

/** The variables the server is started with, over those of this process. */
export function variables(settings, store, token) {
  const keys = Object.entries(RECIPE_KEYS).map(([key, name]) => [`REVERIE_OPENCLAW_${name}`, String(settings[key])]);
  return {
    ...Object.fromEntries(keys),
    REVERIE_STORE: store,
    REVERIE_RECIPE: settings.recipe,
    // Whose a table is that names agents alone, where `store` is OpenClaw's own.
    REVERIE_AGENT: MAIN,
    REVERIE_USER: settings.user,
    REVERIE_PROJECT: settings.project,
    REVERIE_SERVE_HOST: "127.0.0.1",
    REVERIE_SERVE_PORT: "0",
    REVERIE_SERVE_DREAM_AT: "",
    REVERIE_SERVE_TOKEN: token,
  };
}
