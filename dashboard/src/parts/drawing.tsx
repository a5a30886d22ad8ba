// A picture of memories and entities and what links them: labelled nodes, coloured by kind, sized by use. A list says the same.
import { useMemo } from "preact/hooks";
import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";
import { called, t } from "../texts";
import { count, number, short } from "./show";
import { Badge, Said } from "./ui";

export interface Dot {
  id: string;
  text: string;
  /** A memory's kind; "name" for an entity. */
  kind: string;
  /** How often it was recalled; of an entity, how many memories name it. */
  use: number;
  to: string;
}

export interface Line {
  source: string;
  target: string;
  kind: string;
  confidence: number | null;
}

export interface Drawn {
  dots: Dot[];
  lines: Line[];
}

interface Place {
  x: number;
  y: number;
}

interface Node extends SimulationNodeDatum {
  id: string;
  size: number;
}

const TICKS = 220;
/** The plane: broad, or on a phone tall; how large a unit of it is shown at least, in pixels; and about how wide a character and how high a line of a label is. */
const BROAD = { width: 1000, height: 600, unit: 0.6, character: 6.2, line: 13 };
const TALL = { width: 440, height: 760, unit: 0.75, character: 7.3, line: 15 };
const plane = () => (matchMedia("(max-width: 700px)").matches ? TALL : BROAD);
/** Longest label in characters. */
const LABEL = 24;

export const NAME = "name";
const sizeOf = (dot: Dot, centre: string) => Math.min(20, 6 + 2.5 * Math.sqrt(dot.use)) + (dot.id === centre ? 3 : 0);

/** Where each dot stands: worked out at once, from fixed beginnings, so that the same graph looks the same. */
function laidOut({ dots, lines }: Drawn, centre: string, { width, height }: typeof BROAD): Map<string, Place> {
  const nodes: Node[] = dots.map((dot) => ({ id: dot.id, size: sizeOf(dot, centre), ...(dot.id === centre ? { fx: width / 2, fy: height / 2 } : {}) }));
  const links = lines.map(({ source, target }) => ({ source, target }));
  forceSimulation(nodes)
    .force("link", forceLink<Node, { source: string; target: string }>(links as never).id((node) => node.id).distance(115))
    .force("charge", forceManyBody().strength(-420))
    .force("near", forceCollide<Node>((node) => node.size + 34))
    .force("centre", forceCenter(width / 2, height / 2))
    .force("x", forceX(width / 2).strength(width > height ? 0.05 : 0.16))
    .force("y", forceY(height / 2).strength(width > height ? 0.1 : 0.05))
    .stop()
    .tick(TICKS);
  return new Map(nodes.map((node) => [node.id, { x: node.x ?? 0, y: node.y ?? 0 }]));
}

export function Drawing({ drawn, centre }: { drawn: Drawn; centre: string }) {
  const at = plane();
  const places = useMemo(() => laidOut(drawn, centre, at), [drawn, centre, at]);
  const view = viewOf(places, at);
  const label = t("graph.label", { nodes: count(drawn.dots.length), edges: count(drawn.lines.length) });
  const texts = useMemo(() => labelsOf(drawn.dots), [drawn]);
  const labels = useMemo(() => labelled({ dots: drawn.dots, places, texts, centre }, at), [drawn, places, texts, centre, at]);
  return (
    <>
      <div class="graph">
        <svg viewBox={view.join(" ")} style={{ minWidth: `${view[2] * at.unit}px` }} role="group" aria-label={label}>
          {drawn.lines.map((line) => <Drawline key={`${line.source} ${line.kind} ${line.target}`} line={line} places={places} />)}
          {drawn.dots.map((dot) => {
            const place = places.get(dot.id) ?? { x: 0, y: 0 };
            const size = sizeOf(dot, centre);
            return (
              <a key={dot.id} href={dot.to} data-row data-kind={dot.kind} aria-label={labels.has(dot.id) ? undefined : short(dot.text, 80) || dot.id}>
                {dot.kind === NAME
                  ? <rect class={`node kind-name${dot.id === centre ? " centre" : ""}`} x={place.x - size} y={place.y - size} width={2 * size} height={2 * size} rx={4} />
                  : <circle class={`node kind-${dot.kind}${dot.id === centre ? " centre" : ""}`} cx={place.x} cy={place.y} r={size} />}
                <title>{`${called(dot.kind)} · ${short(dot.text, 200)}`}</title>
                <text class={labels.has(dot.id) ? "" : "late"} x={place.x} y={labels.get(dot.id) ?? place.y + size + at.line} text-anchor="middle">{texts.get(dot.id)}</text>
              </a>
            );
          })}
        </svg>
      </div>
      <Legend drawn={drawn} />
      <Listing drawn={drawn} />
    </>
  );
}

/**
 * What the labels say: the first words; of texts that begin alike, the words that tell each from the others. Texts that
 * differ have different labels; the same text, twice, has the same.
 */
