// The keys that work on every page; those of a memory are its page's own.
import { go, showsKeys } from "./state";

const GOTO: Record<string, string> = { s: "search", t: "timeline", c: "conversations", r: "graph", d: "dreams", h: "health", e: "settings" };
const GOTO_MS = 1_200;

const isField = (target: EventTarget | null) => target instanceof HTMLElement && target.matches("input, textarea, select");

/** Move to the next or the previous row of the page. */
function move(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement | SVGElement>("main [data-row]")];
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("#cue");
  field?.focus();
  field?.select();
}

/** Press a button of the hit that has the focus, or of the first one. */
function press(what: string): void {
  const hit = document.activeElement?.closest(".hit") ?? document.querySelector(".hit");
  hit?.querySelector<HTMLButtonElement>(`[${what}]`)?.click();
}

const PRESSED: Record<string, () => void> = {
  "/": focusSearch,
  j: () => move(1),
  k: () => move(-1),
  b: () => history.back(),
  t: () => press("data-turns"),
  n: () => press("data-numbers"),
  "?": () => (showsKeys.value = true),
};

/** Listen from now on. */
export function keys(): void {
  let goingUntil = 0;
  addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (isField(event.target)) {
        if (event.key === "Escape") (event.target as HTMLElement).blur();
        return;
      }
      const view = GOTO[event.key];
      if (view && performance.now() < goingUntil) {
        goingUntil = 0;
        go(view);
      } else if (event.key === "g") {
        goingUntil = performance.now() + GOTO_MS;
      } else if (PRESSED[event.key]) {
        PRESSED[event.key]?.();
      } else {
        return;
      }
      event.preventDefault();
    },
    { capture: true },
  );
}
