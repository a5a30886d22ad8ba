// The newest memories of the scope, page by page, newest first.
import { call } from "../api";
import type { Memory, Stats } from "../types";
import { lastPage, MOST, type Page, type Window } from "./paging";

export interface Wanted {
  limit: number;
  signal?: AbortSignal;
  session?: string;
  kind?: string;
  asOf?: string;
  /** Only what was said before this moment (ms); the page above says which. */
  before?: number | null;
  span?: number;
}

const DAY_MS = 86_400_000;
const RECENT_MS = 90 * DAY_MS;
const RECENT_SPAN_MS = DAY_MS / 2;
const at = (memory: Memory) => Date.parse(memory.at);

function fetching(wanted: Omit<Wanted, "limit">) {
  return async (window: Window, limit: number) => {
    const query = {
      start: new Date(window.start).toISOString(),
      end: new Date(window.end).toISOString(),
      limit: Math.min(limit, MOST),
      session: wanted.session,
      kind: wanted.kind,
      as_of: wanted.asOf,
    };
    return (await call<{ memories: Memory[] }>("/v1/memories", { query, signal: wanted.signal })).memories;
  };
}

export async function newest(stats: Stats, wanted: Wanted): Promise<Page<Memory>> {
  if (!stats.first_at || !stats.last_at) return { items: [], before: null, span: 1 };
  const asOf = wanted.asOf ? Date.parse(wanted.asOf) + 1 : Infinity;
  const end = Math.min(wanted.before ?? Date.parse(stats.last_at) + 1, asOf);
  const first = Date.parse(stats.first_at);
  // Twice the span that as many would take were they evenly spread: most often the first guess fits.
  const spread = Math.max(1, Math.ceil((2 * wanted.limit * (Date.parse(stats.last_at) - first)) / Math.max(1, stats.memories)));
  return lastPage({ fetch: fetching(wanted), at, first }, end, wanted.limit, wanted.span ?? spread);
}

/** The newest of a memory in use, without waiting for counts; where little was said of late, those of `stats`. */
export async function latest(stats: () => Promise<Stats>, wanted: Wanted): Promise<Page<Memory>> {
  const now = Date.now();
  const source = { fetch: fetching(wanted), at, first: now - RECENT_MS };
  const recent = await lastPage(source, now + DAY_MS, wanted.limit, DAY_MS + RECENT_SPAN_MS);
  return recent.items.length >= wanted.limit ? { ...recent, before: recent.before ?? source.first } : newest(await stats(), wanted);
}
