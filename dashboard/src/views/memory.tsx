// A memory's page: its words, where they came from, how it fades, what happened to it, what it is linked with.
import { useEffect, useState } from "preact/hooks";
import { correct, forget, pin, release, revive, supersede } from "../actions";
import { call, Problem } from "../api";
import { History } from "../parts/history";
import { Life } from "../parts/life";
import { useLoad, type Loaded } from "../parts/load";
import { count, percent, plain, short } from "../parts/show";
import { Turns } from "../parts/turns";
import { Ask, Badge, Dialog, later, Marks, Moment, Named, Row, Said, Section, Shown } from "../parts/ui";
import { href, may, route } from "../state";
import { called, t } from "../texts";
import type { Curve, Event, Explanation, Memory as One, Relation } from "../types";

const EPISODES = 30;
/** So many of its messages are shown with the turns around them. */
const IN_TURNS = 3;
/** Fields with words of the memory itself, which have no translation. */
const SAID = ["tags", "keywords"];
/** The recipes in which memories fade along a curve. */
const FADING = ["v9", "openclaw"];
const CurveChart = later<{ curve: Curve }>(() => import("../parts/charts").then((part) => part.CurveChart));
const one = (id: string) => `/v1/memories/${encodeURIComponent(id)}`;

/** A memory by its id; null where it is gone. */
async function fetched(id: string, signal: AbortSignal): Promise<One | null> {
  return call<{ memory: One }>(one(id), { signal }).then((found) => found.memory, () => null);
}

export function Memory() {
  const { id } = route.value;
  const memory = useLoad((signal) => call<{ memory: One }>(one(id), { signal }).then((found) => found.memory), ["memory", id]);
  if (memory.error instanceof Problem && memory.error.status === 404) return <Gone />;
  return <Shown from={memory}>{(found) => <Whole key={found.id} memory={found} />}</Shown>;
}

/** Where there is no such memory: it was undone or erased, or is another scope's. */
function Gone() {
  return (
    <section id="gone">
      <h1>{t("memory.gone")}</h1>
      <p class="quiet">{t("memory.gone.why")}</p>
      <p class="actions"><a class="button" href={href("search")}>{t("nav.search")}</a> <a class="button" href={href("timeline")}>{t("nav.timeline")}</a></p>
    </section>
  );
}

interface Neighbours {
  memories: One[];
  relations: Relation[];
}

function Whole({ memory }: { memory: One }) {
  const history = useLoad((signal) => call<{ events: Event[] }>(`${one(memory.id)}/history`, { signal }).then((found) => found.events), ["history", memory.id]);
  const links = useLoad<Neighbours>((signal) => call(`${one(memory.id)}/graph`, { query: { hops: 1 }, signal }), ["relations", memory.id]);
  const known = new Set([...memory.sources, ...(links.data?.memories ?? []).map((other) => other.id)]);
  return (
    <>
      <h1 class="for-readers">{short(memory.text, 60) || memory.id}</h1>
      <article class="memory">
        <p class="words"><Said text={memory.text || "–"} /></p>
        <p class="meta">
          {t("memory.of")} <bdi>{memory.speaker}</bdi> · <Moment at={memory.at} /> · {t("memory.place", { seq: memory.seq + 1 })}{" "}
          <a href={href("timeline", "", { session: memory.session })}><bdi>{memory.session}</bdi></a> <Marks memory={memory} />
        </p>
        <Actions memory={memory} />
      </article>
      <Section title={t("life.title")} id="life"><Shown from={history}>{(events) => <Life memory={memory} events={events} />}</Shown></Section>
      <div class="columns">
        <div>
          <Sources memory={memory} />
          <MadeOf memory={memory} />
          <Links memory={memory} links={links} />
        </div>
        <div>
          <Validity memory={memory} />
          <Fading memory={memory} />
          <History memory={memory} history={history} known={known} />
          <Fields memory={memory} />
        </div>
      </div>
    </>
  );
}

type Open = "" | "correct" | "supersede" | "forget" | "release";

