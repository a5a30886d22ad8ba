// The first view over a long life, and a search in it. REVERIE_BROWSER_MEMORIES says how long, a hundred thousand by default;
// REVERIE_BROWSER_STORE names a folder that holds such a store already.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { test } from "node:test";
import { emptyFolder, madeStore, reverie, staged } from "./stage.mjs";

const MEMORIES = process.env.REVERIE_BROWSER_MEMORIES ?? "100000";
const KEPT = process.env.REVERIE_BROWSER_STORE;
const RUNS = 5;
const stage = staged(() => {
  if (!KEPT) return madeStore("large", "--count", MEMORIES);
  const folder = emptyFolder(); // a copy: what a stage stands on is removed with it
  cpSync(KEPT, folder, { recursive: true });
  reverie(folder, "config", "trust", "--yes");
  return folder;
}, "--no-model");

/** Milliseconds from the request to the first row on the page, in a browser that knows nothing yet. */
async function firstView(hash, what) {
  const { page, complaints, context } = await stage.open();
  const started = performance.now();
  await page.goto(`${stage.server.url}/${hash}`, { waitUntil: "commit" });
  await page.locator(what).first().waitFor();
  const took = performance.now() - started;
  assert.deepEqual(complaints, []);
  await context.close();
  return took;
}

// Two seconds where the past is asked for: how its years are filled is counted over every memory first.
for (const [name, hash, what, most] of [
  ["the first view", "", "#latest .row", 700],
  ["the timeline", "#/timeline", "main .row", 1000],
  ["health", "#/health", "#growth .column", 2000],
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

const MOST_SEARCH_MS = 150;

test(`a search among ${MEMORIES} memories is answered on the page within ${MOST_SEARCH_MS} ms`, async () => {
  const { page, complaints, context } = await stage.open();
  await page.goto(stage.server.url);
  await page.locator("#latest .row").first().waitFor();
  const best = new Map();
  const cues = ["tea and what comes after it", "a train to Ankara", "What did we say about the garden?", "Note 77777", "the budget and the roof", "Mira", "a recipe"];
  for (const cue of Array.from({ length: RUNS }, () => cues).flat()) {
    await page.locator("#cue").fill(cue);
    // In the page: from the key until the first answer of this search stands on it.
    const ms = await page.evaluate(
      () =>
        new Promise((done) => {
          document.querySelector("#hits, #nothing")?.setAttribute("data-old", "");
          const started = performance.now();
          const watch = new MutationObserver(() => {
            if (!document.querySelector("#hits:not([data-old]) .hit, #nothing:not([data-old])")) return;
            watch.disconnect();
            done(Math.round(performance.now() - started));
          });
          watch.observe(document.querySelector("main"), { childList: true, subtree: true });
          document.querySelector("form.top").requestSubmit();
        }),
    );
    best.set(cue, Math.min(ms, best.get(cue) ?? Infinity));
  }
  const took = [...best.values()];
  assert.deepEqual(complaints, []);
  await context.close();
  const sorted = [...took].sort((a, b) => a - b);
  console.log(`a search among ${MEMORIES} memories: ${took.join(", ")} ms`);
  assert.ok(sorted[Math.floor(sorted.length / 2)] <= MOST_SEARCH_MS, `${took.join(", ")} ms`);
});

test("growth over years fits", async () => {
  const { page, context } = await stage.open();
  await page.goto(`${stage.server.url}/#/health`);
  await page.locator("#growth .column").first().waitFor();
  assert.ok((await page.locator("#growth .column").count()) <= 62);
  await context.close();
});
