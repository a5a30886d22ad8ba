// `openclaw reverie …`: in, what was typed; out, lines or JSON, and an exit code. It has a server of its own where none
// is named: the store takes several at once.

import { configOf, deafness } from "./agents.js";
import { Backend } from "./backend.js";
import { within } from "./client.js";
import { Fault, told } from "./fault.js";
import { Memory } from "./memory.js";
import { shown } from "./text.js";

export const NAME = "reverie";
const PATIENCE_MS = 60_000;
const DESCRIPTOR = Object.freeze({
  name: NAME,
  description: "Counts, decay and revival of what Reverie remembers",
  hasSubcommands: true,
  machineOutput: ({ argv }) => argv.includes("--json"),
});

/** Register the commands. `print` and `environment` are handed in by tests. */
export function registerCommands(api, settings, { print = written, environment = process.env } = {}) {
  api.registerCli(
    ({ program, logger }) => {
      const command = program.command(NAME).description(DESCRIPTOR.description);
      const run = (work) => running(work, { settings, environment, print, logger: logger ?? api.logger });
      const common = (one) => one.option("--agent <id>", "One agent alone").option("--json", "As JSON", false);
      common(command.command("stats").description("How much each agent remembers, how it stands, and what the gate held back"))
        .action((options) => run(async (memory, tell, deadline) => {
          await stats(memory, options, tell, deadline);
          const deaf = settings.autoCapture && !options.json ? deafness(configOf(api), NAME) : "";
          if (deaf) tell(deaf);
        }));
      common(command.command("decay").description("Let unused memories fade and fall asleep now; none is deleted"))
        .option("--dry-run", "Say what would change, and change nothing", false)
        .action((options) => run((memory, tell, deadline) => decay(memory, options, tell, deadline)));
      common(command.command("revive").description("Wake a memory that sleeps or fades").argument("<id>", "The memory's id"))
        .action((id, options) => run((memory, tell, deadline) => revive(memory, id, options, tell, deadline)));
    },
    { commands: [NAME], descriptors: [DESCRIPTOR] },
  );
}

/** To the standard output itself: with --json OpenClaw sends what is logged to the other stream. */
function written(line) {
  process.stdout.write(`${line}\n`);
}

async function running(work, { settings, environment, print, logger }) {
  // Looking at the memory must not change it: what is started for a command does not begin with a decay.
  const backend = new Backend({ settings: { ...settings, decayOnStartup: false }, logger: quiet(logger), environment });
  try {
    await work(new Memory(backend, settings), print, within(PATIENCE_MS));
  } catch (error) {
    console.error(`reverie: ${told(error)}`);
    process.exitCode = 1;
  } finally {
    await backend.stop();
  }
}

function quiet(logger) {
  return { info() {}, warn: (line) => logger.warn(line) };
}

async function stats(memory, options, print, deadline) {
  const found = [];
  for (const agent of await chosen(memory, options, deadline)) found.push(await memory.stats(agent, deadline));
  if (options.json) return print(JSON.stringify({ agents: found }, null, 2));
  if (found.length === 0) return print("Nothing is remembered yet.");
  for (const one of found) {
    const { active = 0, fading = 0, dormant = 0 } = one.states;
    print(`${one.agent}: ${one.memories} memories (${active} active, ${fading} fading, ${dormant} dormant), ${one.accesses} accesses, ${one.gated} gated queries`);
  }
  return print(`recipe ${found[0].recipe}, model ${found[0].model}, Reverie ${found[0].version}`);
}

async function decay(memory, options, print, deadline) {
  const found = [];
  for (const agent of await chosen(memory, options, deadline)) found.push(await memory.decay(agent, options.dryRun, deadline));
  if (options.json) return print(JSON.stringify({ agents: found }, null, 2));
  if (found.length === 0) return print("Nothing is remembered yet.");
  for (const one of found) {
    print(one.dryRun ? `${one.agent}: ${one.changed} would change` : `${one.agent}: decay complete: ${one.faded} fading, ${one.dormant} dormant`);
  }
  return undefined;
}

async function revive(memory, id, options, print, deadline) {
  for (const agent of await chosen(memory, options, deadline)) {
    try {
      const woken = await memory.revive(agent, id, deadline);
      if (options.json) return print(JSON.stringify({ agent, memory: woken }, null, 2));
      return print(`Memory ${id} of ${agent} is ${woken.standing.state}: ${shown(woken.text, 100)}`);
    } catch (error) {
      if (error.status !== 404) throw error;
    }
  }
  throw new Fault("answer", `There is no memory ${id}.`, "memory_recall and memory_explain tell the ids.");
}

async function chosen(memory, options, deadline) {
  return options.agent ? [options.agent] : memory.agents(deadline);
}