function Actions({ memory }: { memory: One }) {
  const [open, setOpen] = useState<Open>("");
  const { state, pinned } = memory.standing;
  const isOver = memory.valid_until !== null && Date.parse(memory.valid_until) <= Date.now();
  const isCorrectable = state !== "superseded" && state !== "quarantined";
  const close = () => setOpen("");
  const canWrite = may("write");
  useEffect(() => {
    if (!canWrite) return;
    const byKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if ((event.target as HTMLElement).matches("input, textarea, select")) return;
      if (event.key === "p") void pin(memory);
      else if (event.key === "c" && isCorrectable) setOpen("correct");
      else if (event.key === "s" && !isOver) setOpen("supersede");
      else if (event.key === "f" && !isOver) setOpen("forget");
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", byKey);
    return () => removeEventListener("keydown", byKey);
  }, [memory, canWrite]);
  if (!canWrite) return <p class="actions"><a class="button" href={href("graph", memory.id)}>{t("memory.graph")}</a></p>;
  return (
    <p class="actions">
      <button type="button" onClick={() => void pin(memory)} aria-pressed={pinned}>{t(pinned ? "memory.unpin" : "memory.pin")}</button>
      {isCorrectable && <button type="button" onClick={() => setOpen("correct")}>{t("memory.correct")}</button>}
      {!isOver && <button type="button" onClick={() => setOpen("supersede")}>{t("memory.supersede")}</button>}
      {!isOver && <button type="button" onClick={() => setOpen("forget")}>{t("memory.forget")}</button>}
      {state === "quarantined" && may("admin") && <button type="button" class="primary" onClick={() => setOpen("release")}>{t("memory.release")}</button>}
      {(state === "dormant" || state === "fading") && <button type="button" onClick={() => void revive(memory)}>{t("memory.revive")}</button>}
      <a class="button" href={href("graph", memory.id)}>{t("memory.graph")}</a>
      {open === "correct" && (
        <Ask
          title={t("memory.correct.title")}
          help={t("memory.correct.help")}
          verb={t("memory.correct")}
          text={{ label: t("memory.correct.text"), value: memory.text }}
          why="may"
          close={close}
          act={({ text, why }) => correct(memory, text, why)}
        />
      )}
      {open === "forget" && (
        <Ask title={t("memory.forget.title")} help={t("memory.forget.help")} verb={t("memory.forget")} danger why="may" close={close} act={({ why }) => forget(memory, why)} />
      )}
      {open === "release" && <Release memory={memory} close={close} />}
      {open === "supersede" && <Supersede memory={memory} close={close} />}
    </p>
  );
}

/** The reason is asked for: what was held back was held back for one. */
export function Release({ memory, close }: { memory: One; close: () => void }) {
  return <Ask title={t("memory.release.title")} help={t("memory.release.help")} verb={t("memory.release")} why="must" close={close} act={({ why }) => release(memory, why)} />;
}

function Supersede({ memory, close }: { memory: One; close: () => void }) {
  const [cue, setCue] = useState(memory.text.slice(0, 200));
  const [asked, setAsked] = useState(cue);
  const [error, setError] = useState("");
  const found = useLoad<Explanation>((signal) => call("/v1/explain", { body: { cue: asked, top_k: 20, budget_tokens: null }, signal }), [asked], false);
  const choose = (newer: One) => supersede(memory, newer).then(close, (problem: Error) => setError(problem.message));
  return (
    <Dialog title={t("memory.supersede.title")} help={t("memory.supersede.help")} close={close}>
      <form onSubmit={(event) => { event.preventDefault(); setAsked(cue); }}>
        <label>{t("memory.supersede.find")}<input name="cue" autocomplete="off" value={cue} onInput={(e) => setCue(e.currentTarget.value)} /></label>
      </form>
      {error && <p class="failure" role="alert">{error}</p>}
      <div class="choices">
        <Shown from={found}>
          {(answer) => {
            const others = [...answer.hits, ...answer.withheld].map((hit) => hit.memory).filter((other) => other.id !== memory.id);
            if (!others.length) return <p class="quiet">{t("memory.supersede.none")}</p>;
            return others.map((other) => (
              <button type="button" class="choice" key={other.id} onClick={() => void choose(other)}>
                <Said text={other.text} cut={200} /> <span class="meta"><Moment at={other.at} /> {other.speaker}</span>
              </button>
            ));
          }}
        </Shown>
      </div>
      <p class="buttons"><button type="button" onClick={close}>{t("app.cancel")}</button></p>
    </Dialog>
  );
}

/** From when to when it holds, on one line of time. */
function Validity({ memory }: { memory: One }) {
  const from = Date.parse(memory.at);
  const end = memory.valid_until ? Date.parse(memory.valid_until) : null;
  const recorded = Date.parse(memory.recorded_at);
  const last = Math.max(Date.now(), end ?? 0, recorded);
  const first = Math.min(from, recorded);
  const place = (at: number) => `${((at - first) / Math.max(1, last - first)) * 100}%`;
  const { supersedes, superseded_by: newer } = memory.standing;
  return (
    <Section title={t("memory.validity")} id="validity">
      <div class="span" aria-hidden="true">
        <span class="span-held" style={{ left: place(from), right: `calc(100% - ${place(end ?? last)})` }} />
        <span class="span-mark" style={{ left: place(recorded) }} />
      </div>
      <p class="small">
        {t("memory.said")} <Moment at={memory.at} /> · {t("memory.recorded")} <Moment at={memory.recorded_at} /> ·{" "}
        {end ? <>{t("memory.until")} <Moment at={memory.valid_until} /></> : t("memory.still")}
      </p>
      {newer && <p class="small">{t("memory.newer")} <a href={href("memory", newer)}><Named id={newer} /></a></p>}
      {supersedes && <p class="small">{t("memory.older")} <a href={href("memory", supersedes)}><Named id={supersedes} /></a></p>}
    </Section>
  );
}

