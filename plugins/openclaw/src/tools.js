// The tools an agent calls: memory_recall, memory_store, memory_forget as OpenClaw's own memory has them, and
// memory_explain. In, what the model sends; out, a text for it and `details` for programs. None of them throws.

import { agentOf, configOf, isBarred, sessionOf } from "./agents.js";
import { within } from "./client.js";
import { told } from "./fault.js";
import { labels } from "./marks.js";
import { CATEGORIES, distinct } from "./memory.js";
import { cut, shown } from "./text.js";

/** A tool may take so long: the agent waits for it. */
const TOOL_MS = 12_000;
const LIMIT_MAX = 100;
/** From which similarity on, as OpenClaw counts it, a memory is offered for forgetting; a single sure one goes at once. */
const OFFERED = 0.5;
const SURE = 0.9;
const NONE = "No relevant memories found.";

const limit = { type: "integer", minimum: 1, maximum: LIMIT_MAX, description: "Most memories to bring (default: 5)" };
const object = (required, properties) => ({ type: "object", additionalProperties: false, required, properties });
const QUERY = { type: "string", minLength: 1, description: "What to look for" };

/** Register the tools. Each is made for the agent that calls it. */
export function registerTools(api, memory, settings) {
  for (const make of [recallTool, storeTool, forgetTool, explainTool]) {
    const name = make({}, memory, settings).name;
    api.registerTool((context) => (isBarred(configOf(api), agentOf(context)) ? null : make(context, memory, settings)), { name });
  }
}

function recallTool(context, memory, settings) {
  return tool(
    "memory_recall",
    "Memory Recall",
    "Search long-term memory: preferences, past decisions, facts about people and things talked of before.",
    object(["query"], { query: QUERY, limit }),
    async (params, signal) => {
      const found = await memory.recall(agentOf(context), params.query, { limit: params.limit, session: sessionOf(context) }, signal);
      if (found.hits.length === 0) return nothing(found);
      const marks = labels(found.hits, found.withheld, true);
      const head = (hit, at) => [hit.category, ...(marks[at] ? [marks[at]] : [])].join(", ");
      const lines = found.hits.map((hit, at) => `${at + 1}. [${head(hit, at)}] ${shown(hit.text, settings.recallMaxChars)}${percent(hit, settings)}`);
      return result(`Found ${found.hits.length} memories${likely(found, settings)}:\n\n${lines.join("\n")}`, {
        count: found.hits.length,
        memories: found.hits.map(({ id, text, category, importance, score }, at) => ({
          id, text, category, importance, score, ...(marks[at] ? { marks: marks[at] } : {}),
        })),
        gated: false,
        bestScore: found.bestScore,
      });
    },
  );
}

function nothing(found) {
  const why = found.gated ? ` Nothing is sure enough: the best score is ${found.bestScore.toFixed(2)}.` : "";
  return result(`${NONE}${why}`, { count: 0, memories: [], gated: found.gated, bestScore: found.bestScore });
}

/** How likely one of them answers at all: recipes with a gate of their own have withheld what is not sure. */
function likely(found, settings) {
  if (settings.recipe === "openclaw" || found.likely === null) return "";
  return ` (that one of them answers is ${(found.likely * 100).toFixed(0)}% likely)`;
}

function percent(hit, settings) {
  return settings.recipe === "openclaw" ? ` (${(hit.score * 100).toFixed(0)}%)` : "";
}

function storeTool(context, memory) {
  return tool(
    "memory_store",
    "Memory Store",
    "Keep something important in long-term memory: a preference, a fact, a decision. Say it as one whole sentence.",
    object(["text"], {
      text: { type: "string", minLength: 1, description: "What to remember" },
      importance: { type: "number", minimum: 0, maximum: 1, description: "Importance 0-1 (default: 0.7)" },
      category: { type: "string", enum: [...CATEGORIES], description: "What kind of memory it is" },
    }),
    async ({ text, importance, category }, signal) => {
      const kept = await memory.store(agentOf(context), text, { importance, category, session: sessionOf(context) }, signal);
      if (kept.quarantined) {
        return result("Not remembered: it reads like an order to a model. A person can release it.", {
          action: "rejected",
          id: kept.id,
          reason: kept.quarantined,
        });
      }
      const masked = kept.masked ? " What is secret in it was masked." : "";
      const said = `"${cut(text, 100)}"`;
      if (kept.merged) return result(`Updated existing memory: ${said}${masked}`, { action: "merged", id: kept.id });
      return result(`Stored: ${said}${masked}`, { action: "created", id: kept.id });
    },
  );
}

