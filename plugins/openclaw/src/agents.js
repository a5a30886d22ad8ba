// Whose turn it is: in, what OpenClaw hands a hook or a tool; out, the agent, and whether it is to have a memory.

/** The agent OpenClaw has from the beginning. */
export const MAIN = "main";
const KEYED = /^agent:([^:]+):/;

/** The agent a hook or a tool speaks for; its session's key names it where nothing else does. */
export function agentOf(context) {
  return context?.agentId || KEYED.exec(context?.sessionKey ?? "")?.[1] || MAIN;
}

/** The conversation: the one that /new begins afresh, where it is known. */
export function sessionOf(context) {
  return context?.sessionId || context?.sessionKey || "default";
}

/** Whether OpenClaw's own settings keep memory from this agent, as they do for its other memory plugins. */
export function isBarred(config, agent) {
  const own = config?.agents?.entries?.[agent]?.memory?.search?.enabled;
  const usual = config?.agents?.defaults?.memory?.search?.enabled ?? config?.memory?.search?.enabled;
  return (own ?? usual) === false;
}

/** How to let the plugin hear conversations, where OpenClaw's settings do not; "" where they do, or are not known. */
export function deafness(config, id) {
  const plugins = config?.plugins;
  if (plugins === undefined || plugins.entries?.[id]?.hooks?.allowConversationAccess === true) return "";
  return (
    "OpenClaw does not let it hear conversations, so nothing is kept by itself. " +
    `Run: openclaw config set plugins.entries.${id}.hooks.allowConversationAccess true`
  );
}

/** OpenClaw's settings as they stand now. */
export function configOf(api) {
  return api.runtime?.config?.current?.() ?? api.config;
}
