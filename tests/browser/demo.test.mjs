// The demo that `reverie demo --keep` leaves: it fills every view; and the page speaks the browser's language, wholly.
import assert from "node:assert/strict";
import { readFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launched, opened, removed, reverie, ROOT, served, settled } from "./stage.mjs";

const SCOPE = "agent=assistant&user=defne-and-tom&project=demo";
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
let folder, server, browser;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "reverie-browser-"));
  reverie(folder, "demo", "--keep", "trial");
  server = await served(join(folder, "trial"));
  browser = await launched();
});
after(async () => {
  await browser?.close();
  await server?.end();
  if (folder) removed(folder);
});

async function aMemory() {
  const { memories } = await (await fetch(`${server.url}/v1/formed?${SCOPE}`, { headers: server.headers })).json();
  return memories.find((one) => one.standing.superseded_by).id;
}

test("the demo's data fills every view", async () => {
  const { page, at, complaints, context } = await opened(browser, server.url, { token: server.token });
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

/** The English texts of the page that are other ones in Turkish, without those with a value in them; and the names. */
function english() {
  const read = (name) => readFileSync(join(ROOT, "dashboard", "src", name), "utf8");
  const texts = (name) => new Map([...read(name).matchAll(/^ {2}"([\w.]+)": "(.*)",$/gm)].map(([, key, text]) => [key, text]));
  const [en, tr] = [texts("texts-en.ts"), texts("texts-tr.ts")];
  assert.deepEqual([...en.keys()].sort(), [...tr.keys()].sort());
  const names = [...read("names-tr.ts").matchAll(/(?:"([a-z -]+)"|\b([a-z]+)): "([^"]+)"/g)].filter(([, a, b, says]) => (a ?? b) !== says).map(([, a, b]) => a ?? b);
  return new Set([...[...en].filter(([key, text]) => tr.get(key) !== text && !text.includes("{")).map(([, text]) => text), ...names]);
}

/** The texts of the page's own: not what somebody said, not what is code or marked as English. */
const own = (page) => page.evaluate(() => {
  const walk = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const { parentElement, nodeValue } = walk.currentNode;
    if (!parentElement.closest("bdi, code, kbd, option[lang], [lang=en], svg text, svg title, .conversation header p")) found.push(nodeValue.trim());
  }
  for (const one of document.querySelectorAll("[aria-label], [placeholder]")) found.push((one.getAttribute("aria-label") ?? one.getAttribute("placeholder")).trim());
  return found.filter(Boolean);
});

test("a Turkish browser gets a Turkish page: texts, kinds, signals, steps, dates", async () => {
  const words = english();
  const { page, at, complaints, context } = await opened(browser, server.url, { token: server.token, locale: "tr-TR" });
  for (const view of [...Object.keys(FILLED), `#/memory/${await aMemory()}`, "#/graph?entity=entity%3A%2F%2Fperson%2Fokafor", "#/search?q=uzay&asof=2026-03-20", "#/nowhere"]) {
    await at(view);
    await settled(page);
    if (view.includes("Cartwright")) {
      await page.keyboard.press("n");
      for (const more of ["#how > summary", ".confidence summary"]) await page.locator(more).click();
      await page.locator(".numbers", { hasText: "sözcükler" }).first().waitFor();
      await page.locator("#how th", { hasText: "anlama" }).first().waitFor();
    }
    assert.equal(await page.evaluate(() => document.documentElement.lang), "tr");
    const left = (await own(page)).filter((text) => words.has(text));
    assert.deepEqual(left, [], `${view} has English in it`);
    for (const date of await page.locator("main time").allInnerTexts()) assert.doesNotMatch(date, /\b(Jan|Feb|Apr|May|Jun|Jul|Aug|Sep|Oct|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/, view);
  }
  await at("#/settings");
  await page.getByLabel("Dil").selectOption("en");
  await page.getByRole("heading", { name: "Settings" }).first().waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Settings" }).first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
  const other = await opened(browser, server.url, { token: server.token, locale: "de-DE" });
  await other.at("");
  await other.page.getByRole("link", { name: "Timeline" }).waitFor();
  await other.context.close();
});
