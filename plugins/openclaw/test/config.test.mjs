// The settings: every key optional, the manifest and the code say the same, and the server is told what it must know.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { DEFAULTS, idle, settingsOf, stateFolder, storePath, variables } from "../src/config.js";

const manifest = JSON.parse(readFileSync(new URL("../openclaw.plugin.json", import.meta.url), "utf8"));
const package_ = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

test("every key is optional and has the documented default", () => {
  const settings = settingsOf(undefined);
  assert.deepEqual({ ...settings }, { ...DEFAULTS });
  const documented = { similarityWeight: 0.5, activationWeight: 0.35, importanceWeight: 0.15, confidenceThreshold: 0.35, minScore: 0.5 };
  const further = { recallLimit: 5, autoRecallLimit: 3, decayEnabled: true, decayOnStartup: true, fadingThreshold: 0.3, dormantThreshold: 0.1, deduplicationThreshold: 0.85, autoRecall: true, autoCapture: true, recipe: "reverie" };
  for (const [key, value] of Object.entries({ ...documented, ...further })) assert.equal(settings[key], value, key);
});

test("the manifest and the code know the same keys and defaults", () => {
  const { properties, additionalProperties, required } = manifest.configSchema;
  assert.equal(additionalProperties, false);
  assert.equal(required, undefined);
  assert.deepEqual(Object.keys(properties).sort(), Object.keys(DEFAULTS).sort());
  assert.deepEqual(Object.keys(manifest.uiHints).sort(), Object.keys(DEFAULTS).sort());
  for (const [key, { default: value }] of Object.entries(properties)) {
    if (value !== undefined) assert.equal(value, DEFAULTS[key], key);
  }
});

test("the package names its entry, and is of one version with the manifest", () => {
  assert.deepEqual(package_.openclaw.extensions, ["./index.js"]);
  assert.equal(package_.dependencies, undefined);
  assert.equal(package_.license, "Apache-2.0");
  assert.equal(package_.version, manifest.version);
  assert.equal(manifest.kind, "memory");
});

test("a key nobody knows is refused by name", () => {
  assert.throws(() => settingsOf({ minscore: 1 }), /"minscore"/);
});

test("what is set to nothing has its default", () => {
  assert.equal(settingsOf({ minScore: undefined, recipe: null }).minScore, 0.5);
  assert.equal(settingsOf({ confidenceThreshold: 0 }).confidenceThreshold, 0);
});

test("the store lies in OpenClaw's own folder unless it is named", () => {
  const home = { HOME: "/of/ada" };
  assert.equal(storePath(settingsOf({}), home), "/of/ada/.openclaw/memory/reverie/reverie.db");
  assert.equal(storePath(settingsOf({}), { ...home, OPENCLAW_STATE_DIR: "/state" }), "/state/memory/reverie/reverie.db");
  assert.equal(storePath(settingsOf({ store: "~/mine.db" }), home), "/of/ada/mine.db");
  assert.equal(storePath(settingsOf({ store: "/else/mine.db" }), home), "/else/mine.db");
  assert.equal(storePath(settingsOf({ store: "mine.db" }), home), "/of/ada/.openclaw/mine.db");
  assert.equal(storePath(settingsOf({ store: "lance:/x" }), home), "lance:/x");
  assert.equal(stateFolder(home), "/of/ada/.openclaw");
});

test("the server that is started is told every key of the recipe, and listens on this machine alone", () => {
  const told = variables(settingsOf({ minScore: 0.2, decayEnabled: false, recipe: "reverie" }), "/s.db", "hush");
  assert.equal(told.REVERIE_OPENCLAW_MIN_SCORE, "0.2");
  assert.equal(told.REVERIE_OPENCLAW_DECAY, "false");
  assert.equal(told.REVERIE_RECIPE, "reverie");
  assert.equal(told.REVERIE_STORE, "/s.db");
  assert.equal(told.REVERIE_SERVE_HOST, "127.0.0.1");
  assert.equal(told.REVERIE_SERVE_PORT, "0");
  assert.equal(told.REVERIE_SERVE_TOKEN, "hush");
  assert.deepEqual([told.REVERIE_AGENT, told.REVERIE_USER, told.REVERIE_PROJECT], ["main", "owner", "openclaw"]);
});

test("what does nothing beside a server that is named is known", () => {
  const given = { url: "http://127.0.0.1:1", minScore: 0.2, recallLimit: 2, store: "x" };
  assert.deepEqual(idle(settingsOf(given), given), ["store", "minScore"]);
  assert.deepEqual(idle(settingsOf({ token: "t" }), { token: "t" }), ["token"]);
  assert.deepEqual(idle(settingsOf({}), {}), []);
});