function forgetTool(context, memory) {
  return tool(
    "memory_forget",
    "Memory Forget",
    "Forget a memory: by its id, or by what it says. It is no longer recalled.",
    object([], {
      query: { type: "string", description: "Search to find the memory" },
      memoryId: { type: "string", description: "The memory's id" },
    }),
    async ({ query, memoryId }, signal) => {
      const agent = agentOf(context);
      if (memoryId) {
        await memory.forget(agent, memoryId, signal);
        return result(`Memory ${memoryId} forgotten.`, { action: "deleted", id: memoryId });
      }
      if (!query) return result("Provide query or memoryId.", { error: "missing_param" });
      return forgotten(agent, query, memory, signal);
    },
  );
}

async function forgotten(agent, query, memory, signal) {
  const found = await memory.explain(agent, query, 5, signal);
  const offered = distinct([...found.hits, ...found.withheld])
    .map((one) => ({ ...one, score: one.similarity ?? one.score }))
    .filter((one) => one.similarity === null || one.similarity >= OFFERED)
    .sort((one, other) => other.score - one.score)
    .slice(0, 5);
  if (offered.length === 0) return result("No matching memories found.", { found: 0 });
  const sure = offered.filter((one) => one.similarity !== null && one.similarity > SURE);
  if (sure.length === 1 && offered.length === 1) {
    await memory.forget(agent, sure[0].id, signal);
    return result(`Forgotten: "${shown(sure[0].text, 200)}"`, { action: "deleted", id: sure[0].id });
  }
  const lines = offered.map((one) => `- [${one.id}] ${shown(one.text, 60)}`);
  return result(`Found ${offered.length} candidates. Specify memoryId:\n${lines.join("\n")}`, {
    action: "candidates",
    candidates: offered.map(({ id, text, category, score }) => ({ id, text, category, score })),
  });
}

function explainTool(context, memory, settings) {
  return tool(
    "memory_explain",
    "Memory Explain",
    "Show why memories come up for a question, or why none does: every score with what it is made of.",
    object(["query"], { query: QUERY, limit }),
    async (params, signal) => {
      const found = await memory.explain(agentOf(context), params.query, params.limit, signal);
      const verdict = found.gated
        ? `Nothing is handed over: the best score is ${found.bestScore.toFixed(3)}.`
        : `${found.hits.length} memories are handed over.`;
      const lines = [...found.hits, ...found.withheld].map((one) => explained(one, settings));
      return result([verdict, ...lines].join("\n"), {
        gated: found.gated,
        bestScore: found.bestScore,
        count: found.hits.length,
        memories: [...found.hits, ...found.withheld],
        trace: found.trace,
      });
    },
  );
}

function explained(one, settings) {
  const parts = one.signals.map(({ name, value, weight }) => `${name} ${value.toFixed(2)} × ${weight.toFixed(2)}`);
  const held = one.withheld ? `; held back: ${one.withheld}` : "";
  return `- ${one.score.toFixed(3)} [${one.id}] ${shown(one.text, Math.min(200, settings.recallMaxChars))} (${parts.join(" + ")}${held})`;
}

function tool(name, label, description, parameters, work) {
  return {
    name,
    label,
    description,
    parameters,
    async execute(_callId, params, signal) {
      try {
        return await work(params ?? {}, within(TOOL_MS, signal));
      } catch (error) {
        return result(`Memory is not available: ${told(error)}`, { error: error.kind ?? "failed", message: told(error) });
      }
    },
  };
}

function result(text, details) {
  return { content: [{ type: "text", text }], details };
}
