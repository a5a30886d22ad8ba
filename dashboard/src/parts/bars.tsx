// Growth as bars, one for each span of time; a table says the same.
import { t } from "../texts";
import type { Bucket, Unit } from "./buckets";
import { count, dated } from "./show";

const STYLES: Record<Unit, Intl.DateTimeFormatOptions> = {
  hour: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short", year: "numeric" },
  week: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "short", year: "numeric" },
  year: { year: "numeric" },
};

export function Bars({ buckets, unit }: { buckets: Bucket[]; unit: Unit }) {
  const most = Math.max(1, ...buckets.map((one) => one.episodes + one.formed));
  const when = (at: number) => dated(at, STYLES[unit]);
  const name = (one: Bucket) => (unit === "week" ? t("bars.week", { date: when(one.at) }) : when(one.at));
  const height = (share: number) => ({ height: `${(share / most) * 100}%` });
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return null;
  return (
    <>
      <div class="bars" role="img" aria-label={t("bars.label", { from: when(first.at), to: when(last.at), most: count(most) })}>
        {buckets.map((one) => (
          <span key={one.at} class="column" title={`${name(one)}: ${count(one.episodes)} ${t("health.episodes")}, ${count(one.formed)} ${t("health.formed")}`}>
            <span class="formed" style={height(one.formed)} />
            <span class="episodes" style={height(one.episodes)} />
          </span>
        ))}
      </div>
      <p class="bars-axis small quiet"><span>{when(first.at)}</span><span>{t(unit === "week" ? "bars.weeks" : `bars.${unit}`)} · {t("bars.most", { most: count(most) })}</span>{last !== first && <span>{when(last.at)}</span>}</p>
      <p class="legend small"><span class="swatch episodes">{t("health.episodes")}</span><span class="swatch formed">{t("health.formed")}</span></p>
      <details>
        <summary>{t("bars.numbers")}</summary>
        <table class="small numbers">
          <thead><tr><th scope="col">{t("health.day")}</th><th scope="col" class="num">{t("health.episodes")}</th><th scope="col" class="num">{t("health.formed")}</th></tr></thead>
          <tbody>{buckets.filter((one) => one.episodes || one.formed).map((one) => <tr key={one.at}><th scope="row">{name(one)}</th><td class="num">{count(one.episodes)}</td><td class="num">{count(one.formed)}</td></tr>)}</tbody>
        </table>
      </details>
    </>
  );
}
