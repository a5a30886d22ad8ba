// Asking a server: the scope and the token go along, and whatever goes wrong says what to do.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, within } from "../src/client.js";
import { requireVersion } from "../src/version.js";
import { server } from "./support.mjs";

const SCOPE = { agent: "a/b&c", user: "u", project: "p" };

test("scope, token and body arrive as they are", async (context) => {
  const one = await server({ "POST /v1/x": { ok: true } });
  context.after(one.close);
  const where = { url: `${one.url}/`, token: "hush" };
  assert.deepEqual(await ask(where, { path: "/v1/x", scope: SCOPE, body: { text: "ğ \ud83d" } }, within(5000)), { ok: true });
  assert.deepEqual(one.asked[0], { route: "POST /v1/x", scope: SCOPE, body: { text: "ğ \ud83d" }, token: "Bearer hush" });
});

const refusals = [
  [401, "refused", /reverie serve token add/],
  [403, "refused", /right/],
  [404, "answer", /no such thing/],
  [429, "answer", /requests_per_minute/],
  [500, "answer", /It broke/],
];
for (const [status, kind, told] of refusals) {
  test(`${status} says what to do`, async (context) => {
    const detail = status === 404 ? "There is no such thing." : "It broke.";
    const one = await server({ "GET /v1/x": { status, detail, mend: "Look at it." } });
    context.after(one.close);
    await assert.rejects(ask({ url: one.url }, { method: "GET", path: "/v1/x" }, within(5000)), (error) => {
      assert.equal(error.kind, kind);
      assert.equal(error.status, status);
      assert.match(error.message, told);
      return true;
    });
  });
}

test("nobody there, and nobody who answers in time", async (context) => {
  const one = await server({ "GET /v1/x": () => new Promise(() => {}) });
  await assert.rejects(ask({ url: one.url }, { method: "GET", path: "/v1/x" }, within(50)), { kind: "silent" });
  await one.close();
  await assert.rejects(ask({ url: one.url }, { method: "GET", path: "/v1/x" }, within(5000)), (error) => {
    assert.equal(error.kind, "gone");
    assert.match(error.message, /ECONNREFUSED.*reverie serve/s);
    return true;
  });
});

test("what is not Reverie, or too old, is told apart", () => {
  assert.throws(() => requireVersion({ hello: 1 }), { kind: "version", message: /not Reverie/ });
  assert.throws(() => requireVersion({ version: "0.0.9" }), { kind: "version", message: /0\.0\.9.*needs/ });
  for (const version of ["0.1.0", "0.1.1", "1.0.0", "0.10.0", "0.1.0.dev3"]) requireVersion({ version });
});
