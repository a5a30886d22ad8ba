// What happened to a memory, the newest first, each event with its before and after and the way back.
import { undoEvents } from "../actions";
import { isOwn, may } from "../state";
import { called, t } from "../texts";
import type { Change, Event, Memory, Plain } from "../types";
import type { Loaded } from "./load";
import { reason } from "./reasons";
import { plain } from "./show";
import { Badge, Moment, Section, Shown } from "./ui";

const SHOWN = 100;
const UNDONE_BY_HAND = ["change", "forget", "relate"];

export function History({ memory, history }: { memory: Memory; history: Loaded<Event[]> }) {
  return (
    <Section title={t("memory.history")} id="history">
      <Shown from={history}>
        {(events) => (
          <ol class="history">
            {[...events].reverse().slice(0, SHOWN).map((event) => <Happened key={event.seq} event={event} memory={memory} />)}
          </ol>
        )}
      </Shown>
    </Section>
  );
}

/** Who did it; the person at this page is told as such. */
export function Actor({ name }: { name: string }) {
  return isOwn(name) ? <b title={name}>{t("app.you")} <span class="quiet">({name.replace(/^dashboard:/, "")})</span></b> : <bdi>{name}</bdi>;
}

function Happened({ event, memory }: { event: Event; memory: Memory }) {
  const changes = fieldsOf(event, memory.id);
  return (
    <li>
      <p>
        <Moment at={event.at} /> <Badge tone={event.action}>{called(event.action)}</Badge> <Actor name={event.actor} />{" "}
        {event.why && <span class="quiet"><bdi>{reason(event.why)}</bdi></span>}{" "}
        {may("write") && isUndoable(event) && (
          <button type="button" class="small" aria-label={t("memory.undo.event", { seq: event.seq })} onClick={() => void undoEvents([event.seq], memory)}>{t("app.undo")}</button>
        )}
      </p>
      {event.payload === null && <p class="quiet small">{t("memory.erased")}</p>}
      {changes.length > 0 && <Fields fields={changes} />}
    </li>
  );
}

/** Field by field, before → after. */
export function Fields({ fields }: { fields: Change["fields"] }) {
  return (
    <ul class="fields small">
      {fields.map((field) => (
        <li key={field.name}>
          <b>{called(field.name)}</b> <del><bdi>{plain(field.before)}</bdi></del> <span aria-label="→">→</span> <ins><bdi>{plain(field.after)}</bdi></ins>
        </li>
      ))}
    </ul>
  );
}

/** Whether it can be taken back alone: what a dream did is taken back with the dream, what was said is forgotten. */
function isUndoable(event: Event): boolean {
  return UNDONE_BY_HAND.includes(event.action) && event.payload !== null && !event.payload.cycle;
}

function fieldsOf(event: Event, id: string): Change["fields"] {
  const payload = event.payload ?? {};
  if (event.action === "forget") return [{ name: "valid_until", before: payload.before as Plain, after: payload.after as Plain }];
  const changes = (Array.isArray(payload.changes) ? payload.changes : []) as unknown as Change[];
  return changes.filter((change) => change.memory === id).flatMap((change) => change.fields);
}
