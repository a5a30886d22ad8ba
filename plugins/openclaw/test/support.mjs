// What the tests share: an OpenClaw that is played, a server that is played, and a program that plays `reverie serve`.

import { createServer } from "node:http";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import plugin from "../index.js";

/** An OpenClaw that keeps what a plugin registers. */
export function played(pluginConfig = {}, config = {}) {
  const lines = { info: [], warn: [], error: [] };
  const host = { tools: {}, hooks: {}, options: {}, services: [], commands: null, capability: null, lines };
  host.api = {
    pluginConfig,
    config,
    logger: Object.fromEntries(Object.keys(lines).map((level) => [level, (line) => lines[level].push(line)])),
    registerTool: (factory, { name }) => (host.tools[name] = factory),
    on: (name, handler, options) => {
      host.hooks[name] = handler;
      host.options[name] = options;
    },
    registerCli: (registrar, options) => (host.commands = { registrar, options }),
    registerService: (service) => host.services.push(service),
    registerMemoryCapability: (capability) => (host.capability = capability),
  };
  plugin.register(host.api);
  host.call = async (name, params, context = {}) => host.tools[name]({ agentId: "main", ...context }).execute("call", params);
  return host;
}

/** A quiet logger. */
export const SILENT = Object.freeze({ info() {}, warn() {}, error() {} });

/** A server whose answers a test decides: `routes` maps "METHOD /path" to a value or a function of the request. */
export async function server(routes = {}) {
  const asked = [];
  const all = { "GET /v1/server": { version: "0.1.0", model: "m", recipe: "openclaw", missing: 0 }, ...routes };
  const http = createServer(async (request, response) => {
    const url = new URL(request.url, "http://here");
    let text = "";
    for await (const chunk of request) text += chunk;
    const call = {
      route: `${request.method} ${url.pathname}`,
      scope: Object.fromEntries(url.searchParams),
      body: text ? JSON.parse(text) : undefined,
      token: request.headers.authorization,
    };
    asked.push(call);
    const found = all[call.route];
    const said = typeof found === "function" ? await found(call, request) : found;
    if (said === null) return request.socket.destroy();
    const status = said?.status ?? (said === undefined ? 404 : 200);
    response.writeHead(status, { "content-type": "application/json" });
    return response.end(JSON.stringify(said ?? { status: 404, detail: "There is no such thing.", mend: "" }));
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    asked,
    of: (route) => asked.filter((one) => one.route === route),
    close: () => new Promise((resolve) => {
      http.closeAllConnections();
      http.close(resolve);
    }),
  };
}

/** A recollection as the server tells it. */
export function recollection(hits = [], more = {}) {
  return { hits: hits.map(hit), withheld: [], standing: [], gated: false, confidence: hits.length ? 0.6 : 0, ended: "", trace: [], ...more };
}

/** A hit as the server tells it. */
export function hit({ id = "m1", text = "The user likes tea.", kind = "preference", score = 0.6, cosine = 0.7, marks = [], ...memory } = {}) {
  return {
    rank: 1,
    score,
    cosine,
    shown: "",
    withheld: memory.withheld ?? "",
    signals: [{ name: "similarity", value: 0.6, weight: 0.5, share: 0.3, about: "" }, ...marks],
    memory: { id, text, kind, at: "2026-11-20T10:00:00+00:00", sources: [], standing: { importance: 0.7 }, ...memory },
  };
}

/** A receipt as the server tells it. */
export function receipt({ verdict = "create", ...more } = {}) {
  return { id: "e1", formed: ["m1"], new: true, decisions: [{ stage: "gate", verdict, why: "" }], ...more };
}

/** A folder of a test's own. It goes once `stopped` has let go of it: hooks run in the order in which they were given. */
export function folder(context, stopped = () => {}) {
  const path = mkdtempSync(join(tmpdir(), "reverie-openclaw-"));
  context.after(async () => {
    await stopped();
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** A program that is started as `reverie` would be; `code` is what it does, with `serve(routes)` at hand. */
export function program(context, code) {
  const path = join(folder(context), "played.mjs");
  const support = new URL("./support.mjs", import.meta.url).href;
  const head = `import { server } from ${JSON.stringify(support)};
process.stdin.on("end", () => process.exit(0)).resume();
const tell = async (routes = {}) => { const one = await server(routes); console.log(JSON.stringify({ url: one.url }, null, 2)); return one; };\n`;
  writeFileSync(path, `${head}${code}\n`);
  chmodSync(path, 0o755);
  return [process.execPath, path];
}
