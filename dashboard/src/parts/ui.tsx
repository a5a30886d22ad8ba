// The small pieces every view is made of. Memory text reaches the page here alone, and only as text nodes.
import type { ComponentChildren, FunctionComponent, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { call } from "../api";
import { changes, chooseScope, href, may, scope, scopeKey, scopes, who } from "../state";
import { called, named, t, type Key } from "../texts";
import type { Memory, Scope } from "../types";
import { moment, short } from "./show";
import type { Loaded } from "./load";
import { faultOf } from "./faults";

/** What somebody said: nobody's markup, whatever its direction. */
export function Said({ text, cut }: { text: string; cut?: number }) {
  return <bdi class="said" dir="auto">{cut ? short(text, cut) : text}</bdi>;
}

export function Moment({ at }: { at: string | null }) {
  return at ? <time dateTime={at} title={at}>{moment(at)}</time> : <span>–</span>;
}

export function Badge({ children, tone = "", title }: { children: ComponentChildren; tone?: string; title?: string }) {
  return <span class={`badge ${tone}`} title={title}>{children}</span>;
}

const TONES: Record<string, string> = { quarantined: "bad", superseded: "muted", dormant: "muted", fading: "warn" };

/** Kind and whatever is unusual about how a memory stands. */
export function Marks({ memory, without = [], said = false }: { memory: Memory; without?: string[]; said?: boolean }) {
  const { state, pinned, immutable, verified } = memory.standing;
  const closed = memory.valid_until !== null && state !== "superseded" && Date.parse(memory.valid_until) <= Date.now();
  return (
    <>
      {!said && <Badge tone="kind" title={memory.kind}>{called(memory.kind)}</Badge>}
      {state !== "active" && !without.includes(state) && <Badge tone={TONES[state] ?? ""}>{named("state", state)}</Badge>}
      {closed && <Badge tone="muted">{t("state.closed")}</Badge>}
      {pinned && <Badge tone="good">{t("state.pinned")}</Badge>}
      {immutable && <Badge>{t("state.immutable")}</Badge>}
      {verified && <Badge tone="good">{t("state.verified")}</Badge>}
    </>
  );
}

const known = new Map<string, Promise<string>>();

/** A text of the scope that is fetched when it is shown, once for its key; empty while it is on its way, or where there is none. */
function useText(key: string, fetch: () => Promise<string>): string {
  const [text, setText] = useState("");
  useEffect(() => {
    const whole = `${scopeKey.value} ${key}`;
    const asked = known.get(whole) ?? fetch().catch(() => "");
    known.set(whole, asked);
    let stays = true;
    void asked.then((found) => stays && setText(found));
    return () => {
      stays = false;
    };
  }, [key]);
  return text;
}

/** A memory's first words; its id where it is gone. */
export function Named({ id }: { id: string }) {
  const text = useText(`memory ${id}`, () => call<{ memory: Memory }>(`/v1/memories/${encodeURIComponent(id)}`).then((found) => found.memory.text));
  return text ? <Said text={text} cut={110} /> : <code>{id}</code>;
}

/** What a conversation is about: its first words; its name where it has none. */
export function Title({ session }: { session: string }) {
  const text = useText(`session ${session}`, () => call<{ memories: Memory[] }>("/v1/memories", { query: { session, limit: 1 } }).then(({ memories }) => memories[0]?.text ?? ""));
  return text ? <Said text={text} cut={90} /> : <bdi>{session}</bdi>;
}

/** One memory in a list: a link the keys j and k move between. */
export function Row({ memory, children, cut = 400 }: { memory: Memory; children?: ComponentChildren; cut?: number }) {
  const gone = memory.valid_until !== null && Date.parse(memory.valid_until) <= Date.now();
  return (
    <article class={`row${gone ? " gone" : ""}`} data-id={memory.id}>
      <a class="row-link" data-row href={href("memory", memory.id)}><Said text={memory.text || "–"} cut={cut} /></a>
      <p class="meta">
        <Moment at={memory.at} /> · <bdi>{memory.speaker}</bdi> <Marks memory={memory} />
      </p>
      {children}
    </article>
  );
}

/** In a scope without a memory: what fills the page, and how; the first sentence can be written right here. */
export function Begin() {
  return (
    <div class="empty" id="begin">
      {may("write") && <FirstWords />}
      <p>{t("begin.nothing")}</p>
      <ul class="plain">
        {COMMANDS.map(([command, says]) => <li key={command}><code>{command}</code> <span class="quiet">{t(says)}</span></li>)}
      </ul>
    </div>
  );
}

/** The scope of the server's own settings, narrowed to the token's: where the first sentence goes while there is no scope. */
async function ownScope(): Promise<Scope> {
  const { settings } = await call<{ settings: Record<string, unknown> }>("/v1/settings", { bare: true });
  const bound = who.value?.scope;
  const part = (name: "agent" | "user" | "project") => bound?.[name] ?? String(settings[name] ?? "default");
  return { agent: part("agent"), user: part("user"), project: part("project") };
}

function FirstWords() {
  const [text, setText] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const keep = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const chosen = scope.value ?? (await ownScope());
      await call("/v1/remember", { body: { text }, query: { ...chosen } });
      if (!scope.value) {
        chooseScope(chosen);
        scopes.value = [chosen];
      }
      changes.value += 1;
    } catch (problem) {
      setError(problem as Error);
      setBusy(false);
    }
  };
  return (
    <form class="first-words" onSubmit={(event) => void keep(event)}>
      <label>{t("begin.first")}<input name="first" autocomplete="off" dir="auto" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <button type="submit" class="primary" disabled={busy || !text.trim()}>{t("begin.keep")}</button>
      {error && <Failure error={error} />}
    </form>
  );
}

