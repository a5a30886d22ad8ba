// A hit of a search: its text first, with the cue's words marked; then badges, the turns around it, and one bar for its score.
import { useState } from "preact/hooks";
import { href } from "../state";
import { called, named, t } from "../texts";
import type { Explanation, Hit, Remark } from "../types";
import { Marked } from "./marked";
import { count, number } from "./show";
import { Numbers, Stack, type Scale } from "./signals";
import { Turns } from "./turns";
import { reason } from "./reasons";
import { Badge, Marks, Moment, Named, Said } from "./ui";

const CUT = 400;
const TONES: Record<string, string> = { superseded: "muted", outdated: "warn", contradicts: "bad", quoted: "warn" };
/** Remarks that say no more than the kind of a memory does. */
const SAYS_KIND: Record<string, string[]> = { preference: ["preference"], instruction: ["standing"] };
const ABOUT = ["superseded", "outdated", "contradicts"];

interface HitProps {
  hit: Hit;
  found: Explanation;
  scale: Scale;
  /** Further badges. */
  children?: preact.ComponentChildren;
}

export function HitRow({ hit, found, scale, children }: HitProps) {
  const [turns, setTurns] = useState(false);
  const [numbers, setNumbers] = useState(false);
  const remarks = found.remarks.filter((one) => one.memory === hit.memory.id && !SAYS_KIND[hit.memory.kind]?.includes(one.name));
  return (
    <article class={`row hit${remarks.some((one) => one.name === "superseded") ? " gone" : ""}`} data-id={hit.memory.id}>
      <a class="row-link" data-row href={href("memory", hit.memory.id)}><Marked text={hit.memory.text || "–"} terms={found.cue.terms} words={found.words} cut={CUT} /></a>
      <p class="meta">
        <Moment at={hit.memory.at} /> · <bdi>{hit.memory.speaker}</bdi> <Marks memory={hit.memory} without={remarks.map((one) => one.name)} /> <Remarks remarks={remarks} /> {children}
      </p>
      {hit.withheld && <p class="withheld"><b>{t("search.withheld.why")}</b> {reason(hit.withheld)}</p>}
      {hit.shown && <p class="small quiet">{t("search.shown")}: <Said text={hit.shown} cut={300} /></p>}
      {remarks.filter((one) => one.other && ABOUT.includes(one.name)).map((one) => (
        <p key={one.name} class="small about">{named("badge", `${one.name}.about`)} <a href={href("memory", one.other)}><Named id={one.other} /></a></p>
      ))}
      <div class="score">
        <Stack signals={hit.signals} scale={scale} />
        <button type="button" class="small" data-numbers aria-expanded={numbers} onClick={() => setNumbers(!numbers)}>{t("search.numbers")}</button>
        <button type="button" class="small" data-turns aria-expanded={turns} onClick={() => setTurns(!turns)}>{t("search.turns")}</button>
      </div>
      {numbers && (
        <div class="numbers-of">
          <Numbers signals={hit.signals} />
          <p class="small quiet">{t("search.score")} {number(hit.score, 3)}{hit.cosine !== null && <> · cos {number(hit.cosine, 2)}</>} · {t("conversations.tokens", { tokens: count(hit.tokens) })}</p>
        </div>
      )}
      {turns && <Turns memory={hit.memory} />}
    </article>
  );
}

/** What a reader must know of a hit, a badge each. */
function Remarks({ remarks }: { remarks: Remark[] }) {
  return (
    <>
      {remarks.map((one) => (
        <Badge key={one.name} tone={TONES[one.name] ?? ""} title={one.name === "quoted" ? t("badge.quoted.about") : undefined}>{named("badge", one.name) || called(one.name)}</Badge>
      ))}
    </>
  );
}
