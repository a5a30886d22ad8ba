// The JSON shapes of the HTTP interface, as far as the dashboard reads them (src/reverie/wire/shapes.py makes them).

export interface Scope {
  agent: string;
  user: string;
  project: string;
}

export interface Standing {
  tier: string;
  state: string;
  importance: number;
  utility: number;
  stability_days: number;
  storage: number;
  confidence: number;
  valence: number;
  arousal: number;
  emotion: string;
  pinned: boolean;
  immutable: boolean;
  verified: boolean;
  tags: string[];
  supersedes: string;
  superseded_by: string;
  [name: string]: Plain;
}

export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

export interface Memory {
  id: string;
  kind: string;
  text: string;
  speaker: string;
  role: string;
  session: string;
  seq: number;
  at: string;
  recorded_at: string;
  valid_until: string | null;
  sources: string[];
  entities: string[];
  keywords: string[];
  accesses: number;
  last_access: string | null;
  standing: Standing;
}

export interface Signal {
  name: string;
  value: number;
  weight: number;
  share: number;
  about: string;
}

export interface Hit {
  rank: number;
  score: number;
  cosine: number | null;
  tokens: number;
  withheld: string;
  shown: string;
  signals: Signal[];
  memory: Memory;
}

export interface Remark {
  memory: string;
  name: string;
  other: string;
}

export interface Explanation {
  scope: Scope;
  at: string;
  cue: {
    text: string;
    terms: string[];
    language: string;
    entities: string[];
    speakers: string[];
    first_person: boolean;
    asks_assistant: boolean;
    window: { start: string; end: string; phrase: string } | null;
  };
  hits: Hit[];
  withheld: Hit[];
  standing: Hit[];
  intent: string;
  confidence: number | null;
  grounds: Signal[];
  ended: string;
  tokens: number;
  searched: number;
  trace: { stage: string; note: string; took_ms: number }[];
  /** Words of the hits, in lower case, that are forms of the cue's terms, as the index stems them. */
  words: string[];
  shifts: { signal: string; memory: string; rank: number; instead: number }[];
  remarks: Remark[];
}

export interface Relation {
  source: string;
  kind: string;
  target: string;
  confidence: number;
  at: string;
}

export interface Stats {
  memories: number;
  current: number;
  sessions: number;
  speakers: number;
  accesses: number;
  embedded: number;
  first_at: string | null;
  last_at: string | null;
  events: number;
  disk_bytes: number;
}

export interface FieldChange {
  name: string;
  before: Plain;
  after: Plain;
}

export interface Change {
  memory: string;
  why: string;
  fields: FieldChange[];
}

export interface Event {
  seq: number;
  at: string;
  actor: string;
  action: string;
  why: string;
  payload: Record<string, Plain> | null;
}

export interface Curve {
  law: string;
  at: string;
  now: number | null;
  points: { at: string; days: number; retrievability: number }[];
  accesses: string[];
}

export interface DreamStep {
  name: string;
  changed: number;
  formed: number;
  related: number;
  left: number;
  reasons: { why: string; count: number }[];
  samples: Change[];
  made: Memory[];
  notes: string[];
}

export interface Dream {
  cycle: string;
  period: string;
  at: string;
  memories: number;
  changed: number;
  steps: DreamStep[];
}

export interface PastDream {
  cycle: string;
  period: string;
  at: string;
  ended: string | null;
  stage: string;
  changed: number;
  steps: DreamStep[];
}

export interface Undone {
  changed: number;
  unmade: number;
  unrelated: number;
  left: string[];
}

export interface Health {
  at: string;
  memories: number;
  current: number;
  kinds: Counts;
  tiers: Counts;
  states: Counts;
  junk: number;
  stale: number;
  superseded: number;
  outdated: number;
  forgotten: number;
  quarantined: number;
  growth: { day: string; episodes: number; formed: number }[];
  observed: number;
  gated: number;
  gated_share: number;
  events: number;
  disk_bytes: number;
}

export type Counts = Record<string, number>;

export interface Whoami {
  name: string;
  rights: string;
  scope: { agent: string | null; user: string | null; project: string | null };
}

export interface Intention {
  id: string;
  action: string;
  progress: string;
  next_at: string | null;
  until: string | null;
  missed: number;
  trigger: { at: string | null; rule: string; words: string[]; follows: boolean; zone: string };
}

export interface InjectedMemory {
  memory: Memory;
  words: number;
  signals: Signal[];
}

export interface Injection {
  at: string;
  session: string;
  caller: string;
  trigger: "automatic" | "manual";
  moment: string;
  prompt: Memory | null;
  words: number;
  tokens: number;
  memories: InjectedMemory[];
  withheld: { memory: Memory; why: string }[];
  erased: number;
  complete: boolean;
}
