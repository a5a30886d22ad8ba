// The server behind the plugin: one that is named, or one of our own, started when it is first needed and started again
// when it died. In, requests; out, answers, or a Fault. Nobody waits longer than the deadline they bring.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

import { ask } from "./client.js";
import { commandOf, stateFolder, storePath, variables } from "./config.js";
import { Fault } from "./fault.js";
import { requireVersion } from "./version.js";

const ARGUMENTS = ["serve", "--json", "--create", "--tethered"];
const INSTALL = "Install it with pip install 'path/to/reverie[serve]', or set `command` to where it is.";
/** How long a failed start is told again instead of tried again: a turn must not wait for what will not come. */
const REST_MS = 30_000;
const GRACE_MS = 4_000;
const TAIL_CHARS = 2_000;
const SHARED = Symbol.for("reverie.openclaw.backends.1");

/** The one connection of a plugin instance. `environment` and `now` are handed in by tests. */
export class Backend {
  #settings;
  #logger;
  #environment;
  #now;
  #running = null;
  #starting = null;
  #checked = null;
  #failed = null;
  #closed = false;
  #users = 0;

  constructor({ settings, logger, environment = process.env, now = Date.now }) {
    this.#settings = settings;
    this.#logger = logger;
    this.#environment = environment;
    this.#now = now;
  }

  /** Whether the server is one of our own. */
  get isOwn() {
    return !this.#settings.url;
  }

  /** Whether the next question need not wait for a start. */
  get isReady() {
    return !this.isOwn || (this.#running !== null && isAlive(this.#running.child));
  }

  /** One more instance of the plugin uses it; after a `stop` it may start a server again. */
  open() {
    this.#users += 1;
    this.#closed = false;
    this.#failed = null;
  }

  /**
   * Ask the server. Where our own died over it, it is started again and asked once more, unless `once`: everything this
   * plugin writes bears an id, so that a second asking does nothing twice.
   */
  async ask(request, deadline, { once = false } = {}) {
    const where = await this.#ready(deadline);
    try {
      return await ask(where, request, deadline);
    } catch (error) {
      if (once || !this.isOwn || !(error instanceof Fault) || error.kind !== "gone") throw error;
      this.#logger.warn(`reverie: the server is gone (${error.message}); it is started again`);
      this.#lost(where);
      return await ask(await this.#ready(deadline), request, deadline);
    }
  }

  /** Start what has to be started, and wait until it answers, but not past the deadline. */
  async warm(deadline) {
    await this.#ready(deadline);
  }

  /** One instance less; with the last one ends our own server, and none is started any more. */
  async stop() {
    this.#users = Math.max(0, this.#users - 1);
    if (this.#users > 0) return;
    this.#closed = true;
    const starting = this.#starting;
    this.#starting = null;
    const running = this.#running ?? (starting ? await starting.catch(() => null) : null);
    this.#running = null;
    if (running) await ended(running.child);
  }

  #ready(deadline) {
    return before(deadline, this.isOwn ? this.#own() : this.#named());
  }

  async #named() {
    const where = { url: this.#settings.url, token: this.#settings.token };
    this.#checked ??= identified(where).catch((error) => {
      this.#checked = null;
      throw error;
    });
    await this.#checked;
    return where;
  }

  #own() {
    if (this.#closed) return Promise.reject(new Fault("gone", "The plugin has been stopped.", ""));
    if (this.#running && isAlive(this.#running.child)) return Promise.resolve(this.#running);
    this.#running = null;
    if (this.#failed && this.#now() < this.#failed.until) return Promise.reject(this.#failed.error);
    this.#starting ??= this.#start().then(
      (running) => this.#started(running),
      (error) => this.#unstarted(error),
    );
    return this.#starting;
  }

  async #started(running) {
    this.#starting = null;
    this.#failed = null;
    if (this.#closed) {
      await ended(running.child);
      throw new Fault("gone", "The plugin has been stopped.", "");
    }
    this.#running = running;
    released(running.child);
    this.#logger.info(`reverie: the server answers at ${running.url}`);
    return running;
  }

  #unstarted(error) {
    this.#starting = null;
    this.#failed = { error, until: this.#now() + REST_MS };
    throw error;
  }

