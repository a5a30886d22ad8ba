// Jobs of a scope: what waits, how far it is, why one failed; cancelling one, and trying one again. With its texts.
import { useEffect, useState } from "preact/hooks";
import { call } from "../api";
import { may } from "../state";
import { lang } from "../texts";
import { useLoad } from "./load";
import { count } from "./show";
import { Badge, Bar, Failure, Moment, Section, Shown } from "./ui";

interface Job {
  id: string;
  kind: string;
  state: string;
  enqueued_at: string;
  attempts: number;
  done: number;
  total: number;
  reason: string;
  cancelling: boolean;
}

const en: Record<string, string> = {
  title: "Work in the background",
  cancel: "Cancel",
  retry: "Try again",
  progress: "{done} of {total}",
  attempts: "attempt {attempts}",
  dream: "dream",
  embed: "vectors",
  import: "import",
  reindex: "index",
  export: "export",
  waiting: "waits",
  running: "runs",
  cancelling: "ends at its next step",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};
const tr: Record<string, string> = {
  title: "Arka plandaki işler",
  cancel: "Durdur",
  retry: "Yeniden dene",
  progress: "{done} / {total}",
  attempts: "{attempts}. deneme",
  dream: "rüya",
  embed: "vektörler",
  import: "içe aktarma",
  reindex: "dizin",
  export: "dışa aktarma",
  waiting: "bekliyor",
  running: "sürüyor",
  cancelling: "sonraki adımda duracak",
  done: "bitti",
  failed: "başarısız",
  cancelled: "durduruldu",
};
const TONES: Record<string, string> = { done: "good", failed: "bad", running: "warn", cancelled: "muted" };
const SHOWN = 10;
const LOOK_MS = 1000;

function say(name: string, values: Record<string, string | number> = {}): string {
  const text = (lang.value === "tr" ? tr : en)[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

const isOpen = (job: Job) => job.state === "waiting" || job.state === "running";

/** The newest jobs of the scope; nothing where there never was one. Looks again while one is open. */
export function Jobs() {
  const found = useLoad((signal) => call<{ jobs: Job[] }>("/v1/jobs", { signal }).then((answer) => answer.jobs), ["jobs"]);
  const isBusy = found.data?.some(isOpen) ?? false;
  useEffect(() => {
    if (!isBusy) return;
    const look = setTimeout(found.again, LOOK_MS);
    return () => clearTimeout(look);
  }, [isBusy, found.data]);
  if (found.data?.length === 0) return null;
  return (
    <Section title={say("title")} id="jobs">
      <Shown from={found}>{(jobs) => <ul class="plain">{jobs.slice(0, SHOWN).map((job) => <One key={job.id} job={job} again={found.again} />)}</ul>}</Shown>
    </Section>
  );
}

function One({ job, again }: { job: Job; again: () => void }) {
  const [error, setError] = useState<Error | null>(null);
  const ask = async (verb: "cancel" | "retry") => {
    setError(null);
    try {
      await call(`/v1/jobs/${encodeURIComponent(job.id)}/${verb}`, { method: "POST" });
    } catch (problem) {
      setError(problem as Error);
    }
    again();
  };
  const state = job.cancelling ? "cancelling" : job.state;
  const far = job.total > 0 ? say("progress", { done: count(job.done), total: count(job.total) }) : job.done > 0 ? count(job.done) : "";
  return (
    <li data-job={job.id}>
      <p>
        <b>{say(job.kind)}</b> <Badge tone={TONES[job.state] ?? ""}>{say(state)}</Badge> <Moment at={job.enqueued_at} />{" "}
        {job.total > 0 && isOpen(job) && <Bar share={job.done} most={job.total} label={far} />} <span class="quiet">{far}</span>{" "}
        {job.attempts > 1 && <span class="quiet">{say("attempts", { attempts: job.attempts })}</span>}
      </p>
      {job.reason && <p class="small quiet"><bdi>{job.reason}</bdi></p>}
      <p class="actions">
        {may("write") && isOpen(job) && !job.cancelling && <button type="button" class="small" onClick={() => void ask("cancel")}>{say("cancel")}</button>}
        {may("write") && (job.state === "failed" || job.state === "cancelled") && <button type="button" class="small" onClick={() => void ask("retry")}>{say("retry")}</button>}
      </p>
      {error && <Failure error={error} />}
    </li>
  );
}
