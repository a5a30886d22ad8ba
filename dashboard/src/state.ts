// What the whole page knows: whose memory, who asks, where one is, how it looks, and when the store changed last.
import { computed, signal } from "@preact/signals";
import type { Scope, Whoami } from "./types";

export interface Route {
  name: string;
  id: string;
  query: URLSearchParams;
}

export interface Toast {
  key: number;
  text: string;
  bad: boolean;
  undo?: () => Promise<void>;
}

function parsed(hash: string): Route {
  const [, path = "", query = ""] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const [name = "", id = ""] = path.split("/");
  return { name: name || "search", id: decoded(id), query: new URLSearchParams(query) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The token of the address that `reverie serve` prints; it is taken out of the address bar and the tab's history. */
function broughtToken(): string | null {
  const [, brought] = /^#token=([\w.~-]+)$/.exec(location.hash) ?? [];
  if (!brought) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return brought;
}

const brought = broughtToken();
export const route = signal<Route>(parsed(location.hash));
addEventListener("hashchange", () => {
  const another = broughtToken();
  if (another) {
    chooseToken(another);
    wantsToken.value = false;
  }
  route.value = parsed(location.hash);
});

/** The address of a view; parameters without a value are left out. */
export function href(name: string, id = "", query: Record<string, string | undefined> = {}): string {
  const kept = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const tail = kept.length ? `?${new URLSearchParams(kept)}` : "";
  return `#/${name}${id ? `/${encodeURIComponent(id)}` : ""}${tail}`;
}

export function go(name: string, id = "", query: Record<string, string | undefined> = {}): void {
  location.hash = href(name, id, query);
}

function kept<T>(store: Storage, key: string, otherwise: T): T {
  try {
    const text = store.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

function keep(store: Storage, key: string, value: unknown): void {
  try {
    if (value === null) store.removeItem(key);
    else store.setItem(key, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: the choice lasts as long as the page
  }
}

export const token = signal<string>(brought ?? kept(sessionStorage, "reverie.token", ""));
if (brought) keep(sessionStorage, "reverie.token", brought);
export const scope = signal<Scope | null>(kept<Scope | null>(localStorage, "reverie.scope", null));
export const scopes = signal<Scope[] | null>(null);
export const wantsToken = signal(false);
/** Whose token it is and what it allows; null until the server said so. */
export const who = signal<Whoami | null>(null);

export const theme = signal<"auto" | "light" | "dark">(kept(localStorage, "reverie.theme", "auto"));
/** Counted up whenever the store changed, here or elsewhere. */
export const changes = signal(0);
export const live = signal<"off" | "on" | "lost">("off");
export const toasts = signal<Toast[]>([]);
export const showsKeys = signal(false);

export const scopeKey = computed(() => (scope.value ? JSON.stringify(scope.value) : ""));

const RIGHTS = ["read", "write", "admin"];

/** Whether the token allows it: a verb that it does not is not shown. */
export function may(right: "read" | "write" | "admin"): boolean {
  return RIGHTS.indexOf(who.value?.rights ?? "") >= RIGHTS.indexOf(right);
}

/** Whether the token allows what concerns the whole store: it governs, and is bound to no scope. */
export function mayAll(): boolean {
  return may("admin") && Object.values(who.value?.scope ?? {}).every((part) => part === null);
}

/** Whether an event's actor is the person who looks at the page. */
export function isOwn(actor: string): boolean {
  return who.value !== null && actor === `dashboard:${who.value.name}`;
}

export function chooseToken(text: string): void {
  token.value = text;
  keep(sessionStorage, "reverie.token", text || null);
}

export function chooseScope(chosen: Scope | null): void {
  scope.value = chosen;
  keep(localStorage, "reverie.scope", chosen);
}

export function chooseTheme(chosen: "auto" | "light" | "dark"): void {
  theme.value = chosen;
  keep(localStorage, "reverie.theme", chosen);
  showTheme();
}

/** Put the chosen look on the page; "auto" leaves it to the system. */
export function showTheme(): void {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

let toastKey = 0;

export function tell(text: string, undo?: () => Promise<void>): void {
  push({ key: (toastKey += 1), text, bad: false, undo });
}

export function complain(text: string): void {
  push({ key: (toastKey += 1), text, bad: true });
}

export function dismiss(key: number): void {
  toasts.value = toasts.value.filter((one) => one.key !== key);
}

function push(toast: Toast): void {
  toasts.value = [...toasts.value.slice(-2), toast];
  setTimeout(() => dismiss(toast.key), toast.bad ? 15_000 : 8_000);
}
