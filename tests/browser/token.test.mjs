// A server that asks for tokens: the page asks for one, keeps it for the tab, and shows what its bearer may see.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer, madeStore, staged } from "./stage.mjs";

let token;
const stage = staged(() => {
  const folder = madeStore("demo");
  token = bearer(folder, "reader", "read");
  return folder;
});

/** The browser itself notes answers of 401 and 403 in its console: these are asked for here. */
const uncalled = (complaints) => complaints.filter((one) => !/status of 40[13]/.test(one));

test("the token is asked for, kept in this tab alone, and sent", async () => {
  const { page, at, complaints, context } = await stage.open({ token: "" });
  await at("");
  await page.getByLabel("Token").fill("not-one");
  await page.getByRole("button", { name: "Enter" }).click();
  await page.getByLabel("Token").waitFor();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Enter" }).click();
  await page.locator("#latest .row").first().waitFor();
  await page.locator(".live.on").waitFor();
  assert.equal(await page.evaluate(() => Object.values({ ...localStorage }).join(" ")).then((all) => all.includes("not-one")), false);
  assert.ok(!(await page.evaluate(() => Object.values({ ...localStorage }).join(" "))).includes(token));
  assert.ok(!page.url().includes(token));
  assert.equal(await page.getByLabel("Whose memory").locator("option").count(), 1);
  await page.reload();
  await page.locator("#latest .row").first().waitFor();
  const other = await context.newPage();
  await other.goto(stage.server.url);
  await other.getByLabel("Token").waitFor();
  assert.deepEqual(uncalled(complaints), []);
  await context.close();
});

test("a token that may only read sees no verb that it cannot use", async () => {
  const { page, at, complaints, context } = await stage.open({ token: "" });
  await at("");
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Enter" }).click();
  const verbs = page.getByRole("button", { name: /^(Pin|Unpin|Correct|Supersede|Forget|Wake|Release|Undo.*|Dream now|Dry run|Done|Drop|Cancel|Remember|Not this)$/ });
  await page.locator("#latest .row-link").first().click();
  await page.locator("#history li").first().waitFor();
  await page.getByRole("link", { name: "Show relations" }).first().waitFor();
  assert.equal(await verbs.count(), 0, "on a memory");
  for (const key of ["p", "c", "f", "s"]) await page.keyboard.press(key);
  assert.equal(await page.locator("dialog[open], .toast").count(), 0, "by key");
  await page.keyboard.press("?");
  await page.locator("dialog[open] .keys").waitFor();
  assert.equal(await page.locator("dialog[open]").getByText(/pin, correct/).count(), 0, "in the list of keys");
  await page.keyboard.press("Escape");
  for (const [view, there] of [["timeline", "#due li"], ["conversations", ".prompt .given"], ["dreams", ".dream"], ["health", "#quarantine .row"], ["graph", ".graph svg a"]]) {
    await page.goto(`${stage.server.url}/#/${view}`);
    await page.locator(there).first().waitFor();
    assert.equal(await verbs.count(), 0, view);
  }
  await page.goto(`${stage.server.url}/#/settings`);
  await page.getByText("Rights: read").waitFor();
  await page.getByRole("button", { name: "Forget the token" }).click();
  await page.getByLabel("Token").waitFor();
  assert.deepEqual(uncalled(complaints), []);
  await context.close();
});

test("a token that may write sees the verbs, but not the release from quarantine, and its name is logged", async () => {
  const ada = bearer(stage.folder, "ada", "write");
  const { page, at, complaints, context } = await stage.open({ token: ada });
  await at("#/health");
  await page.locator("#quarantine .row").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Release" }).count(), 0);
  await at("");
  await page.locator("#latest .row-link").first().click();
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.locator("#history li", { hasText: "pinned" }).first().getByText("ada").waitFor();
  assert.match(await page.locator("#history li", { hasText: "pinned" }).first().innerText(), /you\s*\(ada\)/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the printed address opens everything, and its token leaves the address bar at once", async () => {
  const { page, at, complaints, context } = await stage.open({ token: "" });
  await at(`#token=${stage.server.token}`);
  await page.locator("#latest .row").first().waitFor();
  assert.ok(!page.url().includes("token"));
  assert.ok(!(await page.evaluate(() => Object.values({ ...localStorage }).join(" "))).includes(stage.server.token));
  await page.reload();
  await page.locator("#latest .row").first().waitFor();
  await page.goto(`${stage.server.url}/#token=${"x".repeat(40)}`);
  await page.getByLabel("Token").waitFor();
  await page.goto(`${stage.server.url}/#token=${stage.server.token}`);
  await page.locator("#latest .row").first().waitFor();
  assert.ok(!page.url().includes("token"));
  assert.deepEqual(uncalled(complaints), []);
  await context.close();
});
