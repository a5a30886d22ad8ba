// How the scope's memory is doing: figures, growth, what it holds by kind and state, and what is in quarantine.
import { useState } from "preact/hooks";
import { call } from "../api";
import { Bars } from "../parts/bars";
import { bucketed, unitFor, type Added } from "../parts/buckets";
import { useLoad } from "../parts/load";
import { bytes, count, day, number, percent } from "../parts/show";
import { Bar, Named, Row, Said, Section, Shown } from "../parts/ui";
import { href, may } from "../state";
import { called, t } from "../texts";
import type { Counts, Health as Told, Injection, Memory } from "../types";
import { Release } from "./memory";

const HELD = 100;
const SHOWN = 8;
const PROMPTS = 50;
/** Up to so many memories are read to say which of them grew, are stale, or cost tokens. */
const LISTED = 4000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;

export function Health() {
  const health = useLoad<Told>((signal) => call("/v1/health", { signal }), ["health"]);
  return (
    <>
      <h1>{t("nav.health")}</h1>
      <Shown from={health}>
        {(of) => (
          <>
            <dl class="tiles">
              <Tile name={t("health.memories")} value={count(of.memories)} />
              <Tile name={t("health.current")} value={count(of.current)} />
              <Tile name={t("health.junk")} value={count(of.junk)} why={t("health.junk.why")} />
              <Tile name={t("health.stale")} value={count(of.stale)} why={t("health.stale.why", { superseded: count(of.superseded), outdated: count(of.outdated) })} />
              <Tile name={t("health.forgotten")} value={count(of.forgotten)} why={t("health.forgotten.why")} />
              <Tile name={t("health.quarantined")} value={count(of.quarantined)} tone={of.quarantined ? "bad" : ""} />
              <Tile name={t("health.gated")} value={percent(of.gated_share, 1)} why={t("health.gated.why", { gated: count(of.gated), observed: count(of.observed) })} />
              <Tile name={t("health.size")} value={bytes(of.disk_bytes)} why={`${count(of.events)} ${t("health.events")}`} />
            </dl>
            <Memories of={of} />
            <div class="columns three">
              <Share title={t("health.kinds")} counts={of.kinds} />
              <Share title={t("health.states")} counts={of.states} />
              <Share title={t("health.tiers")} counts={of.tiers} />
            </div>
          </>
        )}
      </Shown>
      <Quarantine />
    </>
  );
}

const whole = (signal: AbortSignal) => call<{ memories: Memory[] }>("/v1/memories", { query: { limit: LISTED }, signal }).then((found) => found.memories);
const formedOnes = (signal: AbortSignal) => call<{ memories: Memory[] }>("/v1/formed", { signal }).then((found) => found.memories);

/** What grew, what is stale, what costs tokens: of every memory, in a large scope of the formed ones. */
function Memories({ of }: { of: Told }) {
  const isWhole = of.memories <= LISTED;
  const formed = of.memories - (of.kinds.episode ?? 0);
  const found = useLoad<Memory[]>((signal) => (isWhole ? whole(signal) : formed <= LISTED ? formedOnes(signal) : Promise.resolve([])), ["listed", isWhole]);
  const listed = found.data ?? [];
  return (
    <>
      <Growth of={of} listed={isWhole ? listed : []} />
      <div class="columns">
        <Grown of={of} listed={listed} />
        <Cost listed={listed} isWhole={isWhole} />
      </div>
      <Stale of={of} listed={listed} />
    </>
  );
}

/** From the first to the last (ms). */
const reach = (of: Added[]) => (of.length ? Math.max(...of.map((one) => one.at)) - Math.min(...of.map((one) => one.at)) : 0);

/** Hour by hour where every memory is known and the life is short; else as fine as its days allow. What came in one day from many, as an import does, is shown by when it was said. */
function Growth({ of, listed }: { of: Told; listed: Memory[] }) {
  const days: Added[] = of.growth.map((one) => ({ at: Date.parse(one.day), episodes: one.episodes, formed: one.formed }));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const unit = unitFor(first.at, last.at + DAY_MS, listed.length ? "hour" : "day");
  const moments = listed.map((one) => ({ at: Date.parse(one.recorded_at), episodes: Number(one.kind === "episode"), formed: Number(one.kind !== "episode") }));
  const said = listed.map((one, at) => ({ ...moments[at], at: Date.parse(one.at) }) as Added);
  const isImport = reach(moments) < DAY_MS && reach(said) > WEEK_MS;
  const shown = isImport ? said : unit === "hour" ? moments : days;
  const shownUnit = isImport ? unitFor(0, reach(said)) : unit;
  const recent = days.filter((one) => one.at > Date.parse(of.at) - MONTH_MS).reduce((sum, one) => sum + one.episodes + one.formed, 0);
  return (
    <Section title={t(isImport ? "health.growth.said" : "health.growth")} id="growth" aside={<span class="small quiet">{t("health.recent", { recent: count(recent) })}</span>}>
      <Bars buckets={bucketed(shown, shownUnit)} unit={shownUnit} />
    </Section>
  );
}

/** What the last month that anything was recorded in added, by kind. */
function Grown({ of, listed }: { of: Told; listed: Memory[] }) {
  const last = of.growth.at(-1);
  const from = last ? Date.parse(last.day) - MONTH_MS : 0;
  const counts: Counts = {};
  for (const memory of listed) if (Date.parse(memory.recorded_at) > from) counts[memory.kind] = (counts[memory.kind] ?? 0) + 1;
  return <div id="grown">{listed.length > 0 && <Share title={t("health.grown", { date: last ? day(last.day) : "" })} counts={counts} />}</div>;
}

