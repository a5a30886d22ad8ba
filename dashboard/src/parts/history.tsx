// What happened to a memory, the newest first, each event with its before and after and the way back.
import { undoEvents } from "../actions";
import { call } from "../api";
import { t } from "../texts";
import type { Change, Event, Memory, Plain } from "../types";
import { useLoad } from "./load";
import { plain, words } from "./show";
import { Badge, Moment, Section, Shown } from "./ui";

const SHOWN = 100;
const UNDONE_BY_HAND = ["change", "forget", "relate"];

export function History({ memory }: { memory: Memory }) {
  const path = `/v1/memories/${encodeURIComponent(memory.id)}/history`;
  const history = useLoad((signal) => call<{ events: Event[] }>(path, { signal }).then((found) => found.events), ["history", memory.id]);
  return (
    <Section title={t("memory.history")} id="history">
      <Shown from={history}>
        {(events) => (
          <ol class="history">
            {[...events].reverse().slice(0, SHOWN).map((event) => <Happened key={event.seq} event={event} id={memory.id} />)}
          </ol>
        )}
      </Shown>
    </Section>
  );
}

function Happened({ event, id }: { event: Event; id: string }) {
  const changes = fieldsOf(event, id);
  return (
    <li>
      <p>
        <Moment at={event.at} /> <Badge tone={event.action}>{event.action}</Badge> <bdi>{event.actor}</bdi>{" "}
        {event.why && <span class="quiet"><bdi>{event.why}</bdi></span>}{" "}
        {isUndoable(event) && (
          <button type="button" class="small" aria-label={t("memory.undo.event", { seq: event.seq })} onClick={() => void undoEvents([event.seq])}>{t("app.undo")}</button>
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
          <b>{words(field.name)}</b> <del><bdi>{plain(field.before)}</bdi></del> <span aria-label="→">→</span> <ins><bdi>{plain(field.after)}</bdi></ins>
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
