// `openclaw reverie stats | decay | revive`: what they print, for people and for programs, and how they end.

import assert from "node:assert/strict";
import { test } from "node:test";

import { registerCommands } from "../src/commands.js";
import { settingsOf } from "../src/config.js";
import { played, server, SILENT } from "./support.mjs";

/** A command line that is played: as much of commander as the plugin uses. */
class Program {
  constructor() {
    this.commands = {};
  }
  command(name) {
    return (this.commands[name] = new Program());
  }
  description() {
    return this;
  }
  option(flags, _help, value) {
    this.defaults = { ...this.defaults, [flags.match(/--([a-z-]+)/)[1].replace(/-(.)/g, (_, c) => c.toUpperCase())]: value };
    return this;
  }
  argument() {
    return this;
  }
  action(work) {
    this.work = work;
    return this;
  }
}

async function run(context, routes, name, ...given) {
  const scopes = { scopes: [{ agent: "main", user: "owner", project: "openclaw" }, { agent: "b", user: "owner", project: "openclaw" }, { agent: "x", user: "ada", project: "home" }] };
  const one = await server({ "GET /v1/scopes": scopes, ...routes });
  context.after(one.close);
  const { api } = played();
  let registrar;
  api.registerCli = (made) => (registrar = made);
  const lines = [];
  registerCommands(api, settingsOf({ url: one.url }), { print: (line) => lines.push(line) });
  const program = new Program();
  registrar({ program, logger: SILENT });
  const command = program.commands.reverie.commands[name];
  const options = typeof given.at(-1) === "object" ? given.pop() : {};
  await command.work(...given, { ...command.defaults, ...options });
  return { lines, one };
}

const STATS = { memories: 7, current: 7, accesses: 9, gated: 4 };
const HEALTH = { states: { active: 5, fading: 1, dormant: 1 }, kinds: {} };

test("all three commands stand under one name, as the manifest says", () => {
  const { commands } = played();
  assert.deepEqual(commands.options.commands, ["reverie"]);
  const program = new Program();
  commands.registrar({ program, logger: SILENT });
  assert.deepEqual(Object.keys(program.commands.reverie.commands), ["stats", "decay", "revive"]);
});

test("stats counts each agent of ours, with the queries the gate held back", async (context) => {
  const { lines, one } = await run(context, { "GET /v1/stats": STATS, "GET /v1/health": HEALTH }, "stats");
  assert.equal(lines[0], "main: 7 memories (5 active, 1 fading, 1 dormant), 9 accesses, 4 gated queries");
  assert.match(lines[1], /^b: /);
  assert.equal(lines[2], "recipe openclaw, model m, Reverie 0.1.0");
  assert.deepEqual(one.of("GET /v1/stats").map(({ scope }) => scope.agent), ["main", "b"]);
});

test("for one agent, and for programs", async (context) => {
  const { lines } = await run(context, { "GET /v1/stats": STATS, "GET /v1/health": HEALTH }, "stats", { agent: "b", json: true });
  const { agents } = JSON.parse(lines[0]);
  assert.deepEqual(agents.map(({ agent, gated, states }) => [agent, gated, states.dormant]), [["b", 4, 1]]);
});

test("decay says how many fade and how many sleep", async (context) => {
  let states = { active: 5, fading: 2, dormant: 0 };
  const routes = {
    "GET /v1/health": () => ({ states }),
    "POST /v1/decay": ({ body }) => {
      if (!body.dry_run) states = { active: 2, fading: 4, dormant: 1 };
      return { changed: 4, dry_run: body.dry_run, steps: [] };
    },
  };
  assert.deepEqual((await run(context, routes, "decay", { agent: "main", dryRun: true })).lines, ["main: 4 would change"]);
  assert.deepEqual((await run(context, routes, "decay", { agent: "main" })).lines, ["main: decay complete: 3 fading, 1 dormant"]);
});

test("revive wakes a memory of whichever agent has it", async (context) => {
  const revive = ({ scope }) => (scope.agent === "b" ? { memory: { text: "Likes tea.", standing: { state: "active" } } } : undefined);
  const { lines } = await run(context, { "POST /v1/memories/m1/revive": revive }, "revive", "m1");
  assert.deepEqual(lines, ["Memory m1 of b is active: Likes tea."]);
});

test("what fails is told on the other stream, and in the exit code", async (context) => {
  const told = [];
  context.mock.method(console, "error", (line) => told.push(line));
  context.after(() => (process.exitCode = 0));
  await run(context, {}, "revive", "m9");
  assert.equal(process.exitCode, 1);
  assert.match(told[0], /^reverie: There is no memory m9\./);
});