  async #start() {
    const store = storePath(this.#settings, this.#environment);
    const token = randomBytes(32).toString("base64url");
    const folder = isAbsolute(store) ? dirname(store) : join(stateFolder(this.#environment), "memory", "reverie");
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new Fault("start", `${folder} cannot be made (${error.code ?? error.message}).`, "Set `store` to a place that can be written.");
    }
    const [program, ...words] = commandOf(this.#settings);
    const child = spawn(program, [...words, ...ARGUMENTS], {
      cwd: folder,
      env: { ...this.#environment, ...variables(this.#settings, store, token) },
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    child.stdin.on("error", () => {}); // it may be gone before we are
    try {
      const url = await addressOf(child, commandOf(this.#settings).join(" "), this.#settings.startTimeoutMs);
      const where = { url, token, child };
      await identified(where);
      return where;
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
  }

  #lost(where) {
    if (this.#running !== where) return;
    this.#running = null;
    where.child.kill("SIGKILL"); // what no longer answers may still hold on to its port
  }
}

/**
 * The backend of these settings in this process. OpenClaw registers a plugin several times over (for its hooks, for its
 * tools, again when it is reloaded), and each time a copy of this module may be loaded: one server serves them all.
 */
export function sharedBackend({ settings, logger, environment = process.env }) {
  const all = (globalThis[SHARED] ??= new Map());
  const key = JSON.stringify([settings, storePath(settings, environment)]);
  if (!all.has(key)) all.set(key, new Backend({ settings, logger, environment }));
  return all.get(key);
}

/** The address a server tells once it listens. */
function addressOf(child, program, patience) {
  return new Promise((resolve, reject) => {
    let said = "";
    let complaint = "";
    const timer = setTimeout(() => {
      reject(new Fault("start", `\`${program} serve\` did not begin to answer within ${patience} ms.`, "Raise startTimeoutMs, or look at what it says when you start it by hand."));
    }, patience);
    const done = (settle, value) => {
      clearTimeout(timer);
      settle(value);
    };
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      said = (said + chunk).slice(-TAIL_CHARS);
      const url = /"url":\s*"(http:\/\/[^"]+)"/.exec(said)?.[1];
      if (url) done(resolve, url);
    });
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      complaint = (complaint + chunk).slice(-TAIL_CHARS);
    });
    child.once("error", (error) => {
      const absent = error.code === "ENOENT";
      done(reject, absent
        ? new Fault("missing", `\`${program}\` was not found.`, INSTALL)
        : new Fault("start", `\`${program}\` cannot be started (${error.code ?? error.message}).`, INSTALL));
    });
    child.once("close", (code, signal) => done(reject, notStarted(program, code ?? signal, complaint)));
  });
}

function notStarted(program, how, complaint) {
  const said = complaint.replace(/\s+/g, " ").trim();
  if (/no such (command|option)/i.test(said)) {
    return new Fault("version", `\`${program}\` is too old for this plugin: ${said}`, "Update it: pip install --upgrade 'path/to/reverie[serve]'.");
  }
  return new Fault("start", `\`${program} serve\` ended at once (${how})${said ? `: ${said}` : "."}`, said ? "" : INSTALL);
}

async function identified(where) {
  requireVersion(await ask(where, { method: "GET", path: "/v1/server" }, AbortSignal.timeout(10_000)));
}

/** What comes first: the promise, or the end of the deadline. */
function before(deadline, promise) {
  promise.catch(() => {}); // whoever stops waiting still leaves it running
  if (!deadline) return promise;
  return new Promise((resolve, reject) => {
    const late = () => reject(new Fault("silent", "Reverie is not ready yet.", "It is still starting; the next turn will have it."));
    if (deadline.aborted) return late();
    deadline.addEventListener("abort", late, { once: true });
    promise.then(resolve, reject).finally(() => deadline.removeEventListener("abort", late));
  });
}

function isAlive(child) {
  return child.exitCode === null && child.signalCode === null;
}

/** Let this process end whatever the server does: it ends by itself when our end of its standard input is closed. */
function released(child) {
  child.unref();
  for (const stream of child.stdio) stream?.unref?.();
  child.stdout.resume();
  child.stderr.resume();
}

async function ended(child) {
  if (!isAlive(child)) return;
  await new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.ref();
    child.stdin.end();
    child.kill("SIGTERM");
  });
}