/** The forgetting curve, in recipes that have one: by default nothing fades. */
function Fading({ memory }: { memory: One }) {
  const recipe = useLoad((signal) => call<{ recipe: string }>("/v1/server", { signal, bare: true }).then((found) => found.recipe), ["recipe"], false);
  return recipe.data !== null && FADING.includes(recipe.data) ? <Curved memory={memory} /> : null;
}

function Curved({ memory }: { memory: One }) {
  const curve = useLoad<Curve>((signal) => call(`${one(memory.id)}/curve`, { signal }), ["curve", memory.id]);
  return (
    <Section title={t("memory.curve")} id="curve">
      <Shown from={curve}>
        {(of) =>
          of.points.length && of.now !== null ? (
            <>
              <CurveChart curve={of} />
              <p class="small quiet">{t("memory.curve.now", { now: percent(of.now), law: called(of.law), count: count(of.accesses.length) })}</p>
            </>
          ) : (
            <p class="quiet">{t("memory.curve.episode")}</p>
          )
        }
      </Shown>
    </Section>
  );
}

/** The messages it came from, each in its conversation; of an episode, its own conversation. */
function Sources({ memory }: { memory: One }) {
  const ids = memory.sources.filter((id) => id !== memory.id).slice(0, EPISODES);
  const found = useLoad((signal) => Promise.all(ids.map((id) => fetched(id, signal))), ["sources", ...ids], false);
  if (memory.kind === "episode") return <Section title={t("memory.conversation")} id="episodes"><Turns memory={memory} /></Section>;
  if (!ids.length) return <Section title={t("memory.episodes")} id="episodes"><p class="quiet">{t("memory.episodes.none")}</p></Section>;
  return (
    <Section title={t("memory.episodes")} id="episodes">
      <Shown from={found}>
        {(episodes) => episodes.map((episode, at) => {
          if (!episode) return <p key={ids[at]} class="quiet small">{ids[at]}: {t("memory.erased")}</p>;
          return at < IN_TURNS ? <Turns key={episode.id} memory={episode} /> : <Row key={episode.id} memory={episode} />;
        })}
      </Shown>
    </Section>
  );
}

function MadeOf({ memory }: { memory: One }) {
  const made = useLoad((signal) => call<{ memories: One[] }>(`${one(memory.id)}/formed`, { signal }).then((found) => found.memories), ["formed", memory.id]);
  if (!made.data?.length) return null;
  return <Section title={t("memory.formed")} id="formed">{made.data.slice(0, EPISODES).map((other) => <Row key={other.id} memory={other} />)}</Section>;
}

function Links({ memory, links }: { memory: One; links: Loaded<Neighbours> }) {
  return (
    <Section title={t("memory.relations")} id="relations" aside={<a href={href("graph", memory.id)}>{t("memory.graph")}</a>}>
      <Shown from={links}>
        {({ memories, relations }) => {
          const texts = new Map(memories.map((other) => [other.id, other.text]));
          const own = relations.filter((edge) => edge.source === memory.id || edge.target === memory.id);
          if (!own.length) return <p class="quiet">{t("memory.relations.none")}</p>;
          return (
            <ul class="plain">
              {own.map((edge) => {
                const other = edge.source === memory.id ? edge.target : edge.source;
                return (
                  <li key={`${edge.source} ${edge.kind} ${edge.target}`}>
                    {edge.target === memory.id && "← "}<Badge>{called(edge.kind)}</Badge>{edge.source === memory.id && " →"}{" "}
                    <a data-row href={href("memory", other)}><Said text={texts.get(other) ?? other} cut={120} /></a>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Shown>
    </Section>
  );
}

function Fields({ memory }: { memory: One }) {
  const rows = Object.entries(memory.standing).filter(([, value]) => value !== "" && value !== null && !(Array.isArray(value) && !value.length));
  return (
    <Section title={t("memory.standing")} id="standing">
      <table class="small">
        <tbody>
          <tr><th scope="row">id</th><td><code>{memory.id}</code></td></tr>
          <tr><th scope="row">{called("accesses")}</th><td>{count(memory.accesses)}</td></tr>
          {rows.map(([name, value]) => <tr key={name}><th scope="row">{called(name)}</th><td><bdi>{SAID.includes(name) && Array.isArray(value) ? value.join(", ") : plain(value)}</bdi></td></tr>)}
        </tbody>
      </table>
    </Section>
  );
}
