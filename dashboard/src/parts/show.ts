// How values are written out: moments, numbers, sizes, names.
import { lang, t, value as valued } from "../texts";
import type { Plain } from "../types";

const locale = () => (lang.value === "tr" ? "tr-TR" : "en-GB");

export function day(at: string | number): string {
  return new Date(at).toLocaleDateString(locale(), { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
}

export function clock(at: string | number): string {
  return new Date(at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
}

/** Day and time in UTC, as the store has them. */
export function moment(at: string | number | null): string {
  if (at === null || at === "") return "–";
  return `${new Date(at).toLocaleDateString(locale(), { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })}, ${clock(at)}`;
}

export function count(value: number): string {
  return value.toLocaleString(locale());
}

export function number(value: number, digits = 2): string {
  return value.toLocaleString(locale(), { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

/** With all its digits, for columns. */
export function fixed(value: number, digits: number): string {
  return value.toLocaleString(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function percent(value: number, digits = 0): string {
  return value.toLocaleString(locale(), { style: "percent", maximumFractionDigits: digits });
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
