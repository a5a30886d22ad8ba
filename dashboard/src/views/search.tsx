// Search with its explanation; without a question, the newest memories and the counts.
import { useRef } from "preact/hooks";
import { call } from "../api";
import { count, fixed, number, percent, words } from "../parts/show";
import { largest, Signals } from "../parts/signals";
import { useLoad } from "../parts/load";
import { Badge, Bar, Row, Said, Section, Shown } from "../parts/ui";
import { latest } from "../parts/newest";
import { go, href, route } from "../state";
import { t } from "../texts";
import type { Explanation, Hit, Signal, Stats } from "../types";

const LATEST = 20;
const TOPS = ["5", "10", "20", "50"];

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
  const asked = useRef<Promise<Stats> | null>(null);
  const counted = useLoad<Stats>((signal) => (asked.current = call<Stats>("/v1/stats", { signal })), ["stats"]);
  const found = useLoad((signal) => latest(() => asked.current ?? call<Stats>("/v1/stats", { signal }), { signal, limit: LATEST }), ["latest"]);
  const stats = counted.data;
  return (
    <>
      <p class="counts">
        {stats && (
          <>
            <span><b>{count(stats.memories)}</b> {t("stats.memories")}</span>
            <span><b>{count(stats.current)}</b> {t("stats.current")}</span>
            <span><b>{count(stats.sessions)}</b> {t("stats.sessions")}</span>
            <span><b>{count(stats.accesses)}</b> {t("stats.accesses")}</span>
          </>
        )}
      </p>
      <Section title={t("search.latest")} id="latest">
        <Shown from={found}>
          {(items) => (items.length ? items.map((memory) => <Row key={memory.id} memory={memory} cut={240} />) : <p class="quiet">{t("app.scopes.none")}</p>)}
        </Shown>
      </Section>
    </>
  );
}

function Found({ cue }: { cue: string }) {
  const query = route.value.query;
  const top = query.get("top") ?? "";
  const asOf = query.get("asof") ?? "";
  const past = query.get("past") === "1";
  const body = { cue, past, ...(top ? { top_k: Number(top) } : {}), ...(asOf ? { as_of: `${asOf}T23:59:59Z` } : {}) };
  const answer = useLoad<Explanation>((signal) => call("/v1/explain", { body, signal }), [cue, top, asOf, past]);
  const again = (change: Record<string, string | undefined>) =>
    go("search", "", { q: cue, top: top || undefined, asof: asOf || undefined, past: past ? "1" : undefined, ...change });
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>{t("search.top")} <select value={top || "10"} onChange={(e) => again({ top: e.currentTarget.value })}>{TOPS.map((one) => <option key={one}>{one}</option>)}</select></label>
        <label>{t("search.asof")} <input type="date" value={asOf} onChange={(e) => again({ asof: e.currentTarget.value || undefined })} /></label>
        <label class="check"><input type="checkbox" checked={past} onChange={(e) => again({ past: e.currentTarget.checked ? "1" : undefined })} /> {t("search.past")}</label>
      </form>
      <Shown from={answer}>{(found) => <Answer found={found} />}</Shown>
    </>
  );
}

function Answer({ found }: { found: Explanation }) {
  const orders = [...found.standing, ...found.hits.filter(isOrder)];
  const hits = found.hits.filter((hit) => !isOrder(hit));
  const all = [...orders, ...hits, ...found.withheld];
  const most = largest(all);
  const took = found.trace.reduce((sum, step) => sum + step.took_ms, 0);
  return (
    <>
      <Confidence found={found} />
      {orders.length > 0 && (
        <Section title={t("search.standing")} aside={<span class="quiet small">{t("search.standing.why")}</span>}>
          {orders.map((hit) => <HitRow key={hit.memory.id} hit={hit} most={most} />)}
        </Section>
      )}
      <Section
        title={t("search.hits")}
        id="hits"
        aside={<span class="quiet small">{t("search.cost", { searched: count(found.searched), tokens: count(found.tokens), ms: number(took, 1) })}</span>}
      >
        {found.ended && <p class="quiet">{t("search.ended")}: {found.ended}</p>}
        {hits.length ? hits.map((hit) => <HitRow key={hit.memory.id} hit={hit} most={most} />) : <p class="quiet">{t("search.none")}</p>}
      </Section>
      {found.withheld.length > 0 && (
        <Section title={`${t("search.withheld")} (${found.withheld.length})`} id="withheld">
          {found.withheld.map((hit) => <HitRow key={hit.memory.id} hit={hit} most={most} />)}
        </Section>
      )}
      <Shifts found={found} />
      <Understood found={found} />
    </>
  );
}

/** Whether a hit is there whatever the cue: an order that stands, not an answer. */
function isOrder(hit: Hit): boolean {
  return hit.signals.some((one) => one.name === "standing");
}

function HitRow({ hit, most }: { hit: Hit; most: number }) {
  return (
    <div class="hit">
      <span class="rank" aria-hidden="true">{hit.rank || "·"}</span>
      <div>
        <Row memory={hit.memory}>
          {hit.withheld && <p class="withheld"><b>{t("search.withheld.why")}</b> {hit.withheld}</p>}
          {hit.shown && <p class="small quiet">{t("search.shown")}: <Said text={hit.shown} cut={300} /></p>}
        </Row>
      </div>
      <div class="why">
        <Signals signals={hit.signals} most={most} />
        <p class="small quiet">{t("search.score")} {number(hit.score, 3)}{hit.cosine !== null && <> · cos {number(hit.cosine, 2)}</>} · {hit.tokens} tok</p>
      </div>
    </div>
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
            <span class="signal-name">{words(one.name)}</span>
            <Bar share={one.share} most={most} label={`${words(one.name)}: ${number(one.share, 2)}`} />
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
            <a href={href("memory", one.memory)}>{t("search.shift", { signal: words(one.signal), rank: one.rank, instead: one.instead })}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Understood({ found }: { found: Explanation }) {
  const { cue } = found;
  const said = [found.intent && words(found.intent), cue.language, cue.window?.phrase, ...cue.speakers, ...cue.entities].filter(Boolean) as string[];
  return (
    <details>
      <summary>{t("search.cue")} · {t("search.trace")}</summary>
      <p>{said.map((one, at) => <Badge key={at}><bdi>{one}</bdi></Badge>)} {cue.terms.map((term, at) => <code key={at}>{term}</code>)}</p>
      <table class="small">
        <tbody>
          {found.trace.map((step, at) => (
            <tr key={at}><th scope="row">{step.stage}</th><td>{step.note}</td><td class="num">{number(step.took_ms, 2)} ms</td></tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
