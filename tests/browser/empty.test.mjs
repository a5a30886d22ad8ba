// An empty memory: every view says what fills it, and offers it.
import assert from "node:assert/strict";
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
      assert.deepEqual(await seriousFaults(page), [], view);
      if (locale === "tr-TR") await turkish(page, view);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("with one sentence, the views that need more say what makes it, and offer a dream to whoever may dream", async () => {
  reverie(stage.folder, "--no-model", "remember", "The spare key hangs behind the boiler.");
  for (const [options, dreams] of [[{}, 1], [{ token: bearer(stage.folder, "reader", "read") }, 0]]) {
    const { page, at, complaints, context } = await stage.open(options);
    await at("");
    await page.locator("#latest .row", { hasText: "spare key" }).waitFor();
    await page.locator(".counts b").first().waitFor();
    assert.match(await page.locator(".counts").innerText(), /1 memory\s+1 holds now\s+1 conversation\s+0 accesses/);
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
