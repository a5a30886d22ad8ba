// The pictures of docs/dashboard.md, anew: node tests/browser/pictures.mjs
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { launched, madeStore, opened, removed, ROOT, SCOPES, served } from "./stage.mjs";

const MOST_BYTES = 200_000;
const OUT = join(ROOT, "docs", "images");

const folder = madeStore("demo");
const server = await served(folder);
const browser = await launched();
mkdirSync(OUT, { recursive: true });

const { memories } = await (await fetch(`${server.url}/v1/formed?${SCOPES.demo}`, { headers: server.headers })).json();
const shown = memories.find((one) => one.text.includes("walnuts") && one.standing.superseded_by).id;
const accessed = memories.find((one) => one.text.includes("Arrivals")).id;

// The first question loads the model; the picture is to show what a question takes.
const warm = { method: "POST", headers: { ...server.headers, "Content-Type": "application/json" }, body: JSON.stringify({ cue: "warm" }) };
await fetch(`${server.url}/v1/explain?${SCOPES.demo}`, warm);

async function picture(name, hash, options = {}, prepare = async () => {}) {
  const { page, context, at } = await opened(browser, server.url, { token: server.token, viewport: { width: 1200, height: 780 }, ...options });
  await at(hash);
  await page.locator("main h1").first().waitFor();
  await page.locator(".live.on").waitFor();
  await prepare(page);
  await page.locator("main").getByText("Loading …").first().waitFor({ state: "detached" });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const path = join(OUT, `dashboard-${name}.png`);
  await page.screenshot({ path, animations: "disabled" });
  const { size } = statSync(path);
  console.log(`dashboard-${name}.png ${size} bytes`);
  if (size > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES} bytes`);
  await context.close();
}

const first = (what) => async (page) => page.locator(what).first().waitFor();
await picture("search", "#/search?q=What%20is%20Tom%20allergic%20to%3F", {}, async (page) => {
  await page.locator("#hits .hit").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("n");
  await page.locator(".numbers").waitFor();
});
await picture("asof", "#/search?q=What%20is%20Tom%20allergic%20to%3F&asof=2026-03-10&top=5", { colorScheme: "dark" }, first("#now .hit"));
await picture("memory", `#/memory/${accessed}`, {}, async (page) => {
  await page.locator("#life .life li").first().waitFor();
  await page.locator("#episodes .turn").first().waitFor();
});
await picture("corrected", `#/memory/${shown}`, { colorScheme: "dark" }, first("#life .life-superseded"));
await picture("conversations", "#/conversations?session=clinic", {}, first(".prompt .given"));
await picture("timeline", "#/timeline?asof=2026-04-10T00:00:00.000Z", {}, first(".conversation .turn-row"));
await picture("graph", "#/graph?entity=entity%3A%2F%2Fperson%2Ftom", {}, first(".graph svg a"));
await picture("dreams", "#/dreams", {}, first(".fields"));
await picture("health", "#/health", { colorScheme: "dark" }, first("#cost li"));
await picture("phone", "#/search?q=What%20is%20Tom%20allergic%20to%3F", { viewport: { width: 390, height: 780 } }, first("#hits .hit"));

await browser.close();
await server.end();
removed(folder);
