// The page as a whole: where one is, whose memory, the keys, live changes, what is told.
import { render, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, listen, Problem } from "./api";
import { keys } from "./keys";
import { Begin, Dialog, Failure, later } from "./parts/ui";
import { chooseScope, chooseToken, dismiss, go, href, live, may, route, scope, scopeKey, scopes, showsKeys, showTheme, toasts, token, wantsToken, who } from "./state";
import "./style.css";
import { lang, t, type Key } from "./texts";
import type { Scope, Whoami } from "./types";
import { Search } from "./views/search";
import { Timeline } from "./views/timeline";

const VIEWS: Record<string, FunctionComponent> = {
  search: Search,
  timeline: Timeline,
  conversations: later(() => import("./views/conversations").then((view) => view.Conversations)),
  graph: later(() => import("./views/graph").then((view) => view.Graph)),
  dreams: later(() => import("./views/dreams").then((view) => view.Dreams)),
  health: later(() => import("./views/health").then((view) => view.Health)),
  settings: later(() => import("./views/settings").then((view) => view.Settings)),
  memory: later(() => import("./views/memory").then((view) => view.Memory)),
};
const NAV = ["search", "timeline", "conversations", "graph", "dreams", "health", "settings"] as const;

const LOOK_MS = 3_000;

const named = (one: Scope) => `${one.agent} / ${one.user} / ${one.project}`;
const same = (a: Scope, b: Scope) => a.agent === b.agent && a.user === b.user && a.project === b.project;

/** The scopes there are, and then who asks; the one chosen last stays chosen if it is still there, else the first is. */
async function meet(): Promise<void> {
  const found = (await call<{ scopes: Scope[] }>("/v1/scopes", { bare: true })).scopes;
  void call<Whoami>("/v1/whoami", { bare: true }).then((told) => (who.value = told), () => (who.value = null));
  scopes.value = found;
  const chosen = scope.value;
  if (!chosen || !found.some((one) => same(one, chosen))) chooseScope(found[0] ?? null);
}

function App() {
  const [error, setError] = useState<Error | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    setError(null);
    meet().catch((problem: Error) => !(problem instanceof Problem && problem.status === 401) && setError(problem));
  }, [token.value, turn]);
  const isEmpty = scopes.value?.length === 0 && !wantsToken.value;
  useEffect(() => {
    if (!isEmpty) return;
    const look = setInterval(() => setTurn((turns) => turns + 1), LOOK_MS); // there is no scope yet whose changes one could follow
    return () => clearInterval(look);
  }, [isEmpty]);
  useEffect(() => {
    if (!scope.value || wantsToken.value) return;
    const stop = new AbortController();
    void listen(stop.signal);
    return () => stop.abort();
  }, [scopeKey.value, token.value, wantsToken.value]);
  useEffect(() => {
    document.documentElement.lang = lang.value;
    const view = NAV.find((one) => one === route.value.name);
    document.title = view ? `${t(`nav.${view}`)} · Reverie` : "Reverie";
  }, [lang.value, route.value.name]);
  if (wantsToken.value) return <TokenEntry />;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>{t("app.skip")}</a>
      <Side />
      <div class="page">
        <Top />
        <main id="main" tabIndex={-1}>
          {error ? <Failure error={error} again={() => setTurn(turn + 1)} /> : <View />}
        </main>
      </div>
      <Toasts />
      {showsKeys.value && <Keys />}
    </>
  );
}

function View() {
  const { name, id } = route.value;
  const title = NAV.find((one) => one === name);
  if (!scope.value && name !== "settings") return scopes.value ? <>{title && <h1 class="for-readers">{t(`nav.${title}`)}</h1>}<Begin /></> : <p class="quiet">{t("app.loading")}</p>;
  const Chosen = VIEWS[name];
  return Chosen ? <Chosen key={`${name} ${id} ${scopeKey.value}`} /> : <h1>{t("app.nowhere")}</h1>;
}

