// Growth over time in a handful of equal spans, whether a life is a day old or many years.

export interface Added {
  /** When it was recorded (ms). */
  at: number;
  episodes: number;
  formed: number;
}

export interface Bucket extends Added {
  /** Up to this moment (ms), exclusive. */
  end: number;
}

export type Unit = "hour" | "day" | "week" | "month" | "year";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The longest life that is shown in each unit. */
const LONGEST: [Unit, number][] = [
  ["hour", 2 * DAY],
  ["day", 62 * DAY],
  ["week", 400 * DAY],
  ["month", 6 * 366 * DAY],
];

export function unitFor(first: number, last: number, finest: Unit = "hour"): Unit {
  const fits = LONGEST.filter(([unit]) => finest === "hour" || unit !== "hour").find(([, longest]) => last - first < longest);
  return fits?.[0] ?? "year";
}

/** The beginning of the span that a moment lies in; weeks begin on Monday. */
export function startOf(at: number, unit: Unit): number {
  const date = new Date(at);
  if (unit === "hour") return Math.floor(at / HOUR) * HOUR;
  const day = Math.floor(at / DAY) * DAY;
  if (unit === "day") return day;
  if (unit === "week") return day - ((date.getUTCDay() + 6) % 7) * DAY;
  return Date.UTC(date.getUTCFullYear(), unit === "month" ? date.getUTCMonth() : 0);
}

function next(start: number, unit: Unit): number {
  const date = new Date(start);
  if (unit === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  if (unit === "year") return Date.UTC(date.getUTCFullYear() + 1, 0);
  return start + { hour: HOUR, day: DAY, week: 7 * DAY }[unit];
}

/** What was added, in equal spans from the first to the last, also the empty ones. */
export function bucketed(added: Added[], unit: Unit): Bucket[] {
  const sorted = [...added].sort((a, b) => a.at - b.at);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return [];
  const found: Bucket[] = [];
  for (let start = startOf(first.at, unit); start <= last.at; start = next(start, unit)) {
    found.push({ at: start, end: next(start, unit), episodes: 0, formed: 0 });
  }
  let place = 0;
  for (const one of sorted) {
    while (one.at >= (found[place]?.end ?? Infinity)) place += 1;
    const bucket = found[place];
    if (!bucket) break;
    bucket.episodes += one.episodes;
    bucket.formed += one.formed;
  }
  return found;
}
