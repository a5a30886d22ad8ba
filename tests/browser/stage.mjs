// What every browser test stands on: a store made for it, the real `reverie serve` on a free port, a real Chromium.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const fromDashboard = createRequire(join(ROOT, "dashboard", "package.json"));
const { chromium } = fromDashboard("playwright-core");
const AXE = readFileSync(fromDashboard.resolve("axe-core/axe.min.js"), "utf8");
const PYTHON = process.env.REVERIE_PYTHON ?? join(ROOT, ".venv", "bin", "python");
const REVERIE = ["-c", "import sys; from reverie.faces.start import main; sys.exit(main())"];
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const ENV = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", XDG_CONFIG_HOME: tmpdir(), XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "reverie-state-")) };
process.on("exit", () => removed(ENV.XDG_STATE_HOME));

/** The scope of each kind of store, as a query. */
export const SCOPES = { demo: "agent=assistant&user=defne-and-tom&project=demo", year: "agent=helper&user=ilka-and-deniz&project=boat" };
/** Where `make browser` keeps the stores it made once, for all files of tests. */
const KEPT = process.env.REVERIE_BROWSER_STORES;

/** An empty folder that is the test's own. */
export const emptyFolder = () => mkdtempSync(join(tmpdir(), "reverie-browser-"));

/** A store in a folder of its own, made anew or copied from one made before; the folder. */
export function madeStore(kind, ...more) {
  const folder = emptyFolder();
  const command = [join(ROOT, "tests", "browser", "stores.py"), kind, folder, ...more, ...(KEPT ? ["--kept", KEPT] : [])];
  const made = spawnSync(PYTHON, command, { cwd: ROOT, env: ENV, encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  return folder;
}

/** A command of reverie's on the store in a folder; what it printed. */
export function reverie(folder, ...command) {
  const ran = spawnSync(PYTHON, [...REVERIE, ...command], { cwd: folder, env: ENV, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return ran.stdout;
}

/** A token with a name and rights, for the server on the store in a folder. */
export function bearer(folder, name, rights) {
  return reverie(folder, "serve", "token", "add", name, "--rights", rights).trim().split(/\s+/)[0];
}

/** The server on a store: its address, the token it prints, what a program sends with it, and how to end it. */
export async function served(folder, ...options) {
  const child = spawn(PYTHON, [...REVERIE, ...options, "serve", "--port", "0"], { cwd: folder, env: ENV });
  let said = "";
  const [url, token] = await new Promise((done, fail) => {
    child.stdout.on("data", (chunk) => {
      said += chunk;
      const found = /answers at (http:[^\s#]+)\/#token=([\w.~-]+)/.exec(said);
      if (found) done(found.slice(1));
    });
    child.stderr.on("data", (chunk) => (said += chunk));
    child.on("exit", () => fail(new Error(said)));
  });
  const end = () =>
    new Promise((done) => {
      child.removeAllListeners("exit");
      child.on("exit", done);
      child.kill("SIGTERM");
    });
  return { url, token, headers: { Authorization: `Bearer ${token}` }, end };
}

/** A server on a store and a browser, for all tests of a file, and ended after them; `make` makes the store's folder. */
export function staged(make, ...options) {
  const stage = {};
  before(async () => {
    stage.folder = await make();
    stage.server = await served(stage.folder, ...options);
    stage.browser = await launched();
  });
  after(async () => {
    await stage.browser?.close();
    await stage.server?.end();
    if (stage.folder) removed(stage.folder);
  });
  /** What the server itself says to a path, within a scope. */
  stage.asked = async (path, scope = SCOPES.demo) => {
    const answer = await fetch(`${stage.server.url}${path}${path.includes("?") ? "&" : "?"}${scope}`, { headers: stage.server.headers });
    assert.equal(answer.status, 200, path);
    return answer.json();
  };
  stage.open = (more = {}) => opened(stage.browser, stage.server.url, { token: stage.server.token, ...more });
  return stage;
}

/** A page for each test of the file: `stage.page` and `stage.at`; whatever it complains of fails the test. */
export function paged(stage) {
  beforeEach(async () => Object.assign(stage, await stage.open()));
  afterEach(async () => {
    const ran = await stage.page.evaluate(() => globalThis.__ran).catch(() => undefined);
    await stage.context.close();
    assert.deepEqual(stage.complaints, []);
    assert.equal(ran, undefined);
  });
  return stage;
}

export function launched() {
  if (!CHROMIUM) throw new Error("There is no Chromium; install the package chromium, or name it in CHROMIUM.");
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/** A page with a token, that notes every complaint: of the console, of the page, and each request that leaves the server. */
export async function opened(browser, url, { token = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light", locale: "en-GB", timezoneId: "UTC", ...options });
  if (token) await context.addInitScript((text) => sessionStorage.setItem("reverie.token", JSON.stringify(text)), token);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) complaints.push(`request to ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, context, complaints, at: (hash) => page.goto(`${url}/${hash}`) };
}

/** Wait until nothing on the page is being loaded any more. */
export async function settled(page) {
  await page.locator("main h1").first().waitFor({ state: "attached" });
  const isBusy = () => [...document.querySelectorAll("main [role=status]")].some((one) => /^(Loading|Yükleniyor)/.test(one.textContent));
  for (let still = 0; still < 3; still += 1) {
    if (await page.evaluate(isBusy)) still = 0;
    await page.waitForTimeout(80);
  }
}

/** What axe finds that is serious or critical. */
export async function seriousFaults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(", ")}`);
}

export function removed(folder) {
  rmSync(folder, { recursive: true, force: true });
}