/** About what handing a memory over has cost so far: its tokens for each time it was recalled. */
function Cost({ listed, isWhole }: { listed: Memory[]; isWhole: boolean }) {
  const rows = listed.map((memory) => ({ memory, each: tokens(memory.text), all: tokens(memory.text) * memory.accesses }));
  const costly = rows.filter((one) => one.all > 0).sort((a, b) => b.all - a.all || (a.memory.id < b.memory.id ? -1 : 1));
  const sum = costly.reduce((all, one) => all + one.all, 0);
  return (
    <Section title={t("health.cost")} id="cost" aside={<span class="small quiet">{t(isWhole ? "health.cost.all" : "health.cost.formed", { tokens: count(sum) })}</span>}>
      {isWhole && <Prompts />}
      {costly.length === 0 && <p class="quiet">{t("health.cost.none")}</p>}
      <ul class="plain costs">
        {costly.slice(0, SHOWN).map(({ memory, each, all }) => (
          <li key={memory.id}>
            <a data-row href={href("memory", memory.id)}><Said text={memory.text} cut={90} /></a>
            <span class="small quiet">{t("health.cost.one", { times: count(memory.accesses), each: count(each), all: count(all) })}</span>
            <Bar share={all} most={costly[0]?.all ?? 1} label={t("health.cost.share", { tokens: count(all) })} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What the last prompts were given, in tokens; not in large scopes, where finding them takes the server long. */
function Prompts() {
  const found = useLoad((signal) => call<{ injections: Injection[] }>("/v1/injected", { query: { limit: PROMPTS }, signal }).then((of) => of.injections), ["prompts"]);
  if (!found.data?.length) return null;
  const all = found.data.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <p class="small" id="prompts">
      {t("health.prompts", { prompts: count(found.data.length), tokens: count(all), each: count(Math.round(all / found.data.length)) })} <a href={href("conversations")}>{t("nav.conversations")}</a>
    </p>
  );
}

/** Memories that something newer replaced, and those that nobody needed. */
function Stale({ of, listed }: { of: Told; listed: Memory[] }) {
  const replaced = listed.filter((one) => one.standing.state === "superseded");
  const settled = Date.parse(of.at) - MONTH_MS;
  const unused = listed.filter((one) => isUnused(one, settled));
  return (
    <Section title={t("health.stale.title")} id="stale" aside={<span class="small quiet">{t("health.stale.why", { superseded: count(of.superseded), outdated: count(of.outdated) })}</span>}>
      {replaced.length + unused.length === 0 && <p class="quiet">{t("health.stale.none")}</p>}
      {replaced.slice(0, SHOWN).map((memory) => (
        <Row key={memory.id} memory={memory} cut={160}>
          {memory.standing.superseded_by && <p class="small">{t("memory.newer")} <a href={href("memory", memory.standing.superseded_by)}><Named id={memory.standing.superseded_by} /></a></p>}
        </Row>
      ))}
      {unused.length > 0 && (
        <details>
          <summary>{t("health.unused", { count: count(unused.length) })}</summary>
          {unused.slice(0, SHOWN).map((memory) => <Row key={memory.id} memory={memory} cut={160} />)}
        </details>
      )}
    </Section>
  );
}

/** As the count of junk has it (src/reverie/answers.py). */
function isUnused(memory: Memory, settled: number): boolean {
  const { state, importance, pinned, immutable } = memory.standing;
  const isFormed = memory.kind !== "episode" && (state === "active" || state === "fading") && memory.valid_until === null;
  return isFormed && !memory.accesses && importance <= 0.5 && !pinned && !immutable && Date.parse(memory.recorded_at) <= settled;
}

/** About how many tokens a text has. */
const tokens = (text: string) => Math.ceil(text.length / 4);

function Tile({ name, value, why = "", tone = "" }: { name: string; value: string; why?: string; tone?: string }) {
  return (
    <div class={`tile ${tone}`}>
      <dt>{name}</dt>
      <dd><span class="value">{value}</span>{why && <span class="small quiet">{why}</span>}</dd>
    </div>
  );
}

function Share({ title, counts }: { title: string; counts: Counts }) {
  const rows = Object.entries(counts).filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...rows.map(([, value]) => value));
  return (
    <Section title={title}>
      <ul class="signals wide">
        {rows.map(([name, value]) => (
          <li key={name}>
            <span class="signal-name">{called(name)}</span>
            <Bar share={value} most={most} label={`${called(name)}: ${number(value)}`} />
            <span class="signal-share">{count(value)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Quarantine() {
  const held = useLoad((signal) => call<{ memories: Memory[] }>("/v1/quarantine", { signal }).then((found) => found.memories), ["quarantine"]);
  const [chosen, setChosen] = useState<Memory | null>(null);
  return (
    <Section title={`${t("health.quarantine")}${held.data?.length ? ` (${count(held.data.length)})` : ""}`} id="quarantine">
      <Shown from={held}>
        {(memories) =>
          memories.length
            ? memories.slice(0, HELD).map((memory) => (
                <Row key={memory.id} memory={memory}>{may("admin") && <p><button type="button" onClick={() => setChosen(memory)}>{t("memory.release")}</button></p>}</Row>
              ))
            : <p class="quiet">{t("health.quarantine.none")}</p>
        }
      </Shown>
      {chosen && <Release memory={chosen} close={() => setChosen(null)} />}
    </Section>
  );
}
