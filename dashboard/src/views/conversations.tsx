// Conversations: for each prompt what was handed over to the model, its size, why, and what was withheld; and "not this".
import { useState } from "preact/hooks";
import { deny } from "../actions";
import { call } from "../api";
import { useLoad } from "../parts/load";
import { reason } from "../parts/reasons";
import { count, moment } from "../parts/show";
import { Legend, Numbers, scaleOf, Stack, type Scale } from "../parts/signals";
import { Ask, Badge, Dialog, Failure, Marks, Moment, Row, Said, Shown, Title } from "../parts/ui";
import { go, href, may, route } from "../state";
import { named, t } from "../texts";
import type { InjectedMemory, Injection, Memory } from "../types";

const PAGE = 30;

type Page = { injections: Injection[] };

export function Conversations() {
  const session = route.value.query.get("session") ?? "";
  const [more, setMore] = useState<Injection[]>([]);
  const [isEnd, setEnd] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const page = (before: string | undefined, signal?: AbortSignal) => call<Page>("/v1/injected", { query: { limit: PAGE, session, before }, signal }).then((found) => found.injections);
  const first = useLoad((signal) => page(undefined, signal), ["injected", session], more.length === 0);
  const all = [...(first.data ?? []), ...more];
  const older = async () => {
    try {
      const found = await page(all.at(-1)?.at);
      setMore([...more, ...found]);
      setEnd(found.length < PAGE);
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <>
      <h1>{t("nav.conversations")}</h1>
      <p class="quiet">{t("conversations.what")}</p>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>{t("timeline.session")} <input value={session} onChange={(e) => go("conversations", "", { session: e.currentTarget.value })} /></label>
        {session && <a class="button" href={href("conversations")}>{t("timeline.everything")}</a>}
      </form>
      <Shown from={first}>{() => (all.length ? <Listed all={all} /> : <Nothing />)}</Shown>
      {error && <Failure error={error} />}
      {all.length >= PAGE && !isEnd && <button type="button" class="older" onClick={() => void older()}>{t("timeline.older")}</button>}
    </>
  );
}

/** Where nothing was handed over: what would. */
function Nothing() {
  return (
    <div class="empty" id="empty">
      <p>{t("conversations.none")}</p>
      <ul class="plain">
        <li><code>reverie install claude-code</code> <span class="quiet">{t("conversations.install")}</span></li>
        <li><code>reverie recall “…”</code> <span class="quiet">{t("conversations.recall")}</span></li>
      </ul>
    </div>
  );
}

function Listed({ all }: { all: Injection[] }) {
  const scale = scaleOf(all.flatMap((one) => one.memories));
  const sessions = new Map<string, Injection[]>();
  for (const one of all) sessions.set(one.session, [...(sessions.get(one.session) ?? []), one]);
  return (
    <>
      <Legend of={all.flatMap((one) => one.memories)} />
      {[...sessions].map(([name, of]) => (
        <section key={name} class="conversation" data-session={name} aria-label={name || t("conversations.byhand")}>
          <header>
            <h2>{name ? <a href={href("timeline", "", { session: name })}><Title session={name} /></a> : t("conversations.byhand")}</h2>
            <p class="meta">{name && <><bdi>{name}</bdi> · </>}{t("conversations.sum", { prompts: count(of.length), tokens: count(of.reduce((sum, one) => sum + one.tokens, 0)) })}</p>
          </header>
          {of.map((one, at) => <Prompt key={`${one.at} ${at}`} of={one} scale={scale} />)}
        </section>
      ))}
    </>
  );
}

function Prompt({ of, scale }: { of: Injection; scale: Scale }) {
  return (
    <article class="prompt" data-trigger={of.trigger}>
      <p class="small">
        <Moment at={of.at} /> <Badge tone={of.trigger === "automatic" ? "good" : ""}>{named("trigger", of.trigger)}</Badge> <Badge>{named("moment", of.moment)}</Badge>{" "}
        <bdi class="quiet">{of.caller}</bdi>{" "}
        <span class="quiet">{t("conversations.size", { words: count(of.words), tokens: count(of.tokens) })}</span>
      </p>
      {of.prompt && <p class="words"><a class="row-link" href={href("memory", of.prompt.id)}><Said text={of.prompt.text} cut={300} /></a></p>}
      {of.memories.length === 0 && <p class="quiet small">{t("conversations.empty")}</p>}
      {of.memories.map((one) => <Given key={one.memory.id} one={one} scale={scale} />)}
      {of.withheld.length > 0 && (
        <details>
          <summary>{t("search.withheld")} ({count(of.withheld.length)})</summary>
          {of.withheld.map((one) => <Row key={one.memory.id} memory={one.memory} cut={200}><p class="withheld"><b>{t("search.withheld.why")}</b> {reason(one.why)}</p></Row>)}
        </details>
      )}
      {of.erased > 0 && <p class="quiet small">{t("conversations.erased", { count: count(of.erased) })}</p>}
      {!of.complete && <p class="quiet small">{t("conversations.incomplete")}</p>}
    </article>
  );
}

function Given({ one, scale }: { one: InjectedMemory; scale: Scale }) {
  const [numbers, setNumbers] = useState(false);
  const [denying, setDenying] = useState(false);
  const { memory } = one;
  return (
    <div class="given hit" data-id={memory.id}>
      <a class="row-link" data-row href={href("memory", memory.id)}><Said text={memory.text || "–"} cut={240} /></a>
      <p class="meta">
        <Moment at={memory.at} /> · <bdi>{memory.speaker}</bdi> <Marks memory={memory} /> <span>{t("conversations.words", { words: count(one.words) })}</span>{" "}
        {may("write") && <button type="button" class="small" onClick={() => setDenying(true)}>{t("deny.not")}</button>}
      </p>
      {one.signals.length > 0 && (
        <div class="score">
          <Stack signals={one.signals} scale={scale} />
          <button type="button" class="small" data-numbers aria-expanded={numbers} onClick={() => setNumbers(!numbers)}>{t("search.numbers")}</button>
        </div>
      )}
      {numbers && <Numbers signals={one.signals} />}
      {denying && <Deny memory={memory} close={() => setDenying(false)} />}
    </div>
  );
}

const WAYS = ["useless", "quarantine", "forget"] as const;

/** "Not this": counted as useless, held back, or forgotten; each can be undone. */
function Deny({ memory, close }: { memory: Memory; close: () => void }) {
  const [way, setWay] = useState<(typeof WAYS)[number] | null>(null);
  if (way) {
    return <Ask title={t(`deny.${way}`)} help={t(`deny.${way}.help`)} verb={t(`deny.${way}`)} danger={way === "forget"} why="may" close={close} act={({ why }) => deny(memory, way, why)} />;
  }
  return (
    <Dialog title={t("deny.not")} help={t("deny.help")} close={close}>
      <p><Said text={memory.text} cut={200} /> <span class="quiet small">{moment(memory.at)}</span></p>
      {WAYS.map((one) => <button key={one} type="button" class="choice" onClick={() => setWay(one)}><b>{t(`deny.${one}`)}</b> <span class="quiet small">{t(`deny.${one}.help`)}</span></button>)}
      <p class="buttons"><button type="button" onClick={close}>{t("app.cancel")}</button></p>
    </Dialog>
  );
}
