// Reverie as OpenClaw's memory: the plugin's entry. What it does is told in the repository's docs/openclaw.md.

import { within } from "./src/client.js";
import { deafness } from "./src/agents.js";
import { sharedBackend } from "./src/backend.js";
import { registerCommands } from "./src/commands.js";
import { idle, settingsOf } from "./src/config.js";
import { told } from "./src/fault.js";
import { Memory } from "./src/memory.js";
import { registerTools } from "./src/tools.js";
import { Turns } from "./src/turns.js";

const ID = "reverie";
/** OpenClaw waits for hooks so long; our own deadlines lie below. */
const HOOK_MS = Object.freeze({ before_prompt_build: 12_000, agent_end: 28_000 });
const SETTLE_MS = 2_000;

/** What the model is told of its memory, once, where the tools are there. */
function guidance({ availableTools } = {}) {
  const has = (name) => availableTools === undefined || availableTools.has?.(name) || availableTools.includes?.(name);
  if (!has("memory_recall")) return [];
  return [
    "## Memory",
    "What may bear on a message stands before it in a block of data. For more, ask memory_recall; keep what will matter " +
      "later with memory_store, one whole sentence at a time; let go with memory_forget.",
    "",
  ];
}

function register(api) {
  let settings;
  try {
    settings = settingsOf(api.pluginConfig);
  } catch (error) {
    api.logger.error(`reverie: there is no memory until its settings are mended: ${told(error)}`);
    return;
  }
  registerCommands(api, settings);
  if (api.registrationMode === "cli-metadata") return; // OpenClaw asks for the commands alone, and has no runtime then
  for (const key of idle(settings, api.pluginConfig)) {
    api.logger.warn(`reverie: ${key} does nothing here: ${settings.url ? "the server at `url` has its own settings" : "there is no `url`"}`);
  }
  const deaf = settings.autoCapture ? deafness(api.config, ID) : "";
  if (deaf) api.logger.warn(`reverie: ${deaf}`);
  const backend = sharedBackend({ settings, logger: api.logger });
  const memory = new Memory(backend, settings);
  const turns = new Turns({ api, memory, settings, isReady: () => backend.isReady });

  api.registerMemoryCapability?.({ promptBuilder: guidance, deterministicRecallToolName: "memory_recall" });
  registerTools(api, memory, settings);
  api.on("before_model_resolve", () => void backend.warm(within(settings.startTimeoutMs)).catch(() => {})); // a head start
  api.on("before_prompt_build", (event, context) => turns.before(event, context), { timeoutMs: HOOK_MS.before_prompt_build });
  api.on("agent_end", (event, context) => turns.after(event, context), { timeoutMs: HOOK_MS.agent_end });
  api.on("session_end", (event, context) => turns.over(event, context));
  api.registerService({
    id: ID,
    start() {
      backend.open();
      // Not waited for: the gateway starts meanwhile, and the first turn finds it ready.
      backend.warm(within(settings.startTimeoutMs)).catch((error) => api.logger.error(`reverie: there is no memory yet: ${told(error)}`));
    },
    /** Until everything is kept that is being kept. */
    settled: () => turns.settled(),
    async stop() {
      await Promise.race([turns.settled(), new Promise((resolve) => setTimeout(resolve, SETTLE_MS).unref())]);
      await backend.stop();
    },
  });
}

export default {
  id: ID,
  name: "Reverie",
  description: "Long-term memory that runs on your own machine and shows why it remembered.",
  register,
};
