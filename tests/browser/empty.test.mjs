// An empty memory: every view says what fills it, and offers it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { turkish } from "./language.mjs";
import { bearer, emptyFolder, reverie, seriousFaults, settled, staged } from "./stage.mjs";

const VIEWS = ["#/", "#/timeline", "#/conversations", "#/graph", "#/dreams", "#/health"];
const stage = staged(() => {
  const folder = emptyFolder();
  reverie(folder, "init", "--agent", "helper", "--user", "nobody", "--project", "nothing");
  return folder;
}, "--no-model");

test("before the first word each view names the commands that bring one, in both languages", async () => {
  for (const locale of ["en-GB", "tr-TR"]) {
    const { page, at, complaints, context } = await stage.open({ locale });
    for (const view of VIEWS) {
      await at(view);
      await page.locator("#begin code", { hasText: "reverie remember" }).waitFor();
      await page.locator("main h1").waitFor({ state: "attached" });
      assert.deepEqual(await seriousFaults(page), [], view);
      if (locale === "tr-TR") await turkish(page, view);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("a token that may only read is offered no sentence to write", async () => {
  const { page, at, complaints, context } = await stage.open({ token: bearer(stage.folder, "onlooker", "read") });
  await at("");
  await page.locator("#begin code").first().waitFor();
  await settled(page);
  assert.equal(await page.locator("#begin form").count(), 0);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the first sentence can be written there, and another open page shows it without being loaded again", async () => {
  const [writer, onlooker] = [await stage.open(), await stage.open({ locale: "tr-TR", viewport: { width: 360, height: 700 } })];
  await onlooker.at("");
  await onlooker.page.locator("#begin").waitFor();
  await writer.at("#/timeline");
  const keep = writer.page.getByRole("button", { name: "Remember" });
  assert.equal(await keep.isDisabled(), true);
  await writer.page.getByLabel("The first sentence to remember").fill("The attic window sticks in wet weather.");
  await keep.click();
  for (const { page } of [writer, onlooker]) {
    await page.locator("main .row", { hasText: "attic window" }).waitFor();
    await page.locator(".live.on").waitFor();
  }
  const { user, project } = JSON.parse(await writer.page.evaluate(() => localStorage.getItem("reverie.scope")));
  assert.deepEqual([user, project], ["nobody", "nothing"]);
  for (const { complaints, context } of [writer, onlooker]) {
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("with a second sentence, the views that need more say what makes it, and offer a dream to whoever may dream", async () => {
  reverie(stage.folder, "--no-model", "remember", "The spare key hangs behind the boiler.");
  for (const [options, dreams] of [[{}, 1], [{ token: bearer(stage.folder, "reader", "read") }, 0]]) {
    const { page, at, complaints, context } = await stage.open(options);
    await at("");
    await page.locator("#latest .row", { hasText: "spare key" }).waitFor();
    await page.locator(".counts b").first().waitFor();
    assert.match(await page.locator(".counts").innerText(), /2 memories\s+2 hold now\s+1 conversation\s+0 accesses/);
    await at("#/graph");
    await page.locator("#empty", { hasText: "A dream links memories" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Dream now" }).count(), dreams);
    await at("#/conversations");
    await page.locator("#empty code", { hasText: "reverie install claude-code" }).waitFor();
    await at("#/dreams");
    await page.locator("main", { hasText: "No dream yet." }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Dream now" }).count(), dreams);
    await at("#/health");
    await page.locator("#cost", { hasText: "Nothing was recalled yet." }).waitFor();
    await settled(page);
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("five years of messages that came in one day are charted by when they were said", async () => {
  const said = Array.from({ length: 120 }, (_, number) => ({ text: `Loaf number ${number} is baked.`, speaker: "Ada", role: "user", session: `b${number}`, at: new Date(Date.UTC(2021, 0, 5 + 15 * number)).toISOString() }));
  const file = join(stage.folder, "said.jsonl");
  writeFileSync(file, said.map((one) => JSON.stringify(one)).join("\n"));
  reverie(stage.folder, "--no-model", "import", file);
  const { page, at, complaints, context } = await stage.open();
  await at("#/health");
  await page.getByRole("heading", { name: "By when it was said" }).waitFor();
  await page.locator("#growth").getByText("by month").waitFor();
  const columns = await page.locator("#growth .column").count();
  assert.ok(columns > 55 && columns < 75, String(columns));
  assert.deepEqual(await seriousFaults(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});
