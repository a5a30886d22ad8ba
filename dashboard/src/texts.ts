// The page's language: which it is, and the texts and names in it.
import { signal } from "@preact/signals";
import { names } from "./names-tr";
import { en, type Key } from "./texts-en";
import { tr } from "./texts-tr";

export type { Key } from "./texts-en";
export type Lang = "en" | "tr";

const LANGS: readonly Lang[] = ["en", "tr"];

/** The language chosen here before, else the browser's first one that the page speaks. */
function remembered(): Lang {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem("reverie.lang");
  } catch {
    // a browser that keeps nothing
  }
  const wanted = [kept ?? "", ...(globalThis.navigator?.languages ?? [])].map((one) => one.slice(0, 2).toLowerCase());
  return wanted.map((one) => LANGS.find((lang) => lang === one)).find(Boolean) ?? "en";
}

export const lang = signal<Lang>(remembered());

export function chooseLang(chosen: Lang): void {
  lang.value = chosen;
  try {
    localStorage.setItem("reverie.lang", chosen);
  } catch {
    // a browser that keeps nothing: the choice lasts as long as the page
  }
}

/** The text of a key in the chosen language: `{name}` is replaced by a value, `{name?one|many}` by the form for it. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text: string = (lang.value === "tr" ? tr : en)[key];
  return text
    .replace(/\{(\w+)\?([^|}]*)\|([^}]*)\}/g, (_, name: string, one: string, many: string) => (String(values[name]) === "1" ? one : many))
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text of a key made of a name the server knows; the name itself where there is none. */
export function named(prefix: string, name: string): string {
  const key = `${prefix}.${name}`;
  return key in en ? t(key as Key) : called(name);
}

const turkish = new Map(Object.entries(names));

/** A name of the program's own (a kind, a signal, a step, a field), for people: superseded_by → superseded by, in Turkish by its table. */
export function called(name: string): string {
  const plain = name.replaceAll("_", " ");
  return (lang.value === "tr" && turkish.get(plain)) || plain;
}

/** A value that may be such a name: unchanged where it is none. */
export function value(text: string): string {
  return (lang.value === "tr" && turkish.get(text)) || text;
}
