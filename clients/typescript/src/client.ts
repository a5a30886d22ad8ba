/** A typed client of `reverie serve`: the calls that an agent needs by name, and every other route by `api`. */

import createClient, { type Client as Routes } from "openapi-fetch";
import { failure, ReverieUnreachable } from "./errors.js";
import type { components, operations, paths } from "./schema.js";

type Schemas = components["schemas"];
type QueryOf<Name extends keyof operations> = Omit<
  NonNullable<operations[Name]["parameters"]["query"]>,
  "agent" | "user" | "project"
>;

export type Scope = Schemas["Scope"];
export type Memory = Schemas["Memory"];
export type Relation = Schemas["Relation"];
export type Receipt = Schemas["Receipt"];
export type Recollection = Schemas["Recollection"];
export type Explanation = Schemas["Explanation"];
export type Message = Schemas["MessageBody"];
export type MessageOptions = Omit<Message, "text">;
export type ObserveOptions = Omit<Schemas["ObserveBody"], "text">;
export type NoteOptions = Omit<Schemas["NoteBody"], "text">;
export type RecallOptions = Omit<Schemas["RecallBody"], "cue">;
export type IntendOptions = Omit<Schemas["IntendBody"], "action">;

/** How to reach a server, and as whom. */
export interface Options {
  /** The server's address; one printed by `reverie serve` brings its token behind the `#`. */
  url?: string;
  /** The token that the server or `reverie serve token add` printed. */
  token?: string;
  /** Whose memories: may be left out only with a token that is bound to one scope. */
  scope?: Partial<Scope>;
  /** Most milliseconds to wait for an answer, 30,000 if left out; dreams and many messages wait without limit. */
  timeoutMs?: number;
  /** Another `fetch`, for tests or for a proxy. */
  fetch?: typeof globalThis.fetch;
}

/** What `openapi-fetch` returns for a call. */
type Answer<T> = { data?: T; error?: unknown; response: Response };

const HERE = "http://127.0.0.1:8377";
const TIMEOUT_MS = 30_000;

/** A memory behind an HTTP server. Nothing is sent twice: a message with a `message_id` may be sent again unharmed. */
export class Reverie {
  /** Every route of the server, typed by its OpenAPI description; errors are values there. */
  readonly api: Routes<paths>;
  readonly #options: Options;

  constructor(options: Options = {}) {
    const address = new URL(options.url ?? HERE);
    const token = options.token ?? new URLSearchParams(address.hash.slice(1)).get("token") ?? undefined;
    address.hash = "";
    this.#options = options;
    this.api = createClient<paths>({
      baseUrl: address.href.replace(/\/+$/, ""),
      redirect: "error",
      ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    });
  }

