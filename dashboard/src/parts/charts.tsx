// Charts, drawn by uPlot in the page's own colours; what they show stands beside them as text.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../state";
import { lang, t } from "../texts";
import type { Curve } from "../types";
import { dated, moment } from "./show";

const HEIGHT = 180;

/** A colour of the style sheet as it is at this moment: asked of an element, since the sheet names a light and a dark one. */
function colour(name: string): string {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.style.color = `var(${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** How moments of the axis are written: with the day, over years with the year. */
function written(data: uPlot.AlignedData): (at: number) => string {
  const x = data[0];
  const isLong = (x[x.length - 1] ?? 0) - (x[0] ?? 0) > 400 * 86_400;
  const style = isLong ? ({ month: "short", year: "numeric" } as const) : ({ day: "numeric", month: "short" } as const);
  return (at) => dated(at * 1000, style);
}

interface ChartProps {
  label: string;
  data: uPlot.AlignedData;
  /** Made anew when the look changes, since the colours do. */
  series: () => uPlot.Series[];
  y: uPlot.Scale;
}

function Chart({ label, data, series, y }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const line = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 } };
    const plot = new uPlot(
      {
        width: Math.max(200, element.clientWidth),
        height: HEIGHT,
        series: series(),
        scales: { x: { time: true }, y },
        axes: [{ ...line, values: (_, at) => at.map(written(data)) }, { ...line, size: 48 }],
        cursor: { y: false },
        legend: { live: true },
        tzDate: (at) => uPlot.tzDate(new Date(at * 1e3), "Etc/UTC"),
      },
      data,
      element,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: Math.max(200, element.clientWidth), height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [data, theme.value, lang.value, matchMedia("(prefers-color-scheme: dark)").matches]);
  return <div class="chart" role="img" aria-label={label} ref={box} />;
}

const seconds = (at: string) => Date.parse(at) / 1000;

/** The retrievability of a memory by day; dots where it was accessed. */
export function CurveChart({ curve }: { curve: Curve }) {
  const accessed = new Set(curve.accesses.map(seconds));
  const x = curve.points.map((point) => seconds(point.at));
  const dots = curve.points.map((point, at) => (point.retrievability > 0.999 && accessed.has(x[at] ?? -1) ? 1 : null));
  const data: uPlot.AlignedData = [x, curve.points.map((point) => point.retrievability), dots];
  const series = (): uPlot.Series[] => [
    { label: t("health.day"), value: (_, at) => (at === null ? "–" : moment(at * 1000)) },
    { label: t("memory.retrievability"), stroke: colour("--accent"), width: 2, points: { show: false }, value: (_, v) => (v === null ? "–" : v.toFixed(2)) },
    { label: t("memory.access"), stroke: colour("--good"), width: 0, points: { show: true, size: 8, fill: colour("--good") }, value: (_, v) => (v === null ? "–" : "●") },
  ];
  return <Chart label={t("memory.curve.label")} data={data} series={series} y={{ range: [0, 1.05] }} />;
}
