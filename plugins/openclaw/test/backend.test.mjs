// The server behind the plugin: started when it is needed, again when it died, and ended with the plugin. Every failure
// says why and what to do, and is told again at once for a while instead of being waited for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Backend, sharedBackend } from "../src/backend.js";
import { within } from "../src/client.js";
import { settingsOf } from "../src/config.js";
import { folder, program, server, SILENT } from "./support.mjs";

const PING = { method: "GET", path: "/v1/ping" };

function backend(context, given, more = {}) {
  let one = null;
  const environment = { ...process.env, OPENCLAW_STATE_DIR: folder(context, () => one?.stop()) };
  one = new Backend({ settings: settingsOf(given), logger: SILENT, environment, ...more });
  return one;
}

test("one server is started for all who ask at once, with a token of its own", async (context) => {
  const command = program(context, `await tell({ "GET /v1/ping": (call) => ({ pid: process.pid, token: call.token, given: process.env.REVERIE_SERVE_TOKEN, words: process.argv.slice(2) }) });`);
  const one = backend(context, { command });
  const found = await Promise.all([1, 2, 3].map(() => one.ask(PING, within(20_000))));
  assert.equal(new Set(found.map((said) => said.pid)).size, 1);
  assert.equal(found[0].token, `Bearer ${found[0].given}`);
  assert.ok(found[0].given.length >= 40);
  assert.deepEqual(found[0].words, ["serve", "--json", "--create", "--tethered"]);
  assert.ok(one.isReady);
});

test("one that died in mid-turn is started again, and asked once more", async (context) => {
  const command = program(context, `let asked = 0; await tell({ "GET /v1/ping": () => (asked++ === 1 ? process.exit(9) : { pid: process.pid }) });`);
  const one = backend(context, { command });
  const first = await one.ask(PING, within(20_000));
  const second = await one.ask(PING, within(20_000)); // dies over this one
  assert.notEqual(second.pid, first.pid);
});

test("what must not be done twice is not asked twice", async (context) => {
  const command = program(context, `await tell({ "GET /v1/ping": () => process.exit(9) });`);
  const one = backend(context, { command });
  await assert.rejects(one.ask(PING, within(20_000), { once: true }), { kind: "gone" });
});

test("one that dies over the same question twice is an error, not a loop", async (context) => {
  const command = program(context, `await tell({ "GET /v1/ping": () => process.exit(9) });`);
  await assert.rejects(backend(context, { command }).ask(PING, within(20_000)), { kind: "gone" });
});

test("a program that is not there says how to install it, and is not looked for at every turn", async (context) => {
  let now = 0;
  const one = backend(context, { command: "no-such-reverie" }, { now: () => now });
  const failed = (error) => error.kind === "missing" && /not found.*pip install/s.test(error.message);
  await assert.rejects(one.ask(PING, within(20_000)), failed);
  const [same] = await Promise.allSettled([one.ask(PING, within(20_000))]);
  const [again] = await Promise.allSettled([one.ask(PING, within(20_000))]);
  assert.equal(same.reason, again.reason);
  now += 60_000;
  const [later] = await Promise.allSettled([one.ask(PING, within(20_000))]);
  assert.notEqual(later.reason, again.reason);
  assert.equal(later.reason.kind, "missing");
});

const starts = [
  ["ends at once", `console.error("The store is damaged. Run doctor."); process.exit(3);`, "start", /store is damaged/],
  ["is too old", `console.error("Error: No such option: --tethered"); process.exit(2);`, "version", /too old.*Update/s],
  ["is another version", `await tell({ "GET /v1/server": { version: "0.0.1" } });`, "version", /0\.0\.1/],
  ["says nothing", `setInterval(() => {}, 1000);`, "start", /1000 ms/],
];
for (const [what, code, kind, told] of starts) {
  test(`a program that ${what} is told with its reason`, async (context) => {
    const one = backend(context, { command: program(context, code), startTimeoutMs: 1000 + (what === "says nothing" ? 0 : 20_000) });
    await assert.rejects(one.ask(PING, within(25_000)), (error) => {
      assert.equal(error.kind, kind);
      assert.match(error.message, told);
      return true;
    });
  });
}

test("a start that takes longer than the turn may goes on for the next one", async (context) => {
  const code = `setTimeout(() => tell({ "GET /v1/ping": { ok: true } }), 700);`;
  const one = backend(context, { command: program(context, code) });
  await assert.rejects(one.ask(PING, within(100)), { kind: "silent" });
  assert.deepEqual(await one.ask(PING, within(20_000)), { ok: true });
});

test("it ends with the plugin, and with the process that started it", async (context) => {
  const one = backend(context, { command: program(context, `await tell({ "GET /v1/ping": { pid: process.pid } });`) });
  const { pid } = await one.ask(PING, within(20_000));
  await one.stop();
  assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  await assert.rejects(one.ask(PING, within(5000)), { kind: "gone" });
  one.open();
  assert.notEqual((await one.ask(PING, within(20_000))).pid, pid);
});

test("a server that is named is asked, and none is started", async (context) => {
  const given = await server({ "GET /v1/ping": (call) => ({ token: call.token }) });
  context.after(given.close);
  const one = backend(context, { url: given.url, token: "mine", command: "no-such-reverie" });
  assert.equal((await one.ask(PING, within(5000))).token, "Bearer mine");
  await one.ask(PING, within(5000));
  assert.equal(given.of("GET /v1/server").length, 1);
  assert.equal(one.isOwn, false);
});

test("a named server that refuses, is none of ours, or is gone says so, and may come back", async (context) => {
  let known = false;
  const given = await server({ "GET /v1/server": () => (known ? { version: "0.1.0" } : { status: 401, detail: "No token.", mend: "" }), "GET /v1/ping": { ok: true } });
  const one = backend(context, { url: given.url });
  await assert.rejects(one.ask(PING, within(5000)), { kind: "refused", message: /reverie serve token add/ });
  known = true;
  assert.deepEqual(await one.ask(PING, within(5000)), { ok: true });
  await given.close();
  await assert.rejects(one.ask(PING, within(5000)), { kind: "gone" });
});

test("all instances of the plugin share a server, which ends with the last of them", async (context) => {
  const environment = { ...process.env, OPENCLAW_STATE_DIR: folder(context) };
  const settings = settingsOf({ command: program(context, `await tell({ "GET /v1/ping": { pid: process.pid } });`) });
  const [one, other] = [sharedBackend({ settings, logger: SILENT, environment }), sharedBackend({ settings: { ...settings }, logger: SILENT, environment })];
  assert.equal(one, other);
  assert.notEqual(one, sharedBackend({ settings: { ...settings, minScore: 0.1 }, logger: SILENT, environment }));
  one.open();
  other.open();
  const { pid } = await one.ask(PING, within(20_000));
  await one.stop();
  assert.equal((await other.ask(PING, within(20_000))).pid, pid);
  await other.stop();
  assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
});
