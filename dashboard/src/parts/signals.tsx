// Why a hit has its rank: one bar in which its signals are stacked, in the same colours everywhere; the numbers on demand.
import { called, t } from "../texts";
import type { Signal } from "../types";
import { fixed, number } from "./show";

/** Signals of one family have one colour (style.css: .family-…), in this order from the zero line on. */
const FAMILIES: Record<string, string[]> = {
  words: ["text", "coverage", "window", "fused", "tags"],
  meaning: ["meaning", "own meaning", "second likeness", "second meaning", "similarity"],
  who: ["speaker", "user", "assistant", "device", "person"],
  when: ["time", "dated", "recency", "decay"],
  manner: ["telling", "length", "size", "mood"],
  orders: ["order", "taste", "standing", "hot"],
  company: ["company", "entities", "related", "session", "parts"],
  change: ["supersedes", "superseded", "outdated", "newer", "contradicts", "other side"],
  reader: ["reader"],
};
const OTHER = "other";
const NAMES = [...Object.keys(FAMILIES), OTHER];
const familyOf = new Map(Object.entries(FAMILIES).flatMap(([family, signals]) => signals.map((signal) => [signal, family] as const)));

export function family(signal: string): string {
  return familyOf.get(signal) ?? OTHER;
}

/** The common scale of several bars: how far they reach to both sides of zero. */
export interface Scale {
  below: number;
  above: number;
}

const sum = (values: number[]) => values.reduce((whole, one) => whole + one, 0);

export function scaleOf(of: { signals: Signal[] }[]): Scale {
  const reach = (sign: number) => Math.max(0, ...of.map((one) => sum(one.signals.map((signal) => Math.max(0, sign * signal.share)))));
  return { below: reach(-1), above: reach(1) };
}

interface Part {
  family: string;
  share: number;
}

/** The share of each family, negative and positive ones apart. */
function parts(signals: Signal[], sign: number): Part[] {
  return NAMES.map((name) => ({ family: name, share: sum(signals.filter((one) => family(one.name) === name).map((one) => Math.max(0, sign * one.share))) })).filter(
    (one) => one.share > 0,
  );
}

export function Stack({ signals, scale }: { signals: Signal[]; scale: Scale }) {
  const whole = Math.max(1e-9, scale.below + scale.above);
  const width = (share: number) => ({ width: `${(share / whole) * 100}%` });
  const [minus, plus] = [parts(signals, -1), parts(signals, 1)];
  const said = [...plus.map((one) => ({ ...one, sign: "+" })), ...minus.map((one) => ({ ...one, sign: "−" }))];
  const label = said.map((one) => `${t(`family.${one.family}` as "family.words")} ${one.sign}${number(one.share)}`).join(", ");
  return (
    <span class="stack" role="img" aria-label={t("search.stack", { parts: label })}>
      <span class="part" style={width(scale.below - sum(minus.map((one) => one.share)))} />
      {minus.map((one) => <span key={one.family} class={`part minus family-${one.family}`} style={width(one.share)} title={t(`family.${one.family}` as "family.words")} />)}
      <span class="zero" />
      {plus.map((one) => <span key={one.family} class={`part family-${one.family}`} style={width(one.share)} title={t(`family.${one.family}` as "family.words")} />)}
    </span>
  );
}

/** What each colour means; only those that occur. */
export function Legend({ of }: { of: { signals: Signal[] }[] }) {
  const there = new Set(of.flatMap((one) => one.signals.filter((signal) => signal.share !== 0).map((signal) => family(signal.name))));
  return (
    <p class="legend small" id="legend">
      {NAMES.filter((name) => there.has(name)).map((name) => <span key={name} class={`swatch family-${name}`}>{t(`family.${name}` as "family.words")}</span>)}
    </p>
  );
}

/** Each signal with its value, weight and share, the largest share first. */
export function Numbers({ signals }: { signals: Signal[] }) {
  const sorted = signals.filter((one) => one.share !== 0).sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  return (
    <table class="numbers small">
      <thead><tr><th scope="col">{t("search.signal.name")}</th><th scope="col" class="num">{t("search.signal.value")}</th><th scope="col" class="num">{t("search.signal.weight")}</th><th scope="col" class="num">{t("search.signal.share")}</th></tr></thead>
      <tbody>
        {sorted.map((one, at) => (
          <tr key={`${one.name}-${at}`}>
            <th scope="row"><span class={`swatch family-${family(one.name)}`}>{called(one.name)}</span></th>
            <td class="num">{fixed(one.value, 3)}</td>
            <td class="num">{fixed(one.weight, 3)}</td>
            <td class="num">{one.share > 0 ? "+" : ""}{fixed(one.share, 3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
