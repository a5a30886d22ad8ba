// Other people's data: a year of two people in two languages, on which nothing of the page was tried while it was made.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { turkish } from "./language.mjs";
import { bearer, madeStore, reverie, SCOPES, seriousFaults, settled, staged } from "./stage.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const LOOKS = [
  { colorScheme: "light", locale: "tr-TR" },
  { colorScheme: "dark", locale: "en-GB" },
  { colorScheme: "light", locale: "en-GB", ...PHONE },
  { colorScheme: "dark", locale: "tr-TR", ...PHONE },
];
const CUE = encodeURIComponent("Where does the boat lie?");
const VIEWS = ["#/", `#/search?q=${CUE}`, `#/search?q=${CUE}&asof=2026-03-10`, "#/search?q=Tokyo%20flight", "#/timeline", "#/timeline?session=sails", "#/conversations", "#/graph", "#/graph?entity=entity%3A%2F%2Fperson%2Faylin", "#/dreams", "#/health"];
const stage = staged(() => madeStore("year"));

const asked = (path) => stage.asked(path, SCOPES.year);

/** The first memory that says something; a formed one before the message it came from. */
async function memory(has) {
  const { memories } = await asked("/v1/memories?limit=1000");
  const found = memories.filter((one) => one.text.includes(has));
  return found.find((one) => one.kind !== "episode") ?? found[0];
}

/** Do it on a page of its own that nothing complains on. */
async function onPage(options, work) {
  const { page, at, complaints, context } = await stage.open(options);
  await work(page, at);
  assert.deepEqual(complaints, []);
  await context.close();
}

