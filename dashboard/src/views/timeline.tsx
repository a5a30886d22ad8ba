// What was said and formed, by conversation, the last one first; the slider shows what held at a moment in the past.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { call } from "../api";
import { useLoad } from "../parts/load";
import { latest, newest } from "../parts/newest";
import { clock, count, day, moment } from "../parts/show";
import { Badge, Begin, Failure, Marks, Said, Section, Shown, Title } from "../parts/ui";
import { changes, go, href, may, route } from "../state";
import { called, t } from "../texts";
import type { Intention, Memory, Stats } from "../types";

const PAGE = 50;
const STEPS = 1000;
const SETTLE_MS = 180;
const KINDS = ["episode", "fact", "preference", "instruction", "decision", "correction", "plan", "entity", "summary", "pattern", "skill", "intention"];

export function Timeline() {
  const [hasRows, setRows] = useState(false); // a long life takes a while to count: the first page does not wait for it
  const stats = useLoad((signal) => (hasRows ? counted(signal) : Promise.resolve(null)), ["stats", hasRows]).data;
  return (
    <>
      <h1>{t("nav.timeline")}</h1>
      <Due />
      {stats && !stats.first_at ? <Begin /> : <Listed stats={stats} shown={() => setRows(true)} />}
    </>
  );
}

/** What is due, with a button to settle it, and what is to come; nothing where there is neither. */
function Due() {
  const found = useLoad((signal) => call<{ due: Intention[]; intentions: Intention[] }>("/v1/due", { signal }), ["due"]);
  const [error, setError] = useState<Error | null>(null);
  const settle = async (one: Intention, outcome: string) => {
    setError(null);
    try {
      await call(`/v1/intentions/${encodeURIComponent(one.id)}/settle`, { body: { outcome } });
      changes.value += 1;
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <Shown from={found}>{({ due, intentions }) => intentions.length === 0 ? null : (
      <Section title={t("due.title", { due: count(due.length) })} id="due">
        {error && <Failure error={error} />}
        <ul class="due">
          {intentions.map((one) => (
            <li key={one.id}>
              {due.some((other) => other.id === one.id) && <><Badge tone="warn">{t("due.now")}</Badge> </>}
              {one.action} <span class="quiet">{when(one)}</span>{" "}
              {may("write") && <button type="button" class="small" onClick={() => void settle(one, "done")}>{t("due.done")}</button>}{" "}
              {may("write") && <button type="button" class="small" onClick={() => void settle(one, "cancelled")}>{t("due.cancel")}</button>}
            </li>
          ))}
        </ul>
      </Section>
    )}</Shown>
  );
}

function when(one: Intention): string {
  const first = one.next_at ?? one.trigger.at;
  return [first ? moment(first) : t("due.about", { words: one.trigger.words.join(" ") }), one.trigger.rule].filter(Boolean).join(" · ");
}

const counted = (signal?: AbortSignal) => call<Stats>("/v1/stats", { signal });

interface ListedProps {
  stats: Stats | null;
  /** Told when the first page is there. */
  shown: () => void;
}

function Listed({ stats, shown }: ListedProps) {
  const query = route.value.query;
  const session = query.get("session") ?? "";
  const kind = query.get("kind") ?? "";
  const asOf = query.get("asof") ?? "";
  const again = (change: Record<string, string | undefined>) => go("timeline", "", { session, kind, asof: asOf, ...change });
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <AsOf stats={stats} value={asOf} choose={(asof) => again({ asof })} />
        <label>{t("timeline.session")} <input value={session} onChange={(e) => again({ session: e.currentTarget.value })} /></label>
        <label>{t("timeline.kind")} <select value={kind} onChange={(e) => again({ kind: e.currentTarget.value })}>
          <option value="">{t("timeline.all")}</option>
          {KINDS.map((one) => <option key={one} value={one}>{called(one)}</option>)}
        </select></label>
        {(session || kind || asOf) && <a class="button" href={href("timeline")}>{t("timeline.everything")}</a>}
      </form>
      <Pages key={`${session} ${kind} ${asOf}`} shown={shown} session={session} kind={kind} asOf={asOf} />
    </>
  );
}

/** A slider over the scope's whole time, once that is known; its right end is now. */
function AsOf({ stats, value, choose }: { stats: Stats | null; value: string; choose: (asOf: string | undefined) => void }) {
  const first = Date.parse(stats?.first_at ?? "");
  const span = Math.max(1, Date.parse(stats?.last_at ?? "") + 1000 - first);
  const place = value && stats ? Math.round(((Date.parse(value) - first) / span) * STEPS) : STEPS;
  const [at, setAt] = useState(place);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setAt(place), [place]);
  const momentAt = (step: number) => new Date(first + (span * step) / STEPS).toISOString();
  const says = value && !stats ? moment(value) : at >= STEPS ? t("timeline.now") : moment(momentAt(at));
  const slide = (step: number) => {
    setAt(step);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => choose(step >= STEPS ? undefined : momentAt(step)), SETTLE_MS);
  };
  return (
    <div class="slider">
      <label for="asof">{t("timeline.asof")}</label> <output for="asof">{says}</output>
      <input type="range" id="asof" min={0} max={STEPS} step={1} value={at} disabled={!stats} aria-valuetext={says} onInput={(e) => slide(Number(e.currentTarget.value))} />
    </div>
  );
}

