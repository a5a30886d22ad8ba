// The same question as of a day in the past and now, side by side, with what changed since.
import { call } from "../api";
import { HitRow } from "../parts/hits";
import { useLoad } from "../parts/load";
import { count, day } from "../parts/show";
import { scaleOf } from "../parts/signals";
import { Badge, Section, Shown } from "../parts/ui";
import { t } from "../texts";
import type { Explanation, Hit, Memory } from "../types";
import { isOrder, isUnanswered } from "./search";

interface Both {
  then: Explanation;
  now: Explanation;
}

const answers = (found: Explanation): Hit[] => (isUnanswered(found) ? [] : found.hits.filter((hit) => !isOrder(hit)));

export function Compared({ cue, asOf, top, past }: { cue: string; asOf: string; top: string; past: boolean }) {
  const end = `${asOf}T23:59:59Z`;
  const body = { cue, past, ...(top ? { top_k: Number(top) } : {}) };
  const both = useLoad<Both>(async (signal) => {
    const [then, now] = await Promise.all([call<Explanation>("/v1/explain", { body: { ...body, as_of: end }, signal }), call<Explanation>("/v1/explain", { body, signal })]);
    return { then, now };
  }, [cue, asOf, top, past]);
  return <Shown from={both}>{(found) => <Columns both={found} asOf={end} />}</Shown>;
}

function Columns({ both, asOf }: { both: Both; asOf: string }) {
  const [then, now] = [answers(both.then), answers(both.now)];
  const before = new Set(then.map((hit) => hit.memory.id));
  const after = new Map(now.map((hit) => [hit.memory.id, hit]));
  const isNew = (memory: Memory) => memory.recorded_at > asOf || memory.at > asOf;
  const isGone = (memory: Memory) => isOver(memory) || both.now.remarks.some((one) => one.memory === memory.id && one.name === "superseded");
  const added = now.filter((hit) => isNew(hit.memory));
  const gone = then.filter((hit) => isGone(hit.memory));
  const kept = then.filter((hit) => after.has(hit.memory.id) && !isGone(hit.memory));
  const scale = scaleOf([...then, ...now]);
  return (
    <>
      <p class="changed" id="changed" role="status">
        <b>{t("asof.both")}:</b>{" "}
        {added.length || gone.length ? t("asof.summary", { added: count(added.length), gone: count(gone.length), kept: count(kept.length) }) : t("asof.same")}
      </p>
      <div class="columns compared">
        <Section title={t("asof.then", { date: day(asOf) })} id="then">
          {then.length ? then.map((hit) => (
            <HitRow key={hit.memory.id} hit={hit} found={both.then} scale={scale} compact>
              {isGone(hit.memory) && <p class="small"><Badge tone="bad">{t("asof.gone")}</Badge></p>}
            </HitRow>
          )) : <p class="quiet">{t("search.none")}</p>}
        </Section>
        <Section title={t("asof.now")} id="now">
          {now.length ? now.map((hit) => (
            <HitRow key={hit.memory.id} hit={hit} found={both.now} scale={scale} compact>
              {!before.has(hit.memory.id) && isNew(hit.memory) && <p class="small"><Badge tone="good">{t("asof.new")}</Badge></p>}
            </HitRow>
          )) : <p class="quiet">{t("search.none")}</p>}
        </Section>
      </div>
    </>
  );
}

/** Whether a memory that held then does not hold today. */
function isOver(memory: Memory): boolean {
  return memory.standing.state === "superseded" || (memory.valid_until !== null && Date.parse(memory.valid_until) <= Date.now());
}
