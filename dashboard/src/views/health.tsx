// How the scope's memory is doing: figures, growth, what it holds by kind and state, and what is in quarantine.
import { useState } from "preact/hooks";
import { call } from "../api";
import { GrowthChart } from "../parts/charts";
import { useLoad } from "../parts/load";
import { bytes, count, number, percent } from "../parts/show";
import { Bar, Row, Section, Shown } from "../parts/ui";
import { may } from "../state";
import { called, t } from "../texts";
import type { Counts, Health as Told, Memory } from "../types";
import { Release } from "./memory";

const HELD = 100;

export function Health() {
  const health = useLoad<Told>((signal) => call("/v1/health", { signal }), ["health"]);
  return (
    <>
      <h1>{t("nav.health")}</h1>
      <Shown from={health}>
        {(of) => (
          <>
            <dl class="tiles">
              <Tile name={t("health.memories")} value={count(of.memories)} />
              <Tile name={t("health.current")} value={count(of.current)} />
              <Tile name={t("health.junk")} value={count(of.junk)} why={t("health.junk.why")} />
              <Tile name={t("health.stale")} value={count(of.stale)} why={t("health.stale.why", { superseded: count(of.superseded), outdated: count(of.outdated) })} />
              <Tile name={t("health.forgotten")} value={count(of.forgotten)} />
              <Tile name={t("health.quarantined")} value={count(of.quarantined)} tone={of.quarantined ? "bad" : ""} />
              <Tile name={t("health.gated")} value={percent(of.gated_share, 1)} why={t("health.gated.why", { gated: count(of.gated), observed: count(of.observed) })} />
              <Tile name={t("health.size")} value={bytes(of.disk_bytes)} why={`${count(of.events)} ${t("health.events")}`} />
            </dl>
            {of.growth.length > 0 && <Section title={t("health.growth")} id="growth"><GrowthChart growth={of.growth} /></Section>}
            <div class="columns three">
              <Share title={t("health.kinds")} counts={of.kinds} />
              <Share title={t("health.states")} counts={of.states} />
              <Share title={t("health.tiers")} counts={of.tiers} />
            </div>
          </>
        )}
      </Shown>
      <Quarantine />
    </>
  );
}

function Tile({ name, value, why = "", tone = "" }: { name: string; value: string; why?: string; tone?: string }) {
  return (
    <div class={`tile ${tone}`}>
      <dt>{name}</dt>
      <dd><span class="value">{value}</span>{why && <span class="small quiet">{why}</span>}</dd>
    </div>
  );
}

function Share({ title, counts }: { title: string; counts: Counts }) {
  const rows = Object.entries(counts).filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...rows.map(([, value]) => value));
  return (
    <Section title={title}>
      <ul class="signals wide">
        {rows.map(([name, value]) => (
          <li key={name}>
            <span class="signal-name">{called(name)}</span>
            <Bar share={value} most={most} label={`${called(name)}: ${number(value)}`} />
            <span class="signal-share">{count(value)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Quarantine() {
  const held = useLoad((signal) => call<{ memories: Memory[] }>("/v1/quarantine", { signal }).then((found) => found.memories), ["quarantine"]);
  const [chosen, setChosen] = useState<Memory | null>(null);
  return (
    <Section title={`${t("health.quarantine")}${held.data?.length ? ` (${count(held.data.length)})` : ""}`} id="quarantine">
      <Shown from={held}>
        {(memories) =>
          memories.length
            ? memories.slice(0, HELD).map((memory) => (
                <Row key={memory.id} memory={memory}>{may("admin") && <p><button type="button" onClick={() => setChosen(memory)}>{t("memory.release")}</button></p>}</Row>
              ))
            : <p class="quiet">{t("health.quarantine.none")}</p>
        }
      </Shown>
      {chosen && <Release memory={chosen} close={() => setChosen(null)} />}
    </Section>
  );
}