export function labelsOf(dots: Pick<Dot, "id" | "text">[]): Map<string, string> {
  const texts = new Map(dots.map(({ id, text }) => [id, text.replace(/\s+/g, " ").trim()]));
  const alike = new Map<string, Set<string>>();
  for (const text of texts.values()) alike.set(short(text, LABEL), (alike.get(short(text, LABEL)) ?? new Set()).add(text));
  const labels = new Map<string, string>();
  const taken = new Set<string>();
  for (const [first, group] of alike) {
    const sorted = [...group].sort();
    sorted.forEach((text, at) => {
      const plain = sorted.length > 1 ? (apart(text, sorted, at) ?? first) : first;
      let label = plain;
      for (let more = 2; taken.has(label); more += 1) label = `${plain} (${more})`; // as two that end alike, of two beginnings
      labels.set(text, label);
      taken.add(label);
    });
  }
  return new Map(dots.map(({ id }) => [id, labels.get(texts.get(id) ?? "") || id]));
}

/** The words of a text from where it departs from the sorted others; none if those only go on after it. */
function apart(text: string, sorted: string[], at: number): string | undefined {
  const goesOn = (other: string | undefined) => other?.startsWith(text);
  let after = at + 1;
  while (goesOn(sorted[after])) after += 1;
  const from = Math.max(common(text, sorted[at - 1] ?? ""), common(text, sorted[after] ?? ""));
  if (from === 0 || from >= text.length) return undefined;
  const word = text.lastIndexOf(" ", from) + 1;
  const start = word > 0 && from - word < LABEL / 2 ? word : Math.max(0, from - LABEL / 4);
  const rest = text.slice(start).trim();
  return /^[\uDC00-\uDFFF]/.test(rest) ? `…${short(rest.slice(1), LABEL - 1)}` : `…${short(rest, LABEL - 1)}`;
}

/** How many characters two texts begin with alike. */
function common(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

interface Labels {
  dots: Dot[];
  places: Map<string, Place>;
  texts: Map<string, string>;
  centre: string;
}

/** Where the labels stand: under their dots, or above them; where neither has room, the label waits for the pointer. */
function labelled({ dots, places, texts, centre }: Labels, { character, line }: typeof BROAD): Map<string, number> {
  const taken: [number, number, number, number][] = [];
  for (const dot of dots) {
    const place = places.get(dot.id);
    const size = sizeOf(dot, centre);
    if (place) taken.push([place.x - size, place.y - size, place.x + size, place.y + size]);
  }
  const found = new Map<string, number>();
  const order = [...dots].sort((a, b) => Number(b.id === centre) - Number(a.id === centre) || b.use - a.use || (a.id < b.id ? -1 : 1));
  for (const dot of order) {
    const place = places.get(dot.id);
    if (!place) continue;
    const half = ((texts.get(dot.id) ?? "").length * character) / 2;
    const size = sizeOf(dot, centre);
    const at = [place.y + size + line, place.y - size - 4].find((y) => !taken.some(([left, top, right, bottom]) => place.x - half < right && place.x + half > left && y - line + 2 < bottom && y + 2 > top));
    if (at === undefined) continue;
    taken.push([place.x - half, at - line + 2, place.x + half, at + 2]);
    found.set(dot.id, at);
  }
  return found;
}

function Drawline({ line, places }: { line: Line; places: Map<string, Place> }) {
  const [a, b] = [places.get(line.source), places.get(line.target)];
  if (!a || !b) return null;
  return <line class={`edge ${line.kind}`} x1={a.x} y1={a.y} x2={b.x} y2={b.y}><title>{called(line.kind)}</title></line>;
}

/** What the colours of dots and lines mean; only those that occur. */
function Legend({ drawn }: { drawn: Drawn }) {
  const kinds = [...new Set(drawn.dots.map((dot) => dot.kind))].sort();
  const lines = [...new Set(drawn.lines.map((line) => line.kind))].sort();
  return (
    <p class="legend small" id="legend">
      {kinds.map((kind) => <span key={kind} class={`swatch kind-${kind}`}>{called(kind)}</span>)}
      {lines.map((kind) => <span key={kind} class={`key ${kind}`}>{called(kind)}</span>)}
      <span>{t("graph.size")}</span>
    </p>
  );
}

function Listing({ drawn }: { drawn: Drawn }) {
  const known = new Map(drawn.dots.map((dot) => [dot.id, dot]));
  const end = (id: string) => <a href={known.get(id)?.to}><Said text={known.get(id)?.text ?? id} cut={70} /></a>;
  return (
    <details>
      <summary>{t("graph.list")}</summary>
      <ul class="plain small">
        {drawn.lines.map((line) => (
          <li key={`${line.source} ${line.kind} ${line.target}`}>
            {end(line.source)} <Badge>{called(line.kind)}</Badge> {end(line.target)}{" "}
            {line.confidence !== null && <span class="quiet">{t("graph.confidence")} {number(line.confidence)}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The part of the plane that holds everything, with a margin for the labels: left, top, width, height. */
function viewOf(places: Map<string, Place>, { width: least, height: low }: typeof BROAD): [number, number, number, number] {
  const xs = [...places.values()].map((place) => place.x);
  const ys = [...places.values()].map((place) => place.y);
  const [left, right, top, bottom] = [Math.min(...xs) - 90, Math.max(...xs) + 90, Math.min(...ys) - 34, Math.max(...ys) + 44];
  const [width, height] = [Math.max(least * 0.6, right - left), Math.max(low * 0.6, bottom - top)];
  return [Math.round((left + right - width) / 2), Math.round((top + bottom - height) / 2), Math.round(width), Math.round(height)];
}
