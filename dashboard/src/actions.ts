// What a person does to a memory: one call each, told with a way back where there is one.
import { call } from "./api";
import { told } from "./parts/faults";
import { changes, complain, go, href, route, tell } from "./state";
import { t } from "./texts";
import type { Event, Memory, Undone } from "./types";

const path = (id: string, tail = "") => `/v1/memories/${encodeURIComponent(id)}${tail}`;

/** The numbers of the memory's last so many events, the newest first; accesses are none of ours. */
async function lastEvents(id: string, most: number): Promise<number[]> {
  const { events } = await call<{ events: Event[] }>(path(id, "/history"));
  const own = events.filter((event) => event.action !== "recall").slice(-most);
  return own.map((event) => event.seq).reverse();
}

/** Whether a memory is there: asked by its moment, so that one that is gone is no error. */
async function isThere(memory: Memory): Promise<boolean> {
  const at = Date.parse(memory.at);
  const query = { start: new Date(at).toISOString(), end: new Date(at + 1).toISOString(), session: memory.session };
  const { memories } = await call<{ memories: Memory[] }>("/v1/memories", { query });
  return memories.some((one) => one.id === memory.id);
}

/** Take events back, one after another, and say so. Where that undid the memory one looks at, go to the one before it. */
export async function undoEvents(seqs: number[], from?: Memory): Promise<void> {
  try {
    let unmade = 0;
    for (const seq of seqs) unmade += (await call<Undone>("/v1/undo", { body: { event: seq } })).unmade;
    tell(t("app.undone"));
    const isHere = from && route.value.name === "memory" && route.value.id === from.id;
    if (unmade && isHere && !(await isThere(from))) leave(from);
    changes.value += 1;
  } catch (error) {
    complain(told(error));
  }
}

/** Leave the page of a memory that is gone, also in the history of the tab: for what it replaced, or what it came from. */
function leave(memory: Memory): void {
  const before = memory.standing.supersedes || memory.sources.find((id) => id !== memory.id) || "";
  location.replace(before ? href("memory", before) : href("timeline", "", { session: memory.session }));
}

/** Say that it was done, and offer to undo the memory's newest events: those it was done by. `made`: what it made. */
async function done(id: string, text: string, events = 1, made?: Memory): Promise<void> {
  changes.value += 1;
  const seqs = await lastEvents(id, events).catch(() => []);
  tell(text, seqs.length ? () => undoEvents(seqs, made) : undefined);
}

/** Do it; what goes wrong is told, since no dialog is open that could. */
async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    complain(told(error));
  }
}

export function pin(memory: Memory): Promise<void> {
  const pinned = !memory.standing.pinned;
  return guarded(async () => {
    await call(path(memory.id, "/pin"), { body: { pinned } });
    await done(memory.id, t(pinned ? "memory.pinned" : "memory.unpinned"));
  });
}

export function revive(memory: Memory): Promise<void> {
  return guarded(async () => {
    await call(path(memory.id, "/revive"), { method: "POST" });
    await done(memory.id, t("memory.revived"));
  });
}

export async function correct(memory: Memory, text: string, why: string): Promise<void> {
  const { memory: made } = await call<{ memory: Memory }>(path(memory.id), { method: "PUT", body: { text, why } });
  await done(memory.id, t("memory.corrected"), 1, made);
  if (made?.id && made.id !== memory.id) go("memory", made.id);
}

export async function forget(memory: Memory, why: string): Promise<void> {
  await call(path(memory.id, "/forget"), { body: { why } });
  await done(memory.id, t("memory.forgotten"));
}

export async function release(memory: Memory, why: string): Promise<void> {
  await call(path(memory.id, "/release"), { body: { why } });
  await done(memory.id, t("memory.released"));
}

/** The newer memory is linked with this one, and this one closed. */
export async function supersede(memory: Memory, newer: Memory): Promise<void> {
  await call(path(newer.id, "/relations"), { body: { target: memory.id, kind: "supersedes" } });
  await call(path(memory.id, "/forget"), { body: { why: `superseded by ${newer.id}` } });
  await done(memory.id, t("memory.superseded"), 2);
}

/** "Not this" of what a model was given: it counts less from now on, is held back, or is forgotten. */
export async function deny(memory: Memory, way: "useless" | "quarantine" | "forget", why: string): Promise<void> {
  if (way === "useless") await call(path(memory.id, "/feedback"), { body: { verdict: "useless", why } });
  else await call(path(memory.id, `/${way}`), { body: { why: why || t("deny.why") } });
  await done(memory.id, t(`deny.${way}.done`));
}
