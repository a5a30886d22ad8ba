// How values are written out: moments, numbers, sizes, names.
import { lang, t, value as valued } from "../texts";
import type { Plain } from "../types";

const locale = () => (lang.value === "tr" ? "tr-TR" : "en-GB");

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

/** A format of the chosen language, made once: making one takes a browser longer than a page of rows takes to draw. */
function kept<F extends Intl.DateTimeFormat | Intl.NumberFormat>(style: object, make: (locale: string) => F): F {
  const key = `${locale()} ${JSON.stringify(style)}`;
  const found = (made.get(key) as F | undefined) ?? make(locale());
  made.set(key, found);
  return found;
}

/** A moment in UTC, as the store has them. */
export function dated(at: string | number, style: Intl.DateTimeFormatOptions): string {
  const whole = { ...style, timeZone: "UTC" };
  return kept(whole, (of) => new Intl.DateTimeFormat(of, whole)).format(new Date(at));
}

function written(value: number, style: Intl.NumberFormatOptions): string {
  return kept(style, (of) => new Intl.NumberFormat(of, style)).format(value);
}

export function day(at: string | number): string {
  return dated(at, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
}

export function clock(at: string | number): string {
  return dated(at, { hour: "2-digit", minute: "2-digit" });
}

/** Day and time. */
export function moment(at: string | number | null): string {
  return at === null || at === "" ? "–" : `${dated(at, { day: "numeric", month: "short", year: "numeric" })}, ${clock(at)}`;
}

export function count(value: number): string {
  return written(value, {});
}

export function number(value: number, digits = 2): string {
  return written(value, { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

/** With all its digits, for columns. */
export function fixed(value: number, digits: number): string {
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function percent(value: number, digits = 0): string {
  return written(value, { style: "percent", maximumFractionDigits: digits });
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  let rest = value;
  while (rest >= 1000 && at < units.length - 1) {
    rest /= 1000;
    at += 1;
  }
  return `${number(rest, rest < 10 && at ? 1 : 0)} ${units[at]}`;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

export function plain(value: Plain | undefined): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "number") return number(value, 3);
  if (typeof value === "boolean") return t(value ? "value.yes" : "value.no");
  if (typeof value === "string") return MOMENT.test(value) ? moment(value) : valued(value);
  if (Array.isArray(value)) return value.length ? value.map(plain).join(", ") : "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The first words of a text, on one line. */
export function short(text: string, most = 90): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
