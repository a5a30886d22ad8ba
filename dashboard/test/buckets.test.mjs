// Growth in a handful of spans, for a life of a day and for one of years: nothing is lost, and nothing is left out between.
import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.mjs";

const { bucketed, unitFor } = await source("parts/buckets.ts");

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2021, 0, 31, 9);
const LIVES = {
  "one moment": [[START], "hour", 1],
  "one day": [[START, START + 3 * HOUR, START + 9 * HOUR], "hour", 10],
  "a month": [Array.from({ length: 30 }, (_, n) => START + n * DAY), "day", 30],
  "a year": [[START, START + 100 * DAY, START + 360 * DAY], "week", 53],
  "five years": [Array.from({ length: 500 }, (_, n) => START + n * 3.65 * DAY), "month", 60],
  "thirty years": [[START, START + 30 * 365 * DAY], "year", 30],
};

for (const [name, [life, unit, most]] of Object.entries(LIVES)) {
  test(`a life of ${name} is shown by ${unit}, in at most ${most + 1} bars`, () => {
    assert.equal(unitFor(life[0], life.at(-1)), unit);
    const bars = bucketed(life.map((at) => ({ at, episodes: 1, formed: 2 })), unit);
    assert.ok(bars.length <= most + 1, `${bars.length} bars`);
    assert.equal(bars.reduce((sum, one) => sum + one.episodes, 0), life.length);
    assert.equal(bars.reduce((sum, one) => sum + one.formed, 0), 2 * life.length);
    bars.slice(1).forEach((one, at) => assert.equal(one.at, bars[at].end));
    assert.ok(bars[0].episodes && bars.at(-1).episodes, "from the first to the last");
  });
}

test("where hours are not known, a life of a day is one bar", () => {
  assert.equal(unitFor(START, START + HOUR, "day"), "day");
  assert.equal(bucketed([{ at: START, episodes: 3, formed: 0 }], "day").length, 1);
});
