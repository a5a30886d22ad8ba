// Talking to `reverie serve`: in, a route, a scope and a body; out, what it answers, or a Fault that says what to do.

import { Fault } from "./fault.js";

const MENDS = Object.freeze({
  401: "Its token is not known there: make one with `reverie serve token add openclaw --rights write --scope '*/USER/PROJECT'` and set `token`.",
  403: "Its token may not do this, or not for this agent: give it the right, and the scope '*/USER/PROJECT'.",
  404: "",
  429: "Raise serve.requests_per_minute on the server.",
});

/** Ask a server. `deadline` is an AbortSignal; `where` is `{ url, token }`. */
export async function ask(where, { method = "POST", path, scope, body, query = {} }, deadline) {
  const address = new URL(`${where.url.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries({ ...scope, ...query })) address.searchParams.set(name, String(value));
  const headers = { accept: "application/json" };
  if (where.token) headers.authorization = `Bearer ${where.token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  let text;
  try {
    response = await fetch(address, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: deadline,
      redirect: "error", // a token is for one address
    });
    text = await response.text();
  } catch (error) {
    throw unanswered(where, error, deadline);
  }
  return answered(response.status, text, path);
}

function answered(status, text, path) {
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    throw new Fault("answer", `${path}: an answer (${status}) that is not JSON.`, "Set `url` to the address `reverie serve` tells.");
  }
  if (status >= 200 && status < 300) return said;
  const detail = typeof said?.detail === "string" ? said.detail : `status ${status}`;
  const mend = MENDS[status] ?? (typeof said?.mend === "string" ? said.mend : "");
  const fault = new Fault(status === 401 || status === 403 ? "refused" : "answer", detail, mend || said?.mend || "");
  fault.status = status;
  throw fault;
}

function unanswered(where, error, deadline) {
  if (deadline?.aborted) {
    return new Fault("silent", `Reverie at ${where.url} did not answer in time.`, "");
  }
  const why = error?.cause?.code ?? error?.cause?.message ?? error?.message ?? String(error);
  return new Fault("gone", `Nothing answers at ${where.url} (${why}).`, "Start it with `reverie serve`, or remove `url` so that the plugin starts its own.");
}

/** A signal that ends after so many milliseconds, or with another signal. */
export function within(milliseconds, other) {
  const own = AbortSignal.timeout(milliseconds);
  return other ? AbortSignal.any([own, other]) : own;
}
