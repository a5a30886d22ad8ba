// The newest of a long life, page by page, from an interface that lists windows of time, oldest first.

export interface Window {
  /** From this moment on (ms), inclusive. */
  start: number;
  /** Up to this moment (ms), exclusive. */
  end: number;
}

export interface Page<T> {
  /** Newest first. */
  items: T[];
  /** Where the next page ends; null: there is none. */
  before: number | null;
  /** The span that fitted, a good first guess for the next page. */
  span: number;
}

export interface Source<T> {
  /** The items of a window, oldest first, at most `limit` of them. */
  fetch: (window: Window, limit: number) => Promise<T[]>;
  /** When an item was said (ms). */
  at: (item: T) => number;
  /** When the first item of all was said (ms). */
  first: number;
}

const FIRST_SPAN = 7 * 86_400_000;
const GROW = 4;
/** A window may hold so many pages: it is cut then. More than that, and it is narrowed. */
const PAGES = 4;
export const MOST = 10_000;

/**
 * The last `limit` items before `end`, and all of the same millisecond as the oldest of them, so that none is left out
 * between two pages. Windows are widened until there are enough, and narrowed while there are far too many.
 */
export async function lastPage<T>(source: Source<T>, end: number, limit: number, span = FIRST_SPAN): Promise<Page<T>> {
  const { first } = source;
  let few = 0;
  let many = Infinity;
  let width = Math.max(1, Math.min(span, end - first));
  while (end > first) {
    const start = Math.max(first, end - width);
    const isLast = width <= 1 || many - few <= 1;
    const most = isLast ? MOST : limit * PAGES;
    const found = await source.fetch({ start, end }, most);
    if (isLast || (found.length < most && (found.length >= limit || start <= first))) return cut(source, found, start, limit, width);
    if (found.length < most) few = width;
    else many = width;
    if (many === Infinity) width *= GROW;
    else if (few === 0) width = Math.max(1, Math.floor(width / GROW));
    else width = many - few <= 1 ? many : Math.floor((few + many) / 2);
  }
  return { items: [], before: null, span };
}

function cut<T>(source: Source<T>, found: T[], start: number, limit: number, span: number): Page<T> {
  let from = Math.max(0, found.length - limit);
  while (from > 0 && source.at(found[from - 1] as T) === source.at(found[from] as T)) from -= 1;
  const items = found.slice(from).reverse();
  const before = from > 0 ? source.at(found[from] as T) : start;
  return { items, before: before > source.first ? before : null, span };
}
