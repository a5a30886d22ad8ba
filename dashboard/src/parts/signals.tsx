// Why a hit stands where it stands: each of its signals as a bar, the longest first.
import { t } from "../texts";
import type { Signal } from "../types";
import { fixed, number, words } from "./show";
import { Bar } from "./ui";

/** `most` is the largest share among what is compared, so that bars of different hits can be compared, too. */
export function Signals({ signals, most }: { signals: Signal[]; most: number }) {
  const sorted = signals.filter((one) => one.share !== 0).sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  return (
    <ul class="signals">
      {sorted.map((one, at) => (
        <li key={`${one.name}-${at}`}>
          <span class="signal-name">{words(one.name)}</span>
          <Bar share={one.share} most={most} label={label(one)} />
          <span class="signal-share">{fixed(one.share, 3)}</span>
        </li>
      ))}
    </ul>
  );
}

function label(one: Signal): string {
  return t("search.signal", { name: words(one.name), share: number(one.share, 3), value: number(one.value, 3), weight: number(one.weight, 3) });
}

/** The largest share of any signal, for the bars' common scale. */
export function largest(of: { signals: Signal[] }[]): number {
  return Math.max(0, ...of.flatMap((one) => one.signals.map((signal) => Math.abs(signal.share))));
}