function Side() {
  const here = route.value.name;
  return (
    <header class="side">
      <a class="brand" href={href("search")}>Reverie</a>
      <nav aria-label="Reverie">
        {NAV.map((name) => (
          <a key={name} href={href(name)} aria-current={here === name ? "page" : undefined}>{t(`nav.${name}`)}</a>
        ))}
      </nav>
      <ScopeChooser />
      <p class="foot">
        <span class={`live ${live.value}`} role="status">{t(`app.live.${live.value}`)}</span>
        <button type="button" class="small" onClick={() => (showsKeys.value = true)} aria-label={t("app.keys")}>?</button>
      </p>
    </header>
  );
}

function ScopeChooser() {
  const all = scopes.value ?? (scope.value ? [scope.value] : []);
  if (!all.length) return null;
  const at = all.findIndex((one) => scope.value !== null && same(one, scope.value));
  return (
    <label class="scope">
      <span>{t("app.scope")}</span>
      <select name="scope" value={String(at)} onChange={(event) => chooseScope(all[Number(event.currentTarget.value)] ?? null)}>
        {all.map((one, place) => <option key={named(one)} value={String(place)}>{named(one)}</option>)}
      </select>
    </label>
  );
}

function Top() {
  const asked = route.value.query.get("q") ?? "";
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  return (
    <form class="top" role="search" onSubmit={(event) => { event.preventDefault(); go("search", "", { q: text.trim() || undefined }); }}>
      <input
        type="search"
        id="cue"
        name="cue"
        dir="auto"
        autocomplete="off"
        aria-label={t("search.label")}
        placeholder={t("search.placeholder")}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <p key={toast.key} class={toast.bad ? "toast bad" : "toast"}>
          <span>{toast.text}</span>
          {toast.undo && <button type="button" onClick={() => { dismiss(toast.key); void toast.undo?.(); }}>{t("app.undo")}</button>}
          <button type="button" aria-label={t("app.close")} onClick={() => dismiss(toast.key)}>×</button>
        </p>
      ))}
    </div>
  );
}

const SHOWN_KEYS: [string[], Key][] = [
  [["/"], "keys.search"],
  [["j", "k"], "keys.move"],
  [["Enter"], "keys.open"],
  [["Esc"], "keys.esc"],
  [["b"], "keys.back"],
  [["g", "s t c r d h e"], "keys.goto"],
  [["t", "n"], "keys.hit"],
  [["?"], "keys.help"],
];
const WRITING_KEYS: [string[], Key] = [["p", "c", "s", "f"], "keys.memory"];

function Keys() {
  const close = () => (showsKeys.value = false);
  return (
    <Dialog title={t("keys.title")} close={close}>
      <dl class="keys">
        {[...SHOWN_KEYS, ...(may("write") ? [WRITING_KEYS] : [])].map(([pressed, says]) => (
          <div key={says}><dt>{pressed.map((key) => <kbd key={key}>{key}</kbd>)}</dt><dd>{t(says)}</dd></div>
        ))}
      </dl>
      <p class="buttons"><button type="button" onClick={close}>{t("app.close")}</button></p>
    </Dialog>
  );
}

function TokenEntry() {
  const [text, setText] = useState("");
  const enter = (event: Event) => {
    event.preventDefault();
    chooseToken(text.trim());
    wantsToken.value = false;
  };
  return (
    <main class="entry" id="main">
      <h1>{t("token.title")}</h1>
      <p class="quiet">{t("token.why")}</p>
      <form onSubmit={enter}>
        <label>{t("token.label")}<input type="password" name="token" autocomplete="off" autofocus value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
        <p class="buttons"><button type="submit" class="primary" disabled={!text.trim()}>{t("token.enter")}</button></p>
      </form>
    </main>
  );
}

showTheme();
keys();
const root = document.getElementById("app");
if (root) render(<App />, root);