interface PagesProps extends Pick<ListedProps, "shown"> {
  session: string;
  kind: string;
  asOf: string;
}

function Pages({ shown, session, kind, asOf }: PagesProps) {
  const wanted = { limit: PAGE, session, kind, asOf };
  const [more, setMore] = useState<{ items: Memory[]; before: number | null; span: number } | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const isWhole = !session && !kind && !asOf;
  const load = async (signal: AbortSignal) => (isWhole ? latest(() => counted(signal), { ...wanted, signal }) : newest(await counted(signal), { ...wanted, signal }));
  const first = useLoad(load, [session, kind, asOf], more === null); // who reads further down is not disturbed
  const isThere = first.data !== null;
  useEffect(() => {
    if (isThere) shown();
  }, [isThere]);
  if (!first.data) return <Shown from={first}>{() => null}</Shown>;
  const items = [...first.data.items, ...(more?.items ?? [])];
  const tail = more ?? first.data;
  const older = async () => {
    try {
      const page = await newest(await counted(), { ...wanted, before: tail.before, span: tail.span });
      setMore({ ...page, items: [...(more?.items ?? []), ...page.items] });
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <>
      {items.length === 0 && <Nothing />}
      {byConversation(items).map(([name, memories]) => <Conversation key={name} name={name} memories={memories} />)}
      {error && <Failure error={error} />}
      {tail.before !== null ? <button type="button" class="older" onClick={older}>{t("timeline.older")}</button> : items.length > 0 && <p class="quiet small">{t("timeline.end")}</p>}
    </>
  );
}

/** Where nothing fits: what would, and a way to it. */
function Nothing() {
  return (
    <div class="empty" id="empty">
      <p>{t("timeline.none")}</p>
      <p class="quiet">{t("timeline.none.why")}</p>
      <p class="actions"><a class="button" href={href("timeline")}>{t("timeline.everything")}</a></p>
    </div>
  );
}

/** The conversations of a page, the one that was last spoken in first, each in the order it was spoken. */
function byConversation(newestFirst: Memory[]): [string, Memory[]][] {
  const found = new Map<string, Memory[]>();
  for (const memory of newestFirst) {
    const of = found.get(memory.session);
    if (of) of.unshift(memory);
    else found.set(memory.session, [memory]);
  }
  return [...found];
}

function Conversation({ name, memories }: { name: string; memories: Memory[] }) {
  const title = useId();
  const [first, last] = [memories[0], memories.at(-1)];
  const messages = Math.max(0, ...memories.filter((one) => one.kind === "episode").map((one) => one.seq + 1));
  const speakers = [...new Set(memories.map((one) => one.speaker))].slice(0, 4).join(", ");
  if (!first || !last) return null;
  const days = day(first.at) === day(last.at) ? day(last.at) : `${day(first.at)} – ${day(last.at)}`;
  return (
    <section class="conversation" data-session={name} aria-labelledby={title}>
      <header>
        <h2 id={title}><a href={href("timeline", "", { session: name })}><Title session={name} /></a></h2>
        <p class="meta"><time dateTime={last.at}>{days}</time> · <bdi>{name}</bdi>{messages > 0 && <> · {t("timeline.messages", { count: count(messages) })}</>} · <bdi>{speakers}</bdi></p>
      </header>
      {memories.map((memory, at) => <Turn key={memory.id} memory={memory} dated={day(memory.at) !== day((memories[at - 1] ?? last).at)} />)}
    </section>
  );
}

/** One message, or a memory formed from one, in its conversation; with its day where another one begins. */
function Turn({ memory, dated }: { memory: Memory; dated: boolean }) {
  const gone = memory.valid_until !== null && Date.parse(memory.valid_until) <= Date.now();
  const isSaid = memory.kind === "episode";
  return (
    <article class={`row turn-row${gone ? " gone" : ""}${isSaid ? "" : " formed"}`} data-id={memory.id}>
      {dated && <span class="small day">{day(memory.at)}</span>}
      <span class="quiet small who"><time dateTime={memory.at}>{clock(memory.at)}</time> <bdi>{memory.speaker}</bdi></span>
      <a class="row-link" data-row href={href("memory", memory.id)}><Said text={memory.text || "–"} cut={300} /></a>
      <span class="marks"><Marks memory={memory} said={isSaid} /></span>
    </article>
  );
}
