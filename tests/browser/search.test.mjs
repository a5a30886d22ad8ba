// Search in a real browser: text first, why on demand, silence where nothing answers, then and now side by side.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { madeStore, paged, staged } from "./stage.mjs";

const asks = (cue, more = "") => `#/search?q=${encodeURIComponent(cue)}${more}`;
const stage = paged(staged(() => madeStore("demo")));
const { asked } = stage;
let page;
beforeEach(() => ({ page } = stage));

const hit = (place = 0) => page.locator("#hits .hit").nth(place);

test("the text comes first, with the cue's words marked", async () => {
  await stage.at("");
  await page.keyboard.press("/");
  await page.keyboard.type("What is Tom allergic to?");
  await page.keyboard.press("Enter");
  await hit().waitFor();
  assert.match(await hit().innerText(), /^[^\n]*(walnuts|hazelnut)/);
  assert.ok((await hit().locator("mark").allInnerTexts()).some((word) => /^allerg/i.test(word)));
  assert.equal(await page.locator("main mark", { hasText: /^to$/ }).count(), 0, "words that say nothing are not marked");
  await stage.at(asks("Annem ne zaman geliyor?"));
  await page.locator("#hits mark", { hasText: /^annem/i }).first().waitFor();
});

test("one bar of stacked signals a hit, in the same colours everywhere, and the numbers on demand", async () => {
  await stage.at(asks("What is Tom allergic to?"));
  await hit().waitFor();
  assert.equal(await hit().locator(".stack").count(), 1);
  const kinds = await hit().locator(".part[class*=family-]").evaluateAll((all) => all.map((one) => [...one.classList].find((name) => name.startsWith("family-"))));
  assert.ok(new Set(kinds).size >= 4, kinds.join());
  const colours = await page.locator(".part.family-words:not(.minus), .swatch.family-words").evaluateAll((all) => [
    ...new Set(all.map((one) => getComputedStyle(one, one.classList.contains("swatch") ? "::before" : undefined).backgroundColor)),
  ]);
  assert.equal(colours.length, 1, "bar and legend agree");
  assert.match(await hit().locator(".stack").getAttribute("aria-label"), /words \+[\d.]+/);
  assert.equal(await page.locator(".numbers").count(), 0);
  await hit().locator("[data-row]").focus();
  await page.keyboard.press("n");
  await hit().locator(".numbers").waitFor();
  assert.match(await hit().locator(".numbers").innerText(), /window\s+1\.000\s+[\d.]+\s+\+[\d.]+/);
});

test("the turns around a hit are one key away", async () => {
  await stage.at(asks("Who picked her up at Arrivals?"));
  await hit().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("t");
  await hit().locator(".turn.here").waitFor();
  assert.ok((await hit().locator(".turn").count()) >= 4);
  const times = await hit().locator(".turn time").evaluateAll((all) => all.map((one) => one.dateTime));
  assert.deepEqual(times, [...times].sort());
  await page.keyboard.press("t");
  await hit().locator(".turn").first().waitFor({ state: "detached" });
});

test("badges say what is superseded, outdated and quoted, with what holds instead", async () => {
  await stage.at(asks("What is Tom allergic to?"));
  const old = page.locator("#hits .hit.gone").first();
  await old.locator(".badge", { hasText: "superseded" }).waitFor();
  await old.locator(".about", { hasText: "Superseded by" }).getByRole("link", { name: /hazelnuts I am allergic/ }).waitFor();
  await page.locator("#hits .badge", { hasText: "outdated" }).first().waitFor();
  await stage.at(asks("What does the letting agent write about the cat?"));
  await page.locator(".hit", { hasText: "The letting agent writes" }).locator(".badge", { hasText: "quoted" }).first().waitFor();
  await stage.at(asks("Are walnuts safe for Tom?", "&past=1"));
  await page.locator(".hit .badge", { hasText: "contradicted" }).first().waitFor();
});

test("where nothing answers, the page says that and no more; the nearest are shown on demand", async () => {
  await stage.at(asks("Which airline flew me to Tokyo?"));
  await page.getByText("Nothing here answers that.").waitFor();
  assert.equal(await page.locator("#hits, #withheld, #standing-orders, #how").count(), 0);
  assert.equal(await page.locator(".hit:visible").count(), 0);
  await page.getByText(/What comes nearest/).click();
  await page.locator("#nothing .hit:visible").first().waitFor();
});

test("how it was found: confidence with its grounds, steps, what was withheld and why, standing orders; looking is not using", async () => {
  await stage.at(asks("Who picked her up at Arrivals?", "&top=50"));
  await hit().waitFor();
  await page.locator("#how > summary").click();
  await page.locator(".confidence summary").click();
  assert.ok((await page.locator(".confidence .signals li").count()) > 3);
  await page.locator("#how th", { hasText: "search" }).first().waitFor();
  assert.match(await page.locator("#withheld .hit").first().innerText(), /Found, and not handed over: repeats number \d+/);
  await page.getByRole("heading", { name: "Standing orders" }).waitFor();
  const before = (await asked("/v1/stats")).accesses;
  await page.reload();
  await hit().waitFor();
  assert.equal((await asked("/v1/stats")).accesses, before);
});

test("as of a date, beside now, with what changed since", async () => {
  await stage.at(asks("What is Tom allergic to?"));
  await hit().waitFor();
  await page.getByLabel("As of").fill("2026-03-10");
  await page.waitForURL(/asof=2026-03-10/);
  await page.locator("#then .hit").first().waitFor();
  for (const at of await page.locator("#then .hit > .meta time").evaluateAll((all) => all.map((one) => one.dateTime))) assert.ok(at < "2026-03-11", at);
  assert.match(await page.locator("#changed").innerText(), /What changed since: [1-9]\d* new since, [1-9]\d* no longer/);
  await page.locator("#now .hit", { hasText: "hazelnuts" }).getByText("new since").first().waitFor();
  await page.locator("#then .hit", { hasText: "allergic to walnuts" }).getByText("no longer").first().waitFor();
  assert.equal(await page.locator(".compared .stack").count(), await page.locator(".compared .hit").count(), "one bar a hit here too");
  const [then, now] = await Promise.all(["#then", "#now"].map((one) => page.locator(one).boundingBox()));
  assert.ok(then.x + then.width <= now.x && Math.abs(then.y - now.y) < 2, "side by side");
  await page.getByLabel("Also what was superseded").check();
  await page.waitForURL(/past=1/);
});