for (const look of LOOKS) {
  const name = [look.locale, look.colorScheme, look.isMobile ? "phone" : "desktop"].join(", ");
  test(`every view is whole, without a fault of axe and not too wide: ${name}`, () => onPage(look, async (page, at) => {
    for (const view of [...VIEWS, `#/memory/${(await memory("2,450")).id}`, `#/graph/${(await memory("Aylin")).id}`]) {
      await at(view);
      await settled(page);
      assert.deepEqual(await seriousFaults(page), [], view);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${view} is too wide`);
      assert.doesNotMatch(await page.locator("#app").innerText(), /\{\w+|undefined|NaN|Invalid Date|\d{4}-\d\d-\d\dT/, view);
      if (look.locale === "tr-TR") await turkish(page, view);
    }
  }));
}

test("the words of a Turkish question are marked in a Turkish answer", () => onPage({ locale: "tr-TR" }, async (page, at) => {
  await at(`#/search?q=${encodeURIComponent("Teknenin adı ne?")}`);
  const hit = page.locator("#hits .hit", { hasText: "Teknenin adı Martı" });
  await hit.waitFor();
  assert.deepEqual(await hit.locator("mark").allInnerTexts(), ["Teknenin", "adı"]);
}));

test("then and now account for each answer: new, no longer, outdated, no longer among them, as before", () => onPage({}, async (page, at) => {
  await at(`#/search?q=${CUE}&asof=2026-03-10`);
  await page.locator("#then .hit", { hasText: "mooring in Ahrenholm" }).getByText("outdated now").waitFor();
  await page.locator("#now .hit", { hasText: "lies in Sollund now" }).getByText("new since").waitFor();
  const says = await page.locator("#changed").innerText();
  const [added, gone, outdated, fell, kept] = [...says.matchAll(/\d+/g)].map(Number);
  assert.equal(gone + outdated + fell + kept, await page.locator("#then .hit").count(), says);
  assert.equal(added, await page.locator("#now .badge", { hasText: "new since" }).count(), says);
}));

test("a conversation that spans days says which turn was on which", () => onPage({}, async (page, at) => {
  await at("#/timeline?session=sails");
  const talk = page.locator(".conversation");
  await talk.locator("h2", { hasText: "The new mainsail cost 2,300 euros." }).waitFor();
  assert.match(await talk.locator("header").innerText(), /5 Sept? 2026 – Sat, 26 Sept? 2026 · sails · 5 messages/);
  assert.equal(await talk.locator(".day").count(), 2);
  await page.getByRole("link", { name: "Show everything" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".conversation").length > 5);
}));

test("labels of relations tell their nodes apart", () => onPage({}, async (page, at) => {
  await at("#/graph");
  for (const label of ["…2,300 euros.", "…2,450 euros."]) await page.locator(".graph text", { hasText: label }).first().waitFor();
}));

test("a memory's life: what was corrected, forgotten and pinned; its history says what was linked with what", () => onPage({}, async (page, at) => {
  for (const [has, steps] of [["2,300", ["said", "kept", "superseded"]], ["smell", ["said", "formed", "forgotten"]], ["penisilin", ["said", "kept", "pinned or unpinned"]]]) {
    await at(`#/memory/${(await memory(has)).id}`);
    await page.locator("#life .life-now").waitFor();
    const life = (await page.locator("#life .life b").allInnerTexts()).map((text) => text.replace(/ \d+×/, "").trim());
    for (const step of steps) assert.ok(life.includes(step), `${has}: ${life.join()}`);
  }
  const linked = await memory("rye bread severim");
  await at(`#/memory/${linked.id}`);
  await page.locator("#history .linked", { hasText: "Ben en çok" }).first().waitFor();
}));

/** A file with so many messages to import. */
function toImport(count) {
  const line = (n) => JSON.stringify({ text: `Note ${n}: the tide at pier ${n % 17} was late.`, speaker: "Ilka", session: `in-${n % 60}`, at: new Date(Date.UTC(2025, 0, 1) + n * 60_000).toISOString() });
  const file = join(stage.folder, "more.jsonl");
  writeFileSync(file, Array.from({ length: count }, (_, n) => line(n)).join("\n"));
  return file;
}

const job = (page, kind, state) => page.locator("#jobs li", { has: page.locator("b", { hasText: kind }) }).filter({ has: page.locator(".badge", { hasText: state }) });

test("jobs: each with its state, and why one failed; one that was cancelled is tried again, and done", () => onPage({}, async (page, at) => {
  await at("#/dreams");
  await job(page, "import", "failed").getByText("There is no file").waitFor();
  assert.equal(await job(page, "dream", "done").getByRole("button").count(), 0, "what is done is done");
  await job(page, "dream", "cancelled").getByRole("button", { name: "Try again" }).click();
  await job(page, "dream", "done").nth(1).waitFor({ timeout: 60_000 });
}));

test("why a job failed is said in Turkish to a Turkish browser", () => onPage({ locale: "tr-TR" }, async (page, at) => {
  await at("#/dreams");
  await job(page, "içe aktarma", "başarısız").getByText("Böyle bir dosya yok:").waitFor();
}));

test("a job that runs says how far it is, is cancelled at its next step, and goes on where it stopped", () => onPage({}, async (page, at) => {
  await at("#/dreams");
  await job(page, "import", "failed").waitFor();
  reverie(stage.folder, "jobs", "start", "import", "--file", toImport(3000));
  await page.reload();
  await job(page, "import", "runs").getByText(/[1-9][\d,]* so far/).waitFor();
  await job(page, "import", "runs").getByRole("button", { name: "Cancel" }).click();
  const again = job(page, "import", "cancelled").getByRole("button", { name: "Try again" });
  await again.waitFor({ timeout: 30_000 });
  const { jobs } = await asked("/v1/jobs");
  const far = jobs.find((one) => one.kind === "import" && one.state === "cancelled").done;
  assert.ok(far > 0 && far < 3000, `${far}`);
  await again.click();
  await job(page, "import", "done").waitFor({ timeout: 90_000 });
  // The bar of one whose whole is known: the server's own answer, with its first job a while before the end.
  await page.route("**/v1/jobs?*", async (route) => {
    const answer = await route.fetch();
    const all = await answer.json();
    Object.assign(all.jobs[0], { state: "running", done: 40, total: 100 });
    await route.fulfill({ response: answer, json: all });
  });
  await page.reload();
  await page.locator("#jobs li").first().getByRole("img", { name: "40 of 100" }).waitFor();
}));

test("who may write sees no verb of a job that it cannot use", async () => {
  await onPage({ token: bearer(stage.folder, "ada", "write") }, async (page, at) => {
    await at("#/dreams");
    await job(page, "import", "failed").waitFor();
    await page.getByRole("button", { name: "Dream now" }).waitFor();
    assert.equal(await job(page, "import", "failed").getByRole("button").count(), 0);
  });
});
