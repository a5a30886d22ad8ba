// Search: the answers as they were said, why they are the answers on demand; without a question, the newest memories.
import { call } from "../api";
import { HitRow } from "../parts/hits";
import { useLoad } from "../parts/load";
import { noted } from "../parts/reasons";
import { latest } from "../parts/newest";
import { count, fixed, number, percent } from "../parts/show";
import { Legend, scaleOf, type Scale } from "../parts/signals";
import { Badge, Bar, Begin, Row, Section, Shown } from "../parts/ui";
import { go, href, route } from "../state";
import { called, named, t } from "../texts";
import type { Explanation, Hit, Signal, Stats } from "../types";
import { Compared } from "./compared";

const LATEST = 20;
const TOPS = ["5", "10", "20", "50"];
/** Below this confidence nothing is shown as an answer: the `least` of the default recipe's answer gate. */
const LEAST_CONFIDENCE = 0.5;

export function Search() {
  const query = route.value.query;
  const cue = query.get("q") ?? "";
  return (
    <>
      <h1 class="for-readers">{t("nav.search")}</h1>
      {cue.trim() ? <Found cue={cue} /> : <Latest />}
    </>
  );
}

function Latest() {
  const found = useLoad((signal) => latest(() => call<Stats>("/v1/stats", { signal }), { signal, limit: LATEST }).then((page) => page.items), ["latest"]);
  return (
    <>
      <p class="counts">{found.data && <Counts />}</p>
      <Section title={t("search.latest")} id="latest">
        <Shown from={found}>
          {(items) => (items.length ? items.map((memory) => <Row key={memory.id} memory={memory} cut={240} />) : <Begin />)}
        </Shown>
      </Section>
    </>
  );
}

/** Asked for once the newest memories are there: a long life takes a while to count, and they would wait for it. */
function Counts() {
  const stats = useLoad<Stats>((signal) => call("/v1/stats", { signal }), ["stats"]).data;
  const names = ["memories", "current", "sessions", "accesses"] as const;
  return <>{stats && names.map((name) => <span key={name}><b>{count(stats[name])}</b> {t(`stats.${name}`, { count: stats[name] })}</span>)}</>;
}

function Found({ cue }: { cue: string }) {
  const query = route.value.query;
  const top = query.get("top") ?? "";
  const asOf = query.get("asof") ?? "";
  const past = query.get("past") === "1";
  const again = (change: Record<string, string | undefined>) =>
    go("search", "", { q: cue, top: top || undefined, asof: asOf || undefined, past: past ? "1" : undefined, ...change });
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>{t("search.top")} <select value={top} onChange={(e) => again({ top: e.currentTarget.value || undefined })}>
          <option value="">{t("search.top.any")}</option>
          {TOPS.map((one) => <option key={one}>{one}</option>)}
        </select></label>
        <label>{t("search.asof")} <input type="date" value={asOf} onChange={(e) => again({ asof: e.currentTarget.value || undefined })} /></label>
        <label class="check"><input type="checkbox" checked={past} onChange={(e) => again({ past: e.currentTarget.checked ? "1" : undefined })} /> {t("search.past")}</label>
      </form>
      {asOf ? <Compared cue={cue} asOf={asOf} top={top} past={past} /> : <Now cue={cue} top={top} past={past} />}
    </>
  );
}

function Now({ cue, top, past }: { cue: string; top: string; past: boolean }) {
  const body = { cue, past, ...(top ? { top_k: Number(top) } : {}) };
  const answer = useLoad<Explanation>((signal) => call("/v1/explain", { body, signal }), [cue, top, past]);
  return <Shown from={answer}>{(found) => <Answer found={found} />}</Shown>;
}

/** Whether the memory most likely holds no answer. Recipes without grounds report their best score instead. */
export function isUnanswered(found: Explanation): boolean {
  return found.confidence !== null && found.grounds.length > 0 && found.confidence < LEAST_CONFIDENCE;
}

function Answer({ found }: { found: Explanation }) {
  const orders = [...found.standing, ...found.hits.filter(isOrder)];
  const hits = found.hits.filter((hit) => !isOrder(hit));
  const scale = scaleOf([...hits, ...found.withheld]);
  if (!hits.length || isUnanswered(found)) return <Nothing found={found} hits={hits} scale={scale} />;
  return (
    <>
      <Section title={t("search.hits")} id="hits" aside={<Legend of={hits} />}>
        {hits.map((hit) => <HitRow key={hit.memory.id} hit={hit} found={found} scale={scale} />)}
      </Section>
      <Beside found={found} scale={scale} />
      {orders.length > 0 && (
        <Section title={t("search.standing")} id="standing-orders" aside={<span class="quiet small">{t("search.standing.why")}</span>}>
          {orders.map((hit) => <Row key={hit.memory.id} memory={hit.memory} />)}
        </Section>
      )}
      <How found={found} />
    </>
  );
}

