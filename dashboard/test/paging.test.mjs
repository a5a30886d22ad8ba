// Paging back through a long life: nothing is shown twice, nothing is left out, whatever the life looks like.
import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.mjs";

const { lastPage } = await source("parts/paging.ts");

const DAY = 86_400_000;
const LIVES = {
  "evenly spread": Array.from({ length: 1000 }, (_, n) => n * DAY),
  "a burst at the end": [0, ...Array.from({ length: 500 }, (_, n) => 900 * DAY + n * 1000)],
  "a burst, then silence": [...Array.from({ length: 500 }, (_, n) => n * 1000), 900 * DAY],
  "all at once": Array.from({ length: 700 }, () => 5),
  "bursts of one millisecond": Array.from({ length: 900 }, (_, n) => Math.floor(n / 90) * DAY),
  "a single one": [7],
};

for (const [name, life] of Object.entries(LIVES)) {
  test(`every item once, newest first: ${name}`, async () => {
    let calls = 0;
    const items = life.map((at, id) => ({ at, id }));
    const source = {
      first: life[0],
      at: (item) => item.at,
      fetch: async ({ start, end }, limit) => {
        calls += 1;
        return items.filter(({ at }) => start <= at && at < end).slice(0, limit);
      },
    };
    const seen = [];
    let [end, span] = [life.at(-1) + 1, undefined];
    for (let pages = 0; end !== null; pages += 1) {
      assert.ok(pages <= items.length);
      const page = await lastPage(source, end, 50, span);
      seen.push(...page.items);
      [end, span] = [page.before, page.span];
    }
    assert.deepEqual(seen, [...items].reverse());
    assert.ok(calls <= 200, `${calls} calls`);
  });
}
