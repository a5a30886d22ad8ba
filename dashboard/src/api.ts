// The server: every call of the dashboard in one place. In, what is asked; out, the shapes of types.ts.
import { changes, live, scope, token, wantsToken } from "./state";

export class Problem extends Error {
  readonly status: number;
  readonly type: string;
  readonly mend: string;

  constructor(status: number, type: string, detail: string, mend: string) {
    super(detail);
    this.status = status;
    this.type = type;
    this.mend = mend;
  }
}

type Query = Record<string, string | number | boolean | null | undefined>;

interface Call {
  method?: string;
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  /** Without the scope's three parameters. */
  bare?: boolean;
}

function address(path: string, { query = {}, bare }: Call): string {
  const all: Query = bare || !scope.value ? query : { ...scope.value, ...query };
  const set = Object.entries(all).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const tail = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return tail ? `${path}?${tail}` : path;
}

function headers(body: boolean): Record<string, string> {
  return {
    Accept: "application/json",
    ...(body ? { "Content-Type": "application/json" } : {}),
    ...(token.value ? { Authorization: `Bearer ${token.value}` } : {}),
  };
}

/** One call; raises Problem with what the server says, and asks for a token where it wants one. */
export async function call<T>(path: string, options: Call = {}): Promise<T> {
  const hasBody = options.body !== undefined;
  let answer: Response;
  try {
    answer = await fetch(address(path, options), {
      method: options.method ?? (hasBody ? "POST" : "GET"),
      headers: headers(hasBody),
      body: hasBody ? JSON.stringify(options.body) : undefined,
      signal: options.signal,
      credentials: "same-origin",
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Problem(0, "unreachable", "The server cannot be reached.", "Is `reverie serve` still running?");
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  throw await problem(answer);
}

async function problem(answer: Response): Promise<Problem> {
  if (answer.status === 401) wantsToken.value = true;
  const said = (await answer.json().catch(() => ({}))) as { type?: string; title?: string; detail?: string; mend?: string };
  const what = said.detail ?? said.title ?? `${answer.status} ${answer.statusText}`;
  return new Problem(answer.status, said.type ?? "", what, said.mend ?? "");
}

const WAIT_MS = 3_000;
const SETTLE_MS = 250;

/**
 * Listen for changes until aborted: read by fetch, since an EventSource could not send the token. Events in quick
 * succession count once.
 */
export async function listen(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      const answer = await fetch(address("/v1/live", {}), { headers: { ...headers(false), Accept: "text/event-stream" }, signal: stop });
      if (!answer.ok || !answer.body) throw await problem(answer);
      live.value = "on";
      await readEvents(answer.body);
    } catch (error) {
      if (stop.aborted) return;
      if (error instanceof Problem && [401, 403, 404].includes(error.status)) {
        live.value = "off";
        return;
      }
    }
    live.value = "lost";
    await new Promise((done) => setTimeout(done, WAIT_MS));
  }
}

async function readEvents(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split(/\r?\n/);
    rest = lines.pop() ?? "";
    if (lines.some((line) => line.startsWith("data:"))) {
      clearTimeout(timer);
      timer = setTimeout(() => (changes.value += 1), SETTLE_MS);
    }
  }
}
