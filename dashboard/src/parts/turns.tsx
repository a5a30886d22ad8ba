// The turns around a memory: what was said before and after it in its conversation.
import { call } from "../api";
import { href } from "../state";
import { t } from "../texts";
import type { Memory } from "../types";
import { useLoad } from "./load";
import { MOST } from "./paging";
import { clock, day } from "./show";
import { Said, Shown } from "./ui";

const AROUND = 3;
const HOUR_MS = 3_600_000;
const SPANS = [HOUR_MS, 24 * HOUR_MS, 30 * 24 * HOUR_MS];

/** The message a memory was formed from; the memory itself where it is one, or where its message is gone. */
async function message(memory: Memory, signal: AbortSignal): Promise<Memory> {
  const [source] = memory.kind === "episode" ? [] : memory.sources;
  if (!source) return memory;
  return call<{ memory: Memory }>(`/v1/memories/${encodeURIComponent(source)}`, { signal }).then((found) => found.memory, () => memory);
}

/** The messages around it, in order; looked for in wider and wider spans of time. */
async function around(memory: Memory, signal: AbortSignal): Promise<{ turns: Memory[]; of: string }> {
  const said = await message(memory, signal);
  let turns: Memory[] = [];
  for (const span of SPANS) {
    const at = Date.parse(said.at);
    const query = { session: said.session, kind: "episode", start: new Date(at - span).toISOString(), end: new Date(at + span).toISOString(), limit: MOST };
    const found = (await call<{ memories: Memory[] }>("/v1/memories", { query, signal })).memories.sort((a, b) => a.seq - b.seq);
    const place = found.findIndex((one) => one.id === said.id);
    if (place < 0) return { turns: [said], of: said.id };
    turns = found.slice(Math.max(0, place - AROUND), place + AROUND + 1);
    const isWhole = (place >= AROUND || found[0]?.seq === 0) && place + AROUND < found.length;
    if (isWhole) break;
  }
  return { turns, of: said.id };
}

export function Turns({ memory }: { memory: Memory }) {
  const found = useLoad((signal) => around(memory, signal), ["turns", memory.id], false);
  return (
    <div class="turns">
      <Shown from={found}>
        {({ turns, of }) => (
          <>
            <p class="small quiet">{turns[0] && day(turns[0].at)} · <a href={href("timeline", "", { session: turns[0]?.session })}>{t("turns.whole")}</a></p>
            <ol>
              {turns.map((turn) => (
                <li key={turn.id} class={turn.id === of ? "turn here" : "turn"} aria-current={turn.id === of ? "true" : undefined}>
                  <span class="quiet small"><time dateTime={turn.at}>{clock(turn.at)}</time> <bdi>{turn.speaker}</bdi></span>{" "}
                  <a href={href("memory", turn.id)}><Said text={turn.text || "–"} cut={600} /></a>
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
    </div>
  );
}
