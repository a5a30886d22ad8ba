// A server that asks for tokens: the page asks for one, keeps it for the tab, and shows what its bearer may see.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launched, madeStore, opened, removed, reverie, served } from "./stage.mjs";

let folder, server, browser, token;

before(async () => {
  folder = madeStore("demo");
  token = reverie(folder, "token", "add", "reader", "--rights", "read").trim().split(/\s+/)[0];
  server = await served(folder);
  browser = await launched();
});
after(async () => {
  await browser?.close();
  await server?.end();
  if (folder) removed(folder);
});

/** The browser itself notes answers of 401 and 403 in its console: these are asked for here. */
const uncalled = (complaints) => complaints.filter((one) => !/status of 40[13]/.test(one));

test("the token is asked for, kept in this tab alone, and sent", async () => {
  const { page, at, complaints, context } = await opened(browser, server.url);
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
  await other.goto(server.url);
  await other.getByLabel("Token").waitFor();
  assert.deepEqual(uncalled(complaints), []);
  await context.close();
});

test("what a reader may not do is refused, and said", async () => {
  const { page, at, complaints, context } = await opened(browser, server.url);
  await at("");
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Enter" }).click();
  await page.locator("#latest .row-link").first().click();
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.locator(".toast.bad").waitFor();
  await page.goto(`${server.url}/#/settings`);
  await page.getByRole("button", { name: "Forget the token" }).click();
  await page.getByLabel("Token").waitFor();
  assert.deepEqual(uncalled(complaints), []);
  await context.close();
});

test("the printed address opens everything, and its token leaves the address bar at once", async () => {
  const { page, at, complaints, context } = await opened(browser, server.url);
  await at(`#token=${server.token}`);
  await page.locator("#latest .row").first().waitFor();
  assert.ok(!page.url().includes("token"));
  assert.ok(!(await page.evaluate(() => Object.values({ ...localStorage }).join(" "))).includes(server.token));
  await page.reload();
  await page.locator("#latest .row").first().waitFor();
  await page.goto(`${server.url}/#token=${"x".repeat(40)}`);
  await page.getByLabel("Token").waitFor();
  await page.goto(`${server.url}/#token=${server.token}`);
  await page.locator("#latest .row").first().waitFor();
  assert.ok(!page.url().includes("token"));
  assert.deepEqual(uncalled(complaints), []);
  await context.close();
});
