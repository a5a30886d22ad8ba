// Relations: the newest of the scope, those around a memory, or what names an entity, from there outwards.
import { useState } from "preact/hooks";
import { call } from "../api";
import { Drawing, NAME, type Dot, type Drawn, type Line } from "../parts/drawing";
import { useLoad } from "../parts/load";
import { count } from "../parts/show";
import { Failure, Shown } from "../parts/ui";
import { changes, go, href, may, route, tell } from "../state";
import { t } from "../texts";
import type { Dream, Memory, Relation } from "../types";

const EDGES = 150;
/** Most memories, and most further entities, around an entity. */
const ABOUT = 60;
const OTHERS = 20;
const OFFERED = 24;
const NAMES = "names";
const HOPS = ["1", "2", "3", "4"];

interface Found {
  memories: Memory[];
  relations: Relation[];
  /** How many relations there are in all, before the newest were chosen. */
  all: number;
  /** The formed memories of the scope, for the entities they name. */
  formed: Memory[];
}

export function Graph() {
  const { id, query } = route.value;
  const entity = query.get("entity") ?? "";
  const hops = query.get("hops") ?? "2";
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  const found = useLoad<Found>((signal) => fetchFor(id, entity, hops, signal), ["graph", id, entity, hops]);
  return (
    <>
      <h1>{t("nav.graph")}</h1>
      <Shown from={found}>
        {(of) => {
          const drawn = drawnOf(of, { entity, centre: id, from, to });
          return (
            <>
              <Filters entities={entitiesOf(of.formed)} given={{ id, entity, hops, from, to }} />
              {of.all > of.relations.length && <p class="quiet small">{t("graph.cut", { shown: count(of.relations.length), all: count(of.all) })}</p>}
              {drawn.dots.length > 1 ? <Drawing drawn={drawn} centre={id || entity} /> : <Nothing isFiltered={Boolean(id || entity || from || to)} />}
              <Offered entities={entitiesOf(of.formed)} chosen={entity} />
            </>
          );
        }}
      </Shown>
    </>
  );
}

async function fetchFor(id: string, entity: string, hops: string, signal: AbortSignal): Promise<Found> {
  const [{ memories: formed }, found] = await Promise.all([
    call<{ memories: Memory[] }>("/v1/formed", { signal }),
    id
      ? call<{ memories: Memory[]; relations: Relation[] }>(`/v1/memories/${encodeURIComponent(id)}/graph`, { query: { hops }, signal })
      : call<{ relations: Relation[] }>("/v1/relations", { signal }).then(({ relations }) => ({ memories: [], relations })),
  ]);
  if (id) return { ...newestOf(found.relations), memories: found.memories, formed };
  if (entity) return { ...(await about(entity, found.relations, signal)), formed };
  const chosen = newestOf(found.relations);
  return { ...chosen, memories: await ends(chosen.relations, formed, signal), formed };
}

/** The memories that name an entity, the most used of them, and the relations between them. */
async function about(entity: string, relations: Relation[], signal: AbortSignal): Promise<Omit<Found, "formed">> {
  const { memories } = await call<{ memories: Memory[] }>("/v1/about", { query: { entity }, signal });
  const used = [...memories].sort((a, b) => b.accesses - a.accesses || (a.at < b.at ? 1 : -1)).slice(0, ABOUT);
  const known = new Set(used.map((one) => one.id));
  return { ...newestOf(relations.filter((edge) => known.has(edge.source) && known.has(edge.target))), memories: used };
}

function newestOf(relations: Relation[]): { relations: Relation[]; all: number } {
  return { relations: [...relations].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, EDGES), all: relations.length };
}

/** The memories that relations link: most are formed ones; the others are fetched one by one. */
async function ends(relations: Relation[], formed: Memory[], signal: AbortSignal): Promise<Memory[]> {
  const known = new Map(formed.map((memory) => [memory.id, memory]));
  const ids = [...new Set(relations.flatMap((edge) => [edge.source, edge.target]))];
  const fetch = (id: string) => call<{ memory: Memory }>(`/v1/memories/${encodeURIComponent(id)}`, { signal }).then((found) => found.memory, () => null);
  const memories = await Promise.all(ids.map((id) => known.get(id) ?? fetch(id)));
  return memories.filter((memory): memory is Memory => memory !== null);
}