const COMMANDS: [string, Key][] = [
  ["reverie remember “…”", "begin.remember"],
  ["reverie import FILE", "begin.import"],
  ["reverie demo --keep trial", "begin.demo"],
];

export function Failure({ error, again }: { error: Error; again?: () => void }) {
  const { what, mend, own } = faultOf(error);
  return (
    <div class="failure" role="alert">
      <p><strong>{what}</strong></p>
      {mend && <p>{mend}</p>}
      {own && <p class="small quiet"><q lang="en" dir="auto">{own}</q></p>}
      {again && <button type="button" onClick={again}>{t("app.again")}</button>}
    </div>
  );
}

/** What was loaded, or that it is being loaded, or why it could not be. */
export function Shown<T>({ from, children }: { from: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (from.error) return <Failure error={from.error} again={from.again} />;
  if (from.data === null) return <p class="quiet" role="status">{t("app.loading")}</p>;
  return <>{children(from.data)}</>;
}

/** A part of the page whose script is fetched when it is first shown, so that nothing before it need wait. */
export function later<P extends object = object>(load: () => Promise<FunctionComponent<P>>): (given: P) => JSX.Element {
  let got: FunctionComponent<P> | null = null;
  return function Later(given: P) {
    const [Got, set] = useState(() => got);
    useEffect(() => {
      void load().then((part) => set(() => (got = part)));
    }, []);
    return Got ? <Got {...given} /> : <p class="quiet" role="status">{t("app.loading")}</p>;
  };
}

export function Section({ title, children, aside, id }: { title: string; children: ComponentChildren; aside?: ComponentChildren; id?: string }) {
  const name = useId();
  return (
    <section aria-labelledby={name} id={id}>
      <header class="section-head"><h2 id={name}>{title}</h2>{aside}</header>
      {children}
    </section>
  );
}

/** A bar of a share of the longest one; negative shares have another colour. */
export function Bar({ share, most, label }: { share: number; most: number; label: string }) {
  const width = most > 0 ? Math.min(100, (Math.abs(share) / most) * 100) : 0;
  return (
    <span class="bar" role="img" aria-label={label} title={label}>
      <span class={share < 0 ? "fill minus" : "fill"} style={{ width: `${width}%` }} />
    </span>
  );
}

interface DialogProps {
  title: string;
  help?: string;
  close: () => void;
  children: ComponentChildren;
}

/** A modal dialog; the browser keeps the focus in it and gives it back. */
export function Dialog({ title, help, close, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const element = box.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={box} aria-labelledby={name} onCancel={(event) => { event.preventDefault(); close(); }}>
      <h2 id={name}>{title}</h2>
      {help && <p class="quiet">{help}</p>}
      {children}
    </dialog>
  );
}

interface AskProps {
  title: string;
  help?: string;
  verb: string;
  danger?: boolean;
  /** A text to edit, with its label. */
  text?: { label: string; value: string };
  /** Whether a reason is asked for, and whether it must be given. */
  why?: "may" | "must";
  close: () => void;
  act: (given: { text: string; why: string }) => Promise<void>;
}

/** A dialog that asks for words and a reason before something is done. */
export function Ask({ title, help, verb, danger, text, why, close, act }: AskProps) {
  const [given, setGiven] = useState(text?.value ?? "");
  const [reason, setReason] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const isReady = !busy && (!text || given.trim() !== "") && (why !== "must" || reason.trim() !== "");
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    setBusy(true);
    try {
      await act({ text: given, why: reason.trim() });
      close();
    } catch (problem) {
      setError(problem as Error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} help={help} close={close}>
      <form onSubmit={submit}>
        {text && <label>{text.label}<textarea name="text" rows={5} dir="auto" value={given} onInput={(e) => setGiven(e.currentTarget.value)} /></label>}
        {why && <label>{t("memory.why")}<input name="why" autocomplete="off" value={reason} onInput={(e) => setReason(e.currentTarget.value)} /></label>}
        {why === "must" && <p class="quiet small">{t("memory.why.needed")}</p>}
        {error && <Failure error={error} />}
        <p class="buttons">
          <button type="button" onClick={close}>{t("app.cancel")}</button>
          <button type="submit" class={danger ? "danger" : "primary"} disabled={!isReady}>{verb}</button>
        </p>
      </form>
    </Dialog>
  );
}
