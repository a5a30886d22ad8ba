// What happened to a memory, the newest first, each event with its before and after and the way back.
import { undoEvents } from "../actions";
import { href, isOwn, may } from "../state";
import { called, named, t } from "../texts";
import type { Change, Event, Memory, Plain, Relation } from "../types";
import type { Loaded } from "./load";
import { reason } from "./reasons";
import { plain } from "./show";
import { Badge, Moment, Named, Section, Shown } from "./ui";

const SHOWN = 100;
const NONE: ReadonlySet<string> = new Set();
const UNDONE_BY_HAND = ["change", "forget", "relate"];

interface HistoryProps {
  memory: Memory;
  history: Loaded<Event[]>;
  /** The memories it is linked with today: named where events name them; what was undone since has no words any more. */
  known: ReadonlySet<string>;
}

export function History({ memory, history, known }: HistoryProps) {
  return (
    <Section title={t("memory.history")} id="history">
      <Shown from={history}>
        {(events) => (
          <ol class="history">
            {[...events].reverse().slice(0, SHOWN).map((event) => <Happened key={event.seq} event={event} memory={memory} known={known} />)}
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

function Happened({ event, memory, known }: { event: Event; memory: Memory; known: ReadonlySet<string> }) {
  const changes = fieldsOf(event, memory.id);
  return (
    <li>
      <p>
        <Moment at={event.at} /> <Badge tone={event.action}>{named("action", event.action)}</Badge> <Actor name={event.actor} />{" "}
        {event.why && <span class="quiet"><bdi>{reason(event.why)}</bdi></span>}{" "}
        {may("write") && isUndoable(event) && (
          <button type="button" class="small" aria-label={t("memory.undo.event", { seq: event.seq })} onClick={() => void undoEvents([event.seq], memory)}>{t("app.undo")}</button>
        )}
      </p>
      {event.payload === null && <p class="quiet small">{t("memory.erased")}</p>}
      {changes.length > 0 && <Fields fields={changes} known={known} />}
      {linked(event, memory.id).map(({ edge, isGone }) => <Linked key={`${edge.source} ${edge.kind} ${edge.target}`} edge={edge} of={memory.id} isGone={isGone} known={known} />)}
    </li>
  );
}

/** The relations of a memory that an event added or removed. */
function linked(event: Event, id: string): { edge: Relation; isGone: boolean }[] {
  const edges = (name: string) => (Array.isArray(event.payload?.[name]) ? event.payload[name] : []) as unknown as Relation[];
  const own = (edge: Relation) => edge.source === id || edge.target === id;
  return [...edges("added").filter(own).map((edge) => ({ edge, isGone: false })), ...edges("removed").filter(own).map((edge) => ({ edge, isGone: true }))];
}

function Linked({ edge, of, isGone, known }: { edge: Relation; of: string; isGone: boolean; known: ReadonlySet<string> }) {
  const other = edge.source === of ? edge.target : edge.source;
  const said = <><Badge>{called(edge.kind)}</Badge> <Value of={other} known={known} /></>;
  return <p class="small linked">{edge.source === of ? "→" : "←"} {isGone ? <del>{said}</del> : said}</p>;
}

/** Field by field, before → after. */
export function Fields({ fields, known = NONE }: { fields: Change["fields"]; known?: ReadonlySet<string> }) {
  return (
    <ul class="fields small">
      {fields.map((field) => (
        <li key={field.name}>
          <b>{called(field.name)}</b> {Array.isArray(field.before) && Array.isArray(field.after) ? <Members before={field.before} after={field.after} known={known} /> : <><del><Value of={field.before} known={known} /></del> → <ins><Value of={field.after} known={known} /></ins></>}
        </li>
      ))}
    </ul>
  );
}

/** A value; the id of a known memory as a link with its first words. */
function Value({ of, known }: { of: Plain; known: ReadonlySet<string> }) {
  return typeof of === "string" && known.has(of) ? <a href={href("memory", of)}><Named id={of} /></a> : <bdi>{plain(of)}</bdi>;
}

/** Of a list, what left it and what came. */
function Members({ before, after, known }: { before: Plain[]; after: Plain[]; known: ReadonlySet<string> }) {
  const [gone, come] = [before.filter((one) => !after.includes(one)), after.filter((one) => !before.includes(one))];
  return <>{gone.map((one, at) => <del key={at}>− <Value of={one} known={known} /> </del>)}{come.map((one, at) => <ins key={at}>+ <Value of={one} known={known} /> </ins>)}</>;
}

/** Whether it can be taken back alone: what a dream did is taken back with the dream, what was said is forgotten. */
function isUndoable(event: Event): boolean {
  return UNDONE_BY_HAND.includes(event.action) && event.payload !== null && !event.payload.cycle;
}

/** The fields of a memory that an event changed. */
export function fieldsOf(event: Event, id: string): Change["fields"] {
  const payload = event.payload ?? {};
  if (event.action === "forget") return [{ name: "valid_until", before: payload.before as Plain, after: payload.after as Plain }];
  const changes = (Array.isArray(payload.changes) ? payload.changes : []) as unknown as Change[];
  return changes.filter((change) => change.memory === id).flatMap((change) => change.fields);
}
