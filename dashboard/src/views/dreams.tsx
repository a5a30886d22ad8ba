// Dreams: what each did, step by step, before and after; undoing one; what one would do now.
import { useState } from "preact/hooks";
import { call } from "../api";
import { Fields } from "../parts/history";
import { Jobs } from "../parts/jobs";
import { useLoad } from "../parts/load";
import { reason } from "../parts/reasons";
import { count } from "../parts/show";
import { Ask, Badge, Named, Failure, Moment, Row, Section, Shown } from "../parts/ui";
import { changes, href, may, tell } from "../state";
import { called, named, t } from "../texts";
import type { Dream, DreamStep, PastDream, Undone } from "../types";

export function Dreams() {
  const dreams = useLoad((signal) => call<{ dreams: PastDream[] }>("/v1/dreams", { query: { limit: 20 }, signal }).then((found) => found.dreams), ["dreams"]);
  const [dry, setDry] = useState<Dream | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const dream = async (isDry: boolean) => {
    setBusy(true);
    setError(null);
    try {
      const report = await call<Dream>("/v1/dream", { body: { dry_run: isDry } });
      setDry(isDry ? report : null);
      if (!isDry) {
        tell(t("dreams.done", { changed: count(report.changed) }));
        changes.value += 1;
      }
    } catch (problem) {
      setError(problem as Error);
    }
    setBusy(false);
  };
  return (
    <>
      <h1>{t("nav.dreams")}</h1>
      {may("write") && <p class="actions">
        <button type="button" disabled={busy} onClick={() => void dream(true)}>{t("dreams.dry")}</button>
        <button type="button" disabled={busy} class="primary" onClick={() => void dream(false)}>{t("dreams.now")}</button>
        {busy && <span class="quiet" role="status">{t("app.loading")}</span>}
      </p>}
      {error && <Failure error={error} />}
      {dry && (
        <Section title={t("dreams.dry.title")} id="dry" aside={<button type="button" class="small" onClick={() => setDry(null)}>{t("app.close")}</button>}>
          <p>{t("dreams.looked", { memories: count(dry.memories), changed: count(dry.changed) })}</p>
          <Steps steps={dry.steps} />
        </Section>
      )}
      <Jobs />
      <Shown from={dreams}>{(past) => (past.length ? past.map((one, at) => <Past key={one.cycle} dream={one} open={at === 0} />) : <p class="quiet">{t("dreams.none")}</p>)}</Shown>
    </>
  );
}

function Past({ dream, open }: { dream: PastDream; open: boolean }) {
  const [asking, setAsking] = useState(false);
  const undo = async () => {
    const report = await call<Undone>("/v1/undo", { body: { cycle: dream.cycle } });
    tell([t("dreams.undone", { ...report, left: "" }), ...(report.left.length ? [t("dreams.left", { what: report.left.slice(0, 3).join("; ") })] : [])].join(" "));
    changes.value += 1;
  };
  const tone = dream.stage === "done" ? "good" : dream.stage === "undone" ? "muted" : "warn";
  return (
    <details class="dream" open={open}>
      <summary><Moment at={dream.at} /> <Badge tone={tone}>{named("dreams.stage", dream.stage)}</Badge> <span class="quiet">{dream.changed ? t("dreams.changed", { changed: count(dream.changed) }) : t("dreams.nothing")}</span></summary>
      {dream.stage !== "undone" && may("write") && <p class="actions"><button type="button" onClick={() => setAsking(true)}>{t("dreams.undo")}</button></p>}
      <Steps steps={dream.steps} />
      {asking && <Ask title={t("dreams.undo.title")} help={t("dreams.undo.help")} verb={t("dreams.undo")} danger close={() => setAsking(false)} act={undo} />}
    </details>
  );
}

function Steps({ steps }: { steps: DreamStep[] }) {
  return <ul class="plain steps">{steps.map((step) => <Step key={step.name} step={step} />)}</ul>;
}

function Step({ step }: { step: DreamStep }) {
  const isIdle = !step.changed && !step.formed && !step.related && !step.left;
  return (
    <li class={isIdle ? "idle" : ""}>
      <p>
        <b>{called(step.name)}</b> <span class="quiet">{isIdle ? t("dreams.nothing") : t("dreams.things", { changed: count(step.changed), formed: count(step.formed), related: count(step.related) })}</span>
        {step.left > 0 && <span class="quiet"> · {t("dreams.left.count", { left: step.left })}</span>}
      </p>
      {step.reasons.length > 0 && <ul class="small quiet">{step.reasons.slice(0, 5).map((one) => <li key={one.why}>{count(one.count)} × <bdi>{reason(one.why)}</bdi></li>)}</ul>}
      {step.samples.length > 0 && (
        <div class="samples">
          <p class="small quiet">{t("dreams.before")}</p>
          {step.samples.map((change, at) => (
            <div key={at}><a class="small" data-row href={href("memory", change.memory)}><Named id={change.memory} /></a><Fields fields={change.fields} /></div>
          ))}
        </div>
      )}
      {step.made.map((memory) => <div key={memory.id} class="made"><span class="small quiet">{t("dreams.made")}</span><Row memory={memory} cut={200} /></div>)}
      {step.notes.map((note, at) => <p key={at} class="small quiet"><bdi>{note}</bdi></p>)}
    </li>
  );
}
