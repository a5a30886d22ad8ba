// `reverie serve` on this machine for a file of tests: REVERIE_COMMAND is how to call reverie, as a JSON list.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const COMMAND = JSON.parse(process.env.REVERIE_COMMAND ?? '["reverie"]');
const START_MS = 30_000;

/** A running server: its folder, store and address. */
export class Server {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "reverie-client-"));
    this.store = join(this.folder, "memory.db");
  }

  /** Runs a command of reverie to its end and returns what it printed. */
  async run(...words) {
    const child = this.#spawn(...words);
    let said = "";
    child.stdout.on("data", (part) => (said += part));
    child.stderr.on("data", (part) => (said += part));
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal(code, 0, said);
    return said;
  }

  /** Starts, and resolves when it answers. */
  async start() {
    const running = this.#spawn("serve", "--port", "0", "--create", "--tethered", "--store", this.store, "--no-model");
    this.running = running;
    this.address = await new Promise((resolve, reject) => {
      let said = "";
      const late = setTimeout(() => reject(new Error(`No address came: ${said}`)), START_MS);
      const read = (part) => {
        said += part;
        const found = /http:\S+#token=\S+/.exec(said);
        if (found) {
          clearTimeout(late);
          resolve(found[0]);
        }
      };
      running.stdout.on("data", read);
      running.stderr.on("data", read);
      running.on("exit", (code) => {
        clearTimeout(late);
        reject(new Error(`The server ended with ${code}: ${said}`));
      });
    });
    return this;
  }

  /** Ends it and removes its folder. */
  async stop() {
    this.running.removeAllListeners("exit");
    const ended = new Promise((resolve) => this.running.on("close", resolve));
    this.running.stdin.end();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  #spawn(...words) {
    const env = { ...process.env, HOME: this.folder, XDG_STATE_HOME: join(this.folder, "state") };
    return spawn(COMMAND[0], [...COMMAND.slice(1), ...words], { cwd: this.folder, env });
  }
}
