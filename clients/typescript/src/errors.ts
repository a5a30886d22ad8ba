/** The errors of this client: what the server answered, or that nothing answered. */

import type { components } from "./schema.js";

/** The body of every error of the server, by RFC 9457. */
export type Problem = components["schemas"]["Problem"];

const PREFIX = "urn:reverie:";

/** The server refused or failed. `kind` says why in one word, `mend` says what to do about it. */
export class ReverieError extends Error {
  override readonly name = "ReverieError";
  /** The HTTP status. */
  readonly status: number;
  /** What went wrong, such as `not-found`, `unauthorized` or `conflict`: the last part of the problem's type. */
  readonly kind: string;
  /** What the caller can do about it. */
  readonly mend: string;
  /** The request's id, by which the server's log names it. */
  readonly requestId: string;
  /** One entry for each value that does not fit; only with status 422. */
  readonly faults: NonNullable<Problem["errors"]>;
  /** Seconds to wait before another try, where the server says so. */
  readonly retryAfterS: number | undefined;

  constructor(problem: Problem, retryAfterS?: number) {
    super(problem.mend ? `${problem.detail} ${problem.mend}` : problem.detail);
    this.status = problem.status;
    this.kind = problem.type.startsWith(PREFIX) ? problem.type.slice(PREFIX.length) : problem.type;
    this.mend = problem.mend;
    this.requestId = problem.request_id;
    this.faults = problem.errors ?? [];
    this.retryAfterS = retryAfterS;
  }
}

/** Nothing answered: the server is not there, the time was up, or the answer was no answer of Reverie. */
export class ReverieUnreachable extends Error {
  override readonly name = "ReverieUnreachable";
}

/** The error that an answer with a bad status stands for; `body` is what the server sent. */
export function failure(response: Response, body: unknown): ReverieError | ReverieUnreachable {
  if (!isProblem(body)) {
    return new ReverieUnreachable(`The server answered ${response.status} without a problem document.`);
  }
  const wait = Number(response.headers.get("retry-after") ?? NaN);
  return new ReverieError(body, Number.isFinite(wait) ? wait : undefined);
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "type" in body && "status" in body && "detail" in body;
}