  /** The same server for another scope. */
  in(scope: Partial<Scope>): Reverie {
    return new Reverie({ ...this.#options, scope });
  }

  /** Stores a message word for word as an episode. */
  remember(text: string, options: MessageOptions = {}): Promise<Receipt> {
    return this.#ask(this.api.POST("/v1/remember", { ...this.#soon(), body: { ...options, text } }));
  }

  /** Stores many messages; those whose `message_id` is there already are ignored. */
  rememberMany(messages: readonly Message[]): Promise<Schemas["Imported"]> {
    const body = { messages: [...messages] };
    return this.#ask(this.api.POST("/v1/remember-many", { ...this.#scoped(), body }));
  }

  /** Stores a message and forms facts, preferences and the like from it. */
  observe(text: string, options: ObserveOptions = {}): Promise<Receipt> {
    return this.#ask(this.api.POST("/v1/observe", { ...this.#soon(), body: { ...options, text } }));
  }

  /** Stores a memory that somebody states directly. */
  async note(text: string, options: NoteOptions = {}): Promise<Memory[]> {
    const body = { notes: [{ ...options, text }] };
    return (await this.#ask(this.api.POST("/v1/note", { ...this.#soon(), body }))).memories;
  }

  /** Returns the memories that answer a cue, within a budget of tokens. */
  recall(cue: string, options: RecallOptions = {}): Promise<Recollection> {
    return this.#ask(this.api.POST("/v1/recall", { ...this.#soon(), body: { ...options, cue } }));
  }

  /** Recalls, and says of each memory why it was found or not; counts nothing. */
  explain(cue: string, options: RecallOptions = {}): Promise<Explanation> {
    return this.#ask(this.api.POST("/v1/explain", { ...this.#soon(), body: { ...options, cue } }));
  }

  /** Returns one memory. */
  async memory(id: string): Promise<Memory> {
    return (await this.#ask(this.api.GET("/v1/memories/{memory_id}", this.#one(id)))).memory;
  }

  /** Returns the memories of a span of time or a session, oldest first. */
  async timeline(query: QueryOf<"timeline_v1_memories_get"> = {}): Promise<Memory[]> {
    return (await this.#ask(this.api.GET("/v1/memories", this.#soon(query)))).memories;
  }

  /** Returns the latest memories, newest first. */
  async latest(query: QueryOf<"latest_v1_latest_get"> = {}): Promise<Memory[]> {
    return (await this.#ask(this.api.GET("/v1/latest", this.#soon(query)))).memories;
  }

  /** Replaces what a memory says; the old wording stays in its history. */
  async correct(id: string, body: Schemas["CorrectBody"]): Promise<Memory> {
    return (await this.#ask(this.api.PUT("/v1/memories/{memory_id}", { ...this.#one(id), body }))).memory;
  }

  /** Takes a memory out of recall; `restore` brings it back. */
  async forget(id: string, body: Schemas["WhyBody"] = {}): Promise<Memory> {
    return (await this.#ask(this.api.POST("/v1/memories/{memory_id}/forget", { ...this.#one(id), body }))).memory;
  }

  /** Brings a forgotten memory back. */
  async restore(id: string, body: Schemas["WhyBody"] = {}): Promise<Memory> {
    return (await this.#ask(this.api.POST("/v1/memories/{memory_id}/restore", { ...this.#one(id), body }))).memory;
  }

  /** Removes a memory and everything made from it for good; needs the right `admin`. */
  erase(id: string, why = ""): Promise<Schemas["Erased"]> {
    return this.#ask(this.api.DELETE("/v1/memories/{memory_id}", this.#one(id, { why })));
  }

  /** Says that a memory helped, or did not. */
  async feedback(id: string, body: Schemas["FeedbackBody"]): Promise<Memory> {
    return (await this.#ask(this.api.POST("/v1/memories/{memory_id}/feedback", { ...this.#one(id), body }))).memory;
  }

  /** Adds a relation from one memory to another. */
  async relate(source: string, body: Schemas["RelateBody"]): Promise<Relation> {
    return (await this.#ask(this.api.POST("/v1/memories/{memory_id}/relations", { ...this.#one(source), body })))
      .relation;
  }

  /** Keeps something to be done at a time or on an occasion. */
  async intend(action: string, options: IntendOptions = {}): Promise<Schemas["Intention"]> {
    return (await this.#ask(this.api.POST("/v1/intentions", { ...this.#soon(), body: { ...options, action } })))
      .intention;
  }

  /** Returns the intentions that are due. */
  due(): Promise<Schemas["Due"]> {
    return this.#ask(this.api.GET("/v1/due", this.#soon()));
  }

  /** Consolidates the scope's memories; may take minutes. */
  dream(body: Schemas["RunBody"] = {}): Promise<Schemas["Dream"]> {
    return this.#ask(this.api.POST("/v1/dream", { ...this.#scoped(), body }));
  }

  /** Takes back a dream or one event. */
  undo(body: Schemas["UndoBody"] = {}): Promise<Schemas["Undone"]> {
    return this.#ask(this.api.POST("/v1/undo", { ...this.#scoped(), body }));
  }

  /** Counts what the scope holds. */
  stats(): Promise<Schemas["Stats"]> {
    return this.#ask(this.api.GET("/v1/stats", this.#soon()));
  }

  /** Returns the changes of the scope after a number of the journal. */
  events(query: QueryOf<"events_v1_events_get"> = {}): Promise<Schemas["Events"]> {
    return this.#ask(this.api.GET("/v1/events", this.#soon(query)));
  }

  /** Says whom the token names, and what it may. */
  whoami(): Promise<Schemas["Whoami"]> {
    return this.#ask(this.api.GET("/v1/whoami", { signal: this.#limit() }));
  }

  #scoped<Query extends object>(query?: Query): { params: { query: Query & Partial<Scope> } } {
    return { params: { query: { ...query, ...this.#options.scope } as Query & Partial<Scope> } };
  }

  #soon<Query extends object>(query?: Query) {
    return { ...this.#scoped(query), signal: this.#limit() };
  }

  #one<Query extends object>(id: string, query?: Query) {
    return { params: { path: { memory_id: id }, ...this.#scoped(query).params }, signal: this.#limit() };
  }

  #limit(): AbortSignal {
    return AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS);
  }

  async #ask<T>(call: Promise<Answer<T>>): Promise<T> {
    let answer: Answer<T>;
    try {
      answer = await call;
    } catch (error) {
      throw new ReverieUnreachable(`No answer from ${this.#options.url?.split("#")[0] ?? HERE}.`, { cause: error });
    }
    if (!answer.response.ok || answer.data === undefined) {
      throw failure(answer.response, answer.error);
    }
    return answer.data;
  }
}
