// The forgetting curve, in a recipe in which memories fade: drawn in the page's colours, and said in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { madeStore, paged, SCOPES, seriousFaults, settled, staged } from "./stage.mjs";

const stage = paged(staged(() => madeStore("demo"), "--recipe", "v9", "--no-model"));

/** A formed memory that was recalled, and one that was only said. */
async function memories() {
  const { memories: all } = await stage.asked("/v1/memories?limit=1000");
  const formed = all.filter((one) => one.kind !== "episode" && one.valid_until === null);
  return [formed.sort((a, b) => b.accesses - a.accesses)[0], all.find((one) => one.kind === "episode")];
}

/** How many pixels of the chart are of nearly this colour. */
const painted = (page, rgb) => page.locator("#curve canvas").evaluate((canvas, [r, g, b]) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) found += Number(data[at + 3] > 200 && Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 24);
  return found;
}, rgb);

const accent = (page) => page.evaluate(() => {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.style.color = "var(--accent)";
  const found = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  probe.remove();
  return found;
});

test("the curve is drawn in the colour of the look, says what it shows, and fits a phone", async () => {
  const [recalled] = await memories();
  const { page, at } = stage;
  await at(`#/memory/${recalled.id}`);
  await page.locator("#curve").getByText(/^Retrievability now \d+%/).waitFor();
  await page.getByRole("img", { name: "Retrievability by day" }).waitFor();
  await settled(page);
  const light = await accent(page);
  assert.ok((await painted(page, light)) > 100, "a line");
  assert.deepEqual(await seriousFaults(page), []);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 360, height: 740 });
  await at("#/settings");
  await at(`#/memory/${recalled.id}`);
  await page.locator("#curve canvas").waitFor();
  await settled(page);
  const dark = await accent(page);
  assert.notDeepEqual(dark, light);
  assert.ok((await painted(page, dark)) > 100, "a line in the dark");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "not too wide");
});

test("what was only said does not fade, and the page says so", async () => {
  const [, said] = await memories();
  await stage.at(`#/memory/${said.id}`);
  await stage.page.locator("#curve").getByText("word for word").waitFor();
});
