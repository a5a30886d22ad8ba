// The documentation as a stranger sees it: `make docs` built it, this file serves it, and a real Chromium reads it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { launched, opened, ROOT, seriousFaults } from "./stage.mjs";

const BUILT = join(ROOT, "docs", "_build", "html");
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png" };
const TASKS = { "Give Claude Code a memory": "Give a coding agent a memory", "Bring my ChatGPT history": "Import your chat history", "Find out why it said that": "Find out why it said that" };
const PAGES = ["index.html", "start.html", "how-to/coding-agent.html", "cli/index.html", "cli/memory.html", "benchmarks.html", "settings.html", "dashboard.html"];
const VIEWS = [1280, 390].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ viewport: { width, height: 860 }, colorScheme })));
const skip = existsSync(join(BUILT, "index.html")) ? false : "`make docs` has built no pages";
let server, browser, url;

before(async () => {
  if (skip) return;
  server = createServer((request, answer) => {
    const file = join(BUILT, decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const found = file.startsWith(BUILT) && existsSync(file);
    answer.writeHead(found || file.endsWith("favicon.ico") ? 200 : 404, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    answer.end(found ? readFileSync(file) : "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${server.address().port}`;
  browser = await launched();
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("each of the first three tasks is one click away", { skip }, async () => {
  const { page, complaints, context } = await opened(browser, url);
  for (const [link, title] of Object.entries(TASKS)) {
    await page.goto(`${url}/index.html`);
    await page.locator("article").getByRole("link", { name: link }).click();
    assert.match(await page.locator("h1").first().textContent(), new RegExp(title));
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the search finds the guide among the first three, and the command, also by a Turkish word", { skip }, async () => {
  const { page, context } = await opened(browser, url);
  const wanted = { forget: "Correct or forget something", unut: "Correct or forget something", backup: "Back up and restore" };
  for (const [word, title] of Object.entries(wanted)) {
    await page.goto(`${url}/search.html?q=${word}`);
    await page.locator(".search-summary").getByText("found").waitFor();
    const titles = await page.locator("ul.search > li > a").allTextContents();
    assert.ok(titles.slice(0, 3).includes(title), titles.slice(0, 5).join(", "));
    assert.ok(titles.slice(0, 5).some((one) => one.startsWith("reverie ")), titles.slice(0, 5).join(", "));
  }
  await context.close();
});

test("the search finds pages by what people call their subject", { skip }, async () => {
  const { page, context } = await opened(browser, url);
  const wanted = { windows: "platforms", langchain: "adapters", privacy: "how-to/", upgrade: "operate" };
  for (const [word, place] of Object.entries(wanted)) {
    await page.goto(`${url}/search.html?q=${word}`);
    await page.locator(".search-summary").getByText("found").waitFor();
    const links = await page.locator("ul.search > li > a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.ok(links.slice(0, 3).some((one) => one.startsWith(place)), `${word}: ${links.slice(0, 5).join(", ")}`);
  }
  await context.close();
});

for (const view of VIEWS) {
  test(`pages are accessible and do not overflow: ${view.viewport.width} px, ${view.colorScheme}`, { skip }, async () => {
    const { page, complaints, context } = await opened(browser, url, view);
    for (const name of PAGES) {
      await page.goto(`${url}/${name}`);
      assert.deepEqual(await seriousFaults(page), [], name);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, name);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });
}
