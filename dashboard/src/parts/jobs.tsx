// Jobs of a scope: what waits, how far it is, why one failed; cancelling one, and trying one again.
import { useEffect, useState } from "preact/hooks";
import { call } from "../api";
import { may, mayAll } from "../state";
import { named, t } from "../texts";
import { useLoad } from "./load";
import { failed } from "./reasons";
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

const TONES: Record<string, string> = { done: "good", failed: "bad", running: "warn", cancelled: "muted" };
const SHOWN = 10;
const LOOK_MS = 1000;

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
    <Section title={t("jobs.title")} id="jobs">
      <Shown from={found}>{(jobs) => <ul class="plain jobs">{jobs.slice(0, SHOWN).map((job) => <One key={job.id} job={job} again={found.again} />)}</ul>}</Shown>
    </Section>
  );
}

/** Whether the token suffices to cancel it or to try it again: files of the server and the whole store need more than a dream. */
function mayTouch(kind: string): boolean {
  if (kind === "import" || kind === "export") return may("admin");
  return kind === "dream" ? may("write") : mayAll();
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
  const isKnown = job.total > job.done; // an import learns its whole as it goes: it has always done all it knows of
  const far = isKnown ? t("jobs.progress", { done: count(job.done), total: count(job.total) }) : t("jobs.so.far", { done: count(job.done) });
  const verb = !mayTouch(job.kind) || job.cancelling || job.state === "done" ? null : isOpen(job) ? "cancel" : "retry";
  return (
    <li data-job={job.id}>
      <p>
        <b>{named("job", job.kind)}</b> <Badge tone={TONES[job.state] ?? ""}>{named("job", state)}</Badge> <Moment at={job.enqueued_at} />{" "}
        {job.state !== "done" && job.done > 0 && <span class="quiet">{far}</span>}{" "}
        {job.attempts > 1 && <span class="quiet">{t("jobs.attempts", { attempts: job.attempts })}</span>}{" "}
        {verb && <button type="button" class="small" onClick={() => void ask(verb)}>{t(`jobs.${verb}`)}</button>}
      </p>
      {isKnown && isOpen(job) && <Bar share={job.done} most={job.total} label={far} />}
      {job.reason && <p class="small quiet"><bdi>{failed(job.reason)}</bdi></p>}
      {error && <Failure error={error} />}
    </li>
  );
}
