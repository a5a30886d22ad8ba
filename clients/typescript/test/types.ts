/** What the compiler must accept and refuse; never run. */

import type { LanguageModelMiddleware } from "ai";
import { memoryMiddleware } from "../src/ai-sdk.js";
import { Reverie, type Memory, type Recollection } from "../src/index.js";

const memory = new Reverie({ url: "http://127.0.0.1:8377", scope: { agent: "a", user: "u", project: "p" } });

export async function accepted(): Promise<Memory | undefined> {
  const answer: Recollection = await memory.recall("key", { top_k: 3, window: null });
  const { data } = await memory.api.GET("/v1/hot", { params: { query: { agent: "a" } } });
  return answer.hits[0]?.memory ?? data?.memories[0];
}

export async function refused(): Promise<void> {
  // @ts-expect-error a name the server does not know
  await memory.recall("key", { topk: 3 });
  // @ts-expect-error a kind there is not
  await memory.observe("tea", { kind: "wish" });
  // @ts-expect-error a verdict is required
  await memory.feedback("id", {});
  // @ts-expect-error no such route
  await memory.api.GET("/v1/nothing");
}

/** The middleware fits where the AI SDK wants one. */
export const middleware: LanguageModelMiddleware = memoryMiddleware(memory, { session: "s" });