/** That nothing here answers it, and nothing else, until somebody asks what comes nearest. */
function Nothing({ found, hits, scale }: { found: Explanation; hits: Hit[]; scale: Scale }) {
  return (
    <section class="nothing" id="nothing">
      <p class="words" role="status">{t("search.none")}</p>
      {hits.length > 0 && (
        <details>
          <summary>{t("search.below", { count: count(hits.length) })}</summary>
          <Confidence found={found} />
          {hits.map((hit) => <HitRow key={hit.memory.id} hit={hit} found={found} scale={scale} />)}
        </details>
      )}
    </section>
  );
}

/** What was found and not handed over. */
function Beside({ found, scale }: { found: Explanation; scale: Scale }) {
  if (!found.withheld.length) return null;
  return (
    <Section title={`${t("search.withheld")} (${found.withheld.length})`} id="withheld">
      {found.withheld.map((hit) => <HitRow key={hit.memory.id} hit={hit} found={found} scale={scale} />)}
    </Section>
  );
}

/** Whether a hit is there whatever the cue: an order that stands, not an answer. */
export function isOrder(hit: Hit): boolean {
  return hit.signals.some((one) => one.name === "standing");
}

/** How the answer was found: how sure it is, how the cue was understood, the steps, what would change the order. */
function How({ found }: { found: Explanation }) {
  const took = found.trace.reduce((sum, step) => sum + step.took_ms, 0);
  return (
    <details class="how" id="how">
      <summary>{t("search.more")} · {t("search.cost", { searched: count(found.searched), tokens: count(found.tokens), ms: number(took, 1) })}</summary>
      <Confidence found={found} />
      <Shifts found={found} />
      <Understood found={found} />
    </details>
  );
}

function Confidence({ found }: { found: Explanation }) {
  if (found.confidence === null) return <p class="quiet small">{t("search.confidence.none")}</p>;
  const most = Math.max(0.001, ...found.grounds.map((one) => Math.abs(one.share)));
  const tone = found.confidence >= 0.6 ? "good" : found.confidence >= 0.3 ? "warn" : "bad";
  return (
    <details class="confidence">
      <summary>
        <span>{t("search.confidence")}</span>
        <span class={`meter ${tone}`}><span style={{ width: `${found.confidence * 100}%` }} /></span>
        <b>{percent(found.confidence)}</b>
      </summary>
      <p class="small quiet">{t("search.grounds")}</p>
      <ul class="signals wide">
        {found.grounds.map((one: Signal, at) => (
          <li key={`${one.name}-${at}`}>
            <span class="signal-name">{called(one.name)}</span>
            <Bar share={one.share} most={most} label={`${called(one.name)}: ${number(one.share, 2)}`} />
            <span class="signal-share">{one.share > 0 ? "+" : ""}{fixed(one.share, 2)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Shifts({ found }: { found: Explanation }) {
  if (!found.shifts.length) return null;
  return (
    <details>
      <summary>{t("search.shifts")} ({found.shifts.length})</summary>
      <ul class="plain small">
        {found.shifts.slice(0, 60).map((one, at) => (
          <li key={at}>
            <a href={href("memory", one.memory)}>{t("search.shift", { signal: called(one.signal), rank: one.rank, instead: one.instead })}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Understood({ found }: { found: Explanation }) {
  const { cue } = found;
  const said = [found.intent && called(found.intent), cue.language && named("language", cue.language), cue.window?.phrase, ...cue.speakers, ...cue.entities].filter(Boolean) as string[];
  return (
    <Section title={`${t("search.cue")} · ${t("search.trace")}`}>
      {found.ended && <p class="quiet">{t("search.ended")}: {noted(found.ended)}</p>}
      <p>{said.map((one, at) => <Badge key={at}><bdi>{one}</bdi></Badge>)} {cue.terms.map((term, at) => <code key={at}>{term} </code>)}</p>
      <table class="small">
        <tbody>
          {found.trace.map((step, at) => (
            <tr key={at}><th scope="row">{called(step.stage)}</th><td title={step.note}>{noted(step.note)}</td><td class="num">{number(step.took_ms, 2)} ms</td></tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
