// The relation graph: of one memory to so many steps, or the newest relations of the scope. A list says the same.
import { useMemo } from "preact/hooks";
import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";
import { call } from "../api";
import { useLoad } from "../parts/load";
import { count, number, short } from "../parts/show";
import { Badge, Said, Shown } from "../parts/ui";
import { go, href, route } from "../state";
import { called, t } from "../texts";
import type { Memory, Relation } from "../types";

const EDGES = 150;
const TICKS = 200;
const WIDTH = 900;
const HEIGHT = 560;
const KINDS = ["supersedes", "contradicts", "causes", "elaborates", "same_entity", "related_to"];

interface Drawn {
  memories: Memory[];
  relations: Relation[];
  all: number;
}

interface Node extends SimulationNodeDatum {
  id: string;
}

export function Graph() {
  const { id, query } = route.value;
  const hops = query.get("hops") ?? "2";
  const drawn = useLoad<Drawn>((signal) => (id ? around(id, hops, signal) : whole(signal)), ["graph", id, hops]);
  return (
    <>
      <h1>{t("nav.graph")}</h1>
      {id && (
        <form class="filters" onSubmit={(event) => event.preventDefault()}>
          <label>{t("graph.hops")} <select value={hops} onChange={(e) => go("graph", id, { hops: e.currentTarget.value })}>{["1", "2", "3", "4"].map((one) => <option key={one}>{one}</option>)}</select></label>
          <a class="button" href={href("graph")}>{t("graph.whole")}</a>
        </form>
      )}
      <Shown from={drawn}>{(found) => (found.relations.length ? <Picture drawn={found} centre={id} /> : <p class="quiet">{t("graph.none")}</p>)}</Shown>
    </>
  );
}

function cut(memories: Memory[], relations: Relation[], always: string): Drawn {
  const kept = [...relations].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, EDGES);
  const ends = new Set([always, ...kept.flatMap((edge) => [edge.source, edge.target])]);
  return { memories: memories.filter((memory) => ends.has(memory.id)), relations: kept, all: relations.length };
}

async function around(id: string, hops: string, signal: AbortSignal): Promise<Drawn> {
  const found = await call<{ memories: Memory[]; relations: Relation[] }>(`/v1/memories/${encodeURIComponent(id)}/graph`, { query: { hops }, signal });
  const known = new Set(found.memories.map((memory) => memory.id));
  return cut(found.memories, found.relations.filter((edge) => known.has(edge.source) && known.has(edge.target)), id);
}

async function whole(signal: AbortSignal): Promise<Drawn> {
  const { relations } = await call<{ relations: Relation[] }>("/v1/relations", { signal });
  const drawn = cut([], relations, "");
  const ends = [...new Set(drawn.relations.flatMap((edge) => [edge.source, edge.target]))];
  const fetch = (id: string) => call<{ memory: Memory }>(`/v1/memories/${encodeURIComponent(id)}`, { signal }).then((found) => found.memory, () => null);
  const memories = await Promise.all(ends.map(fetch));
  return { ...drawn, memories: memories.filter((memory): memory is Memory => memory !== null) };
}

/** Where each memory stands: worked out at once, from fixed beginnings, so that the same graph looks the same. */
function laidOut(drawn: Drawn): Map<string, { x: number; y: number }> {
  const nodes: Node[] = drawn.memories.map((memory) => ({ id: memory.id }));
  const known = new Set(nodes.map((node) => node.id));
  const links = drawn.relations.filter((edge) => known.has(edge.source) && known.has(edge.target)).map(({ source, target }) => ({ source, target }));
  forceSimulation(nodes)
    .force("link", forceLink<Node, { source: string; target: string }>(links as never).id((node) => node.id).distance(90))
    .force("charge", forceManyBody().strength(-220))
    .force("near", forceCollide(26))
    .force("centre", forceCenter(WIDTH / 2, HEIGHT / 2))
    .force("x", forceX(WIDTH / 2).strength(0.05))
    .force("y", forceY(HEIGHT / 2).strength(0.08))
    .stop()
    .tick(TICKS);
  return new Map(nodes.map((node) => [node.id, { x: node.x ?? 0, y: node.y ?? 0 }]));
}

function Picture({ drawn, centre }: { drawn: Drawn; centre: string }) {
  const places = useMemo(() => laidOut(drawn), [drawn]);
  const texts = new Map(drawn.memories.map((memory) => [memory.id, memory.text]));
  const label = t("graph.label", { nodes: count(drawn.memories.length), edges: count(drawn.relations.length) });
  const names = drawn.memories.length <= 40;
  return (
    <>
      {drawn.all > drawn.relations.length && <p class="quiet small">{t("graph.cut", { shown: count(drawn.relations.length), all: count(drawn.all) })}</p>}
      <div class="graph">
        <svg viewBox={viewOf(places)} role="group" aria-label={label}>
          {drawn.relations.map((edge) => {
            const [a, b] = [places.get(edge.source), places.get(edge.target)];
            return a && b && (
              <line key={`${edge.source} ${edge.kind} ${edge.target}`} class={`edge ${edge.kind}`} x1={a.x} y1={a.y} x2={b.x} y2={b.y}>
                <title>{called(edge.kind)}</title>
              </line>
            );
          })}
          {drawn.memories.map((memory) => {
            const place = places.get(memory.id) ?? { x: 0, y: 0 };
            return (
              <a key={memory.id} href={href("memory", memory.id)} data-row aria-label={names ? undefined : short(memory.text, 80) || memory.id}>
                <circle class={`node ${memory.kind}${memory.id === centre ? " centre" : ""}`} cx={place.x} cy={place.y} r={memory.id === centre ? 11 : 8} />
                <title>{short(memory.text, 200)}</title>
                {names && <text x={place.x} y={place.y + 22} text-anchor="middle">{short(memory.text, 24) || memory.id}</text>}
              </a>
            );
          })}
        </svg>
      </div>
      <p class="legend small">{KINDS.filter((kind) => drawn.relations.some((edge) => edge.kind === kind)).map((kind) => <span key={kind} class={`key ${kind}`}>{called(kind)}</span>)}</p>
      <details>
        <summary>{t("graph.list")}</summary>
        <ul class="plain small">
          {drawn.relations.map((edge) => (
            <li key={`${edge.source} ${edge.kind} ${edge.target}`}>
              <a href={href("memory", edge.source)}><Said text={texts.get(edge.source) ?? edge.source} cut={70} /></a> <Badge>{called(edge.kind)}</Badge>{" "}
              <a href={href("memory", edge.target)}><Said text={texts.get(edge.target) ?? edge.target} cut={70} /></a>{" "}
              <span class="quiet">{t("graph.confidence")} {number(edge.confidence)}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** The part of the plane that holds everything, with a margin for the names. */
function viewOf(places: Map<string, { x: number; y: number }>): string {
  const xs = [...places.values()].map((place) => place.x);
  const ys = [...places.values()].map((place) => place.y);
  const [left, right, top, bottom] = [Math.min(...xs) - 90, Math.max(...xs) + 90, Math.min(...ys) - 30, Math.max(...ys) + 40];
  const [width, height] = [Math.max(WIDTH * 0.8, right - left), Math.max(HEIGHT * 0.8, bottom - top)];
  return [(left + right - width) / 2, (top + bottom - height) / 2, width, height].map(Math.round).join(" ");
}
