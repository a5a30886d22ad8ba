// The demo that `reverie demo --keep` leaves: it fills every view; and the page speaks the browser's language, wholly.
import assert from "node:assert/strict";
import { test } from "node:test";
import { turkish } from "./language.mjs";
import { emptyFolder, removed, reverie, settled, staged } from "./stage.mjs";

/** What shows that a view is filled. */
const FILLED = {
  "#/": ["#latest .row"],
  "#/search?q=When%20does%20Tom%20start%20at%20Cartwright%20%26%20Moon%3F": ["#hits .hit", ".stack", "#how"],
  "#/timeline": [".conversation .turn-row", "#due li"],
  "#/conversations": [".prompt .given"],
  "#/graph": [".graph svg a", "#entities .chip"],
  "#/dreams": [".dream .fields", ".dream .made"],
  "#/health": ["#growth .column", "#grown li", "#stale .row", "#cost li", "#quarantine .row"],
  "#/settings": ["#in-force tr"],
};
const stage = staged(() => {
  const folder = emptyFolder();
  removed(folder);
  reverie(".", "demo", "--keep", folder);
  return folder;
});

async function aMemory() {
  const { memories } = await stage.asked("/v1/formed");
  return memories.find((one) => one.standing.superseded_by).id;
}

test("the demo's data fills every view", async () => {
  const { page, at, complaints, context } = await stage.open();
  for (const [view, there] of Object.entries(FILLED)) {
    await at(view);
    for (const one of there) await page.locator(one).first().waitFor({ state: "attached" });
    await settled(page);
    assert.equal(await page.locator(".empty, #nothing").count(), 0, view);
  }
  await at(`#/memory/${await aMemory()}`);
  await page.locator("#life .life-superseded").waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a Turkish browser gets a Turkish page: texts, kinds, signals, steps, dates", async () => {
  const { page, at, complaints, context } = await stage.open({ locale: "tr-TR" });
  for (const view of [...Object.keys(FILLED), `#/memory/${await aMemory()}`, "#/graph?entity=entity%3A%2F%2Fperson%2Fokafor", "#/search?q=uzay&asof=2026-03-20", "#/nowhere"]) {
    await at(view);
    await settled(page);
    if (view.includes("Cartwright")) {
      await page.keyboard.press("n");
      for (const more of ["#how > summary", ".confidence summary"]) await page.locator(more).click();
      await page.locator(".numbers", { hasText: "sözcükler" }).first().waitFor();
      await page.locator("#how th", { hasText: "anlama" }).first().waitFor();
      const notes = await page.locator("#how td[title]").allInnerTexts();
      assert.deepEqual(notes.filter((note) => /\b(the|of|with|is|by)\b/.test(note)), [], "what the steps noted is Turkish too");
    }
    await turkish(page, view);
  }
  await at("#/settings");
  await page.getByLabel("Dil").selectOption("en");
  await page.getByRole("heading", { name: "Settings" }).first().waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Settings" }).first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
  const other = await stage.open({ locale: "de-DE" });
  await other.at("");
  await other.page.getByRole("link", { name: "Timeline" }).waitFor();
  await other.context.close();
});
