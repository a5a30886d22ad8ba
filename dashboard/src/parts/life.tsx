// A memory's life as a line: said, formed, recalled, strengthened, superseded, and what else befell it, up to now.
import { t } from "../texts";
import type { Change, Event, Memory } from "../types";
import { fieldsOf } from "./history";
import { count } from "./show";
import { Moment } from "./ui";

export interface Step {
  name: "said" | "formed" | "kept" | "recalled" | "strengthened" | "weakened" | "superseded" | "forgotten" | "state" | "pinned" | "back" | "now";
  at: string;
  times: number;
}

const STRENGTH = ["stability_days", "storage", "utility", "importance", "confidence"];
const TAKEN_BACK = /^(event|dream) \S+ taken back/;

/** By how much its strength rose (1), fell (−1), or neither (0). */
function strengthened(fields: Change["fields"]): number {
  return Math.sign(fields.filter((one) => STRENGTH.includes(one.name)).reduce((sum, one) => sum + Math.sign(Number(one.after) - Number(one.before)), 0));
}

function changed(fields: Change["fields"]): Step["name"] | null {
  const to = new Map(fields.map((one) => [one.name, one.after]));
  if (to.get("state") === "superseded") return "superseded";
  if (to.get("valid_until")) return "forgotten";
  if (to.has("pinned")) return "pinned";
  if (to.has("state")) return "state";
  const strength = strengthened(fields);
  return strength > 0 ? "strengthened" : strength < 0 ? "weakened" : null;
}

function stepOf(event: Event, memory: Memory): Step["name"] | null {
  if (TAKEN_BACK.test(event.why)) return "back";
  if (event.action === "remember") return "kept";
  if (event.action === "form") return "formed";
  if (event.action === "forget") return event.payload?.after ? "forgotten" : "back";
  if (event.action === "recall") return strengthened(fieldsOf(event, memory.id)) > 0 ? "strengthened" : "recalled";
  return event.action === "change" ? changed(fieldsOf(event, memory.id)) : null;
}

/** The steps of its life in order; the same thing several times in a row is one step. */
export function lifeOf(memory: Memory, events: Event[], now: string): Step[] {
  const steps: Step[] = [{ name: "said", at: memory.at, times: 1 }];
  for (const event of events) {
    const name = stepOf(event, memory);
    const last = steps.at(-1);
    if (!name) continue;
    if (last?.name === name) {
      last.times += 1;
      last.at = event.at;
    } else {
      steps.push({ name, at: event.at, times: 1 });
    }
  }
  return [...steps, { name: "now", at: now, times: 1 }];
}

export function Life({ memory, events }: { memory: Memory; events: Event[] }) {
  const steps = lifeOf(memory, events, new Date().toISOString());
  return (
    <ol class="life" aria-label={t("life.label")}>
      {steps.map((step, at) => (
        <li key={at} class={`life-${step.name}`}>
          <b>{t(`life.${step.name}`)}{step.times > 1 && ` ${count(step.times)}×`}</b> <Moment at={step.at} />
        </li>
      ))}
    </ol>
  );
}