/** The entities that memories name, the most named first. */
function entitiesOf(formed: Memory[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const memory of formed) for (const entity of memory.entities) counts.set(entity, (counts.get(entity) ?? 0) + 1);
  return [...counts].filter(([uri]) => uri.startsWith("entity://")).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/** entity://person/helen-moon → Helen Moon. */
export function nameOf(uri: string): string {
  const slug = uri.split("/").at(-1) ?? uri;
  return slug.split("-").map((word) => word.charAt(0).toLocaleUpperCase() + word.slice(1)).join(" ");
}

interface Wanted {
  entity: string;
  centre: string;
  from: string;
  to: string;
}

const dotOf = (memory: Memory): Dot => ({ id: memory.id, text: memory.text, kind: memory.kind, use: memory.accesses, to: href("memory", memory.id) });

function drawnOf(found: Found, { entity, centre, from, to }: Wanted): Drawn {
  const inTime = (memory: Memory) => (!from || memory.at >= from) && (!to || memory.at.slice(0, 10) <= to);
  const memories = found.memories.filter((memory) => memory.id === centre || inTime(memory));
  const known = new Set(memories.map((memory) => memory.id));
  const lines: Line[] = found.relations.filter((edge) => known.has(edge.source) && known.has(edge.target));
  if (!entity) {
    const linked = new Set([centre, ...lines.flatMap((line) => [line.source, line.target])]);
    return { dots: memories.filter((memory) => linked.has(memory.id)).map(dotOf), lines };
  }
  const named = entitiesOf(memories).filter(([uri]) => uri === entity).concat(entitiesOf(memories).filter(([uri]) => uri !== entity).slice(0, OTHERS));
  const names = new Set(named.map(([uri]) => uri));
  const dots = named.map(([uri, use]): Dot => ({ id: uri, text: nameOf(uri), kind: NAME, use, to: href("graph", "", { entity: uri, from, to }) }));
  const naming = memories.flatMap((memory) => memory.entities.filter((uri) => names.has(uri)).map((uri): Line => ({ source: memory.id, target: uri, kind: NAMES, confidence: null })));
  return { dots: [...dots, ...memories.map(dotOf)], lines: [...lines, ...naming] };
}

interface Given extends Omit<Wanted, "centre"> {
  id: string;
  hops: string;
}

function Filters({ entities, given }: { entities: [string, number][]; given: Given }) {
  const { id, entity, hops, from, to } = given;
  const again = (change: Record<string, string | undefined>) => go("graph", id, { entity, hops: id ? hops : undefined, from, to, ...change });
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {id
        ? <label>{t("graph.hops")} <select value={hops} onChange={(e) => again({ hops: e.currentTarget.value })}>{HOPS.map((one) => <option key={one}>{one}</option>)}</select></label>
        : <label>{t("graph.entity")} <select value={entity} onChange={(e) => again({ entity: e.currentTarget.value })}>
          <option value="">{t("timeline.all")}</option>
          {entity && !entities.some(([uri]) => uri === entity) && <option value={entity}>{nameOf(entity)}</option>}
          {entities.map(([uri, use]) => <option key={uri} value={uri}>{`${nameOf(uri)} (${count(use)})`}</option>)}
        </select></label>}
      <label>{t("graph.from")} <input type="date" value={from} onChange={(e) => again({ from: e.currentTarget.value })} /></label>
      <label>{t("graph.to")} <input type="date" value={to} onChange={(e) => again({ to: e.currentTarget.value })} /></label>
      {(id || entity || from || to) && <a class="button" href={href("graph")}>{t("graph.whole")}</a>}
    </form>
  );
}

/** Entities to begin with. */
function Offered({ entities, chosen }: { entities: [string, number][]; chosen: string }) {
  if (!entities.length) return null;
  return (
    <p class="chips small" id="entities">
      <span class="quiet">{t("graph.begin")}</span>{" "}
      {entities.slice(0, OFFERED).map(([uri, use]) => (
        <a key={uri} class="chip" aria-current={uri === chosen ? "true" : undefined} href={href("graph", "", { entity: uri })}><bdi>{nameOf(uri)}</bdi> <span class="quiet">{count(use)}</span></a>
      ))}
    </p>
  );
}

/** Where there is nothing to draw: what would draw something, and the offer to do it. */
function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const dream = async () => {
    setBusy(true);
    setError(null);
    try {
      const report = await call<Dream>("/v1/dream", { body: { dry_run: false } });
      tell(t("dreams.done", { changed: count(report.changed) }));
      changes.value += 1;
    } catch (problem) {
      setError(problem as Error);
    }
    setBusy(false);
  };
  return (
    <div class="empty" id="empty">
      <p>{t(isFiltered ? "graph.none.here" : "graph.none")}</p>
      <p class="quiet">{t("graph.none.why")}</p>
      {error && <Failure error={error} />}
      <p class="actions">
        {isFiltered && <a class="button" href={href("graph")}>{t("graph.whole")}</a>}
        {!isFiltered && may("write") && <button type="button" class="primary" disabled={busy} onClick={() => void dream()}>{t("dreams.now")}</button>}
      </p>
    </div>
  );
}
