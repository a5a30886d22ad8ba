// The same question as of a day in the past and now, side by side, with what changed since.
import { call } from "../api";
import { HitRow } from "../parts/hits";
import { useLoad } from "../parts/load";
import { count, day } from "../parts/show";
import { Legend, scaleOf, type Scale } from "../parts/signals";
import { Badge, Section, Shown } from "../parts/ui";
import { t } from "../texts";
import type { Explanation, Hit, Memory } from "../types";
import { isOrder, isUnanswered } from "./search";

interface Both {
  then: Explanation;
  now: Explanation;
}

/** What became of an answer between then and now. */
type Fate = "new" | "gone" | "outdated" | "fell" | "kept";
const TONES: Record<Fate, string> = { new: "good", gone: "bad", outdated: "warn", fell: "muted", kept: "" };

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
  const left = fatesThen(then, both.now);
  const came = new Map(now.filter((hit) => !left.has(hit.memory.id) && isSince(hit.memory, asOf)).map((hit) => [hit.memory.id, "new" as Fate]));
  const fates = [...left.values(), ...came.values()];
  const counted = (fate: Fate) => count(fates.filter((one) => one === fate).length);
  const scale = scaleOf([...then, ...now]);
  return (
    <>
      <p class="changed" id="changed" role="status">
        <b>{t("asof.both")}:</b>{" "}
        {fates.every((one) => one === "kept")
          ? t("asof.same")
          : t("asof.summary", { added: counted("new"), gone: counted("gone"), outdated: counted("outdated"), fell: counted("fell"), kept: counted("kept") })}
      </p>
      <Legend of={[...then, ...now]} />
      <div class="columns compared">
        <Answers title={t("asof.then", { date: day(asOf) })} id="then" hits={then} found={both.then} scale={scale} fates={left} />
        <Answers title={t("asof.now")} id="now" hits={now} found={both.now} scale={scale} fates={came} />
      </div>
    </>
  );
}

interface AnswersProps {
  title: string;
  id: string;
  hits: Hit[];
  found: Explanation;
  scale: Scale;
  fates: Map<string, Fate>;
}

function Answers({ title, id, hits, found, scale, fates }: AnswersProps) {
  return (
    <Section title={title} id={id}>
      {hits.map((hit) => {
        const fate = fates.get(hit.memory.id) ?? "kept";
        return <HitRow key={hit.memory.id} hit={hit} found={found} scale={scale}>{fate !== "kept" && <Badge tone={TONES[fate]}>{t(`asof.${fate}`)}</Badge>}</HitRow>;
      })}
      {!hits.length && <p class="quiet">{t("search.none")}</p>}
    </Section>
  );
}

/** What became of the answers of then. */
function fatesThen(then: Hit[], now: Explanation): Map<string, Fate> {
  const still = new Map(answers(now).map((hit) => [hit.memory.id, hit.memory]));
  const remarked = (id: string, name: string) => now.remarks.some((one) => one.memory === id && one.name === name);
  const fate = ({ memory }: Hit): Fate => {
    if (isOver(still.get(memory.id) ?? memory) || remarked(memory.id, "superseded")) return "gone";
    if (remarked(memory.id, "outdated")) return "outdated";
    return still.has(memory.id) ? "kept" : "fell";
  };
  return new Map(then.map((hit) => [hit.memory.id, fate(hit)]));
}

/** Whether it was said or recorded after the day. */
function isSince(memory: Memory, asOf: string): boolean {
  return Math.max(Date.parse(memory.recorded_at), Date.parse(memory.at)) > Date.parse(asOf);
}

/** Whether a memory that held then does not hold today. */
function isOver(memory: Memory): boolean {
  return memory.standing.state === "superseded" || (memory.valid_until !== null && Date.parse(memory.valid_until) <= Date.now());
}
