// The plugin as OpenClaw loads it: registered without a start, started and stopped with the gateway, never in its way.

import assert from "node:assert/strict";
import { test } from "node:test";

import plugin from "../index.js";
import { played, program, server } from "./support.mjs";

test("the entry is what OpenClaw looks for, and registering starts nothing", () => {
  assert.equal(plugin.id, "reverie");
  const { hooks, services, lines, capability } = played({ command: "no-such-reverie" });
  assert.deepEqual(Object.keys(hooks), ["before_model_resolve", "before_prompt_build", "agent_end", "session_end"]);
  assert.equal(services[0].id, "reverie");
  assert.deepEqual(lines, { info: [], warn: [], error: [] });
  assert.equal(capability.deterministicRecallToolName, "memory_recall");
});

test("where OpenClaw asks for the commands alone, there are these and nothing of its runtime is touched", () => {
  const registered = [];
  const only = (name) => () => registered.push(name);
  const { api } = played();
  plugin.register({
    ...api,
    registrationMode: "cli-metadata",
    registerCli: only("commands"),
    registerTool: only("tool"),
    registerService: only("service"),
    on: only("hook"),
    get runtime() {
      throw new Error("runtime is intentionally unavailable");
    },
  });
  assert.deepEqual(registered, ["commands"]);
});

test("the model is told of its tools where it has them", () => {
  const { capability } = played();
  assert.match(capability.promptBuilder({ availableTools: new Set(["memory_recall"]) }).join("\n"), /memory_store/);
  assert.deepEqual(capability.promptBuilder({ availableTools: new Set() }), []);
});

test("settings nobody knows leave the gateway running, without a memory and with the reason", () => {
  const { tools, services, lines } = played({ minscore: 1 });
  assert.deepEqual([tools, services], [{}, []]);
  assert.match(lines.error[0], /"minscore"/);
});

test("what does nothing beside a named server is said", () => {
  assert.match(played({ url: "http://127.0.0.1:1", minScore: 0.2 }).lines.warn[0], /minScore does nothing/);
});

test("where OpenClaw does not let it hear conversations it says so, and how to change that", () => {
  const allowed = (hooks) => ({ plugins: { entries: { reverie: { enabled: true, hooks } } } });
  for (const config of [allowed(undefined), allowed({ allowConversationAccess: false }), { plugins: {} }]) {
    assert.match(played({}, config).lines.warn[0], /config set plugins\.entries\.reverie\.hooks\.allowConversationAccess true/);
  }
  assert.deepEqual(played({}, allowed({ allowConversationAccess: true })).lines.warn, []);
  assert.deepEqual(played({ autoCapture: false }, allowed(undefined)).lines.warn, []);
});

test("the gateway starts without waiting, and is told why there is no memory", async () => {
  const { services, lines } = played({ command: "no-such-reverie" });
  assert.equal(services[0].start(), undefined);
  while (lines.error.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.match(lines.error[0], /there is no memory yet: `no-such-reverie` was not found\. Install it/);
  await services[0].stop();
});

test("stopping waits for what is being kept, and ends the server", async (context) => {
  const command = program(context, `await tell({ "POST /v1/observe": async () => { await new Promise((go) => setTimeout(go, 200)); return { id: "e", formed: [], decisions: [], new: true }; } });`);
  process.env.OPENCLAW_STATE_DIR = command[1].replace("/played.mjs", "/state");
  context.after(() => delete process.env.OPENCLAW_STATE_DIR);
  const { services, hooks, lines } = played({ command });
  const kept = hooks.agent_end({ messages: [{ role: "user", content: "I like tea." }], success: true }, { sessionId: "s" });
  await services[0].stop();
  await kept;
  assert.deepEqual(lines.warn, []);
});

test("a reloaded plugin asks its own server, not the old one's", async (context) => {
  const [one, other] = [await server({}), await server({})];
  context.after(one.close);
  context.after(other.close);
  await played({ url: one.url }).call("memory_recall", { query: "x" });
  await played({ url: other.url }).call("memory_recall", { query: "x" });
  assert.deepEqual([one.asked.length, other.asked.length], [2, 2]);
});
