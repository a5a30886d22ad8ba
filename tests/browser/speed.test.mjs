// The first view over a long life. REVERIE_BROWSER_MEMORIES says how long, a hundred thousand by default;
// REVERIE_BROWSER_STORE names a folder that holds such a store already.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launched, madeStore, opened, removed, served } from "./stage.mjs";

const MEMORIES = process.env.REVERIE_BROWSER_MEMORIES ?? "100000";
const KEPT = process.env.REVERIE_BROWSER_STORE;
const RUNS = 5;
let folder, server, browser;

before(async () => {
  folder = KEPT ?? madeStore("large", MEMORIES);
  server = await served(folder, "--no-model");
  browser = await launched();
});
after(async () => {
  await browser?.close();
  await server?.end();
  if (folder && !KEPT) removed(folder);
});

/** Milliseconds from the request to the first row on the page, in a browser that knows nothing yet. */
async function firstView(hash, what) {
  const { page, complaints, context } = await opened(browser, server.url, { token: server.token });
  const started = performance.now();
  await page.goto(`${server.url}/${hash}`, { waitUntil: "commit" });
  await page.locator(what).first().waitFor();
  const took = performance.now() - started;
  assert.deepEqual(complaints, []);
  await context.close();
  return took;
}

// Two seconds where the past is asked for: how its years are filled is counted over every memory first.
for (const [name, hash, what, most] of [
  ["the first view", "", "#latest .row", 1000],
  ["the timeline", "#/timeline", "main .row", 1000],
  ["the timeline as of two years ago", "#/timeline?asof=2024-01-01T00:00:00.000Z", "main .row", 2000],
]) {
  test(`${name} of ${MEMORIES} memories comes within ${most} ms`, async () => {
    const took = [];
    for (let run = 0; run < RUNS; run += 1) took.push(Math.round(await firstView(hash, what)));
    const [best] = [...took].sort((a, b) => a - b); // whatever else the machine does can only add to it
    console.log(`${name} of ${MEMORIES} memories: ${took.join(", ")} ms`);
    assert.ok(best <= most, `${took.join(", ")} ms`);
  });
}
