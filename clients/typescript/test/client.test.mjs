// The client against a real `reverie serve` on this machine.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { Reverie, ReverieError, ReverieUnreachable } from "../dist/index.js";
import { Server } from "./serving.mjs";

const SCOPE = { agent: "helper", user: "ada", project: "home" };

let server, address, memory;

before(async () => {
  server = await new Server().start();
  address = server.address;
  memory = new Reverie({ url: address, scope: SCOPE });
});

after(() => server.stop());

/** The error that a promise ends with. */
async function failed(promise) {
  return promise.then(
    () => assert.fail("this was to be refused"),
    (error) => error,
  );
}

test("what is remembered is recalled, and what is forgotten is not", async () => {
  const receipt = await memory.remember("The spare key hangs behind the boiler.", { session: "monday" });
  assert.equal(receipt.new, true);
  assert.deepEqual(receipt.scope, SCOPE);
  const found = await memory.recall("Where is the spare key?", { top_k: 3 });
  assert.equal(found.hits[0].memory.id, receipt.id);
  assert.equal((await memory.memory(receipt.id)).session, "monday");
  await memory.forget(receipt.id, { why: "moved" });
  const again = await memory.recall("Where is the spare key?");
  assert.deepEqual(again.hits.filter((hit) => hit.memory.id === receipt.id), []);
  await memory.restore(receipt.id);
  assert.equal((await memory.recall("Where is the spare key?")).hits[0].memory.id, receipt.id);
  assert.deepEqual((await memory.erase(receipt.id, "asked for")).scope, SCOPE);
  assert.equal((await failed(memory.memory(receipt.id))).kind, "not-found");
});

test("every call reaches its route: observe, note, relate, correct, feedback, timeline, undo", async () => {
  const here = memory.in({ ...SCOPE, project: "calls" });
  const seen = await here.observe("I prefer green tea.", { message_id: "m1", deliberate: true });
  assert.equal((await here.observe("I prefer green tea.", { message_id: "m1" })).new, false);
  const [note] = await here.note("The boiler is in the cellar.", { tags: ["house"] });
  assert.equal((await here.correct(note.id, { text: "The boiler is in the attic." })).text, "The boiler is in the attic.");
  assert.equal((await here.feedback(note.id, { verdict: "used" })).id, note.id);
  assert.equal((await here.relate(seen.id, { target: note.id, kind: "related_to" })).target, note.id);
  assert.equal((await here.rememberMany([{ text: "One.", message_id: "a" }, { text: "Two.", message_id: "b" }])).new, 2);
  assert.ok((await here.timeline({ limit: 2 })).length === 2);
  assert.ok((await here.latest()).some((one) => one.text === "Two."));
  assert.equal((await here.explain("boiler")).scope.project, "calls");
  const events = (await here.events({ limit: 100 })).events;
  assert.ok(events.length >= 5);
  const intention = await here.intend("water the plants", { at: "2026-03-02T08:00:00Z" });
  assert.equal(intention.action, "water the plants");
  assert.ok(Array.isArray((await here.due()).due));
  assert.ok((await here.dream({})).scope.project === "calls");
  assert.ok((await here.stats()).scope.project === "calls");
});

test("any text arrives unchanged", async () => {
  const here = memory.in({ ...SCOPE, project: "texts" });
  const text = "İstanbul'da \u0000 <b>çay</b> 🫖 ${x} \ud800 end";
  const { id } = await here.remember(text);
  const found = await here.memory(id);
  const bytes = found.text_base64 ? Buffer.from(found.text_base64, "base64") : undefined;
  assert.ok(found.text === text || bytes.includes(Buffer.from([0xed, 0xa0, 0x80])), JSON.stringify(found));
});

test("an error says what went wrong and what to do", async () => {
  const error = await failed(memory.memory("01M7NOTHERE"));
  assert.ok(error instanceof ReverieError);
  assert.equal(error.status, 404);
  assert.equal(error.kind, "not-found");
  assert.ok(error.mend.length > 0 && error.message.includes(error.mend));
  assert.match(error.requestId, /^[0-9a-f]+$/);
  const wrong = await failed(memory.recall("key", { top_k: -1 }));
  assert.equal(wrong.status, 422);
  assert.ok(wrong.faults.length > 0);
  const strange = await failed(memory.api.POST("/v1/recall", { params: { query: SCOPE }, body: { cue: "a", nope: 1 } })
    .then(({ error: problem }) => Promise.reject(problem)));
  assert.equal(strange.status, 422);
});

test("a token is needed, and binds", async () => {
  const url = address.split("#")[0];
  const nobody = await failed(new Reverie({ url, scope: SCOPE }).recall("key"));
  assert.equal(nobody.status, 401);
  assert.equal((await failed(new Reverie({ url, token: "rev_wrong", scope: SCOPE }).recall("key"))).kind, "unauthorized");
  const words = ["--store", server.store, "serve", "token", "add", "wall", "--rights", "read", "--scope", "helper/ada/home"];
  const token = /rev_\S+/.exec(await server.run(...words))[0];
  const reader = new Reverie({ url, token });
  assert.deepEqual((await reader.recall("key")).scope, SCOPE);
  assert.equal((await reader.whoami()).name, "wall");
  assert.equal((await failed(reader.remember("No."))).kind, "forbidden");
  assert.equal((await failed(reader.in({ ...SCOPE, user: "bob" }).recall("key"))).status, 403);
});

test("nothing that answers, or too late, or as another program, is an error of its own", async () => {
  const silent = createServer((request, response) => {
    if (request.url.startsWith("/v1/stats")) response.writeHead(500, { "content-type": "text/plain" }).end("oops");
    if (request.url.startsWith("/v1/due")) response.writeHead(302, { location: "http://127.0.0.1:9/elsewhere" }).end();
  });
  await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${silent.address().port}`;
  const patient = new Reverie({ url, scope: SCOPE, timeoutMs: 50 });
  assert.ok((await failed(patient.recall("key"))) instanceof ReverieUnreachable);
  const usual = new Reverie({ url, scope: SCOPE });
  assert.ok((await failed(usual.stats())) instanceof ReverieUnreachable);
  assert.ok((await failed(usual.due())) instanceof ReverieUnreachable);
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
  assert.ok((await failed(usual.recall("key"))) instanceof ReverieUnreachable);
});

test("a wait that the server asks for is told in seconds", async () => {
  const problem = { type: "urn:reverie:too-many-requests", title: "", status: 429, detail: "Wait.", mend: "", request_id: "a" };
  const headers = { "content-type": "application/problem+json", "retry-after": "7" };
  const fetch = async () => new Response(JSON.stringify(problem), { status: 429, headers });
  const error = await failed(new Reverie({ fetch, scope: SCOPE }).recall("key"));
  assert.equal(error.retryAfterS, 7);
});
