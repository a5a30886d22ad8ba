// Fetching for a view: again when what it depends on changes, and, where asked for, when the store does.
import { useEffect, useRef, useState } from "preact/hooks";
import { changes, scopeKey, token } from "../state";

export interface Loaded<T> {
  data: T | null;
  error: Error | null;
  busy: boolean;
  again: () => void;
}

/** The value of `fetch` for these `inputs` (plain values); what was there stays in sight while it is fetched anew. `follow`: whether changes matter now. */
export function useLoad<T>(fetch: (signal: AbortSignal) => Promise<T>, inputs: unknown[], follow = true): Loaded<T> {
  const [state, set] = useState<{ key: string; data: T | null; error: Error | null; busy: boolean }>({
    key: "",
    data: null,
    error: null,
    busy: true,
  });
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify([...inputs, scopeKey.value, token.value]);
  const latest = useRef(fetch);
  latest.current = fetch;
  const seen = useRef(changes.value);
  if (follow) seen.current = changes.value;
  const tick = seen.current;
  useEffect(() => {
    const stop = new AbortController();
    set((old) => ({ ...old, data: old.key === key ? old.data : null, error: null, busy: true, key }));
    latest.current(stop.signal).then(
      (data) => !stop.signal.aborted && set({ key, data, error: null, busy: false }),
      (error: Error) => !stop.signal.aborted && set((old) => ({ ...old, error, busy: false })),
    );
    return () => stop.abort();
  }, [key, tick, turn]);
  const fresh = state.key === key;
  return { data: fresh ? state.data : null, error: fresh ? state.error : null, busy: state.busy || !fresh, again: () => setTurn(turn + 1) };
}
