/** How a run ended: the proof, the checks with their logs, the commit, or the failure and what to do. */
import type { CheckDocument, RunDocument } from "@contract/task-document.ts";
import { cleanLine, cleanText } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { CircleStop, GitBranch, Info, ShieldCheck } from "lucide-react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { OutputBlock } from "../../ui/output-block.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { movedGit } from "../attempts/moved-git.ts";
import { BaseCheck } from "../checks/base-check.tsx";
import { Line } from "./line.tsx";
import { useTimelineActs } from "./timeline-acts.ts";

/** Refs, settings and hooks that were compared, and who moved them: the numbers link to the operations. */
export function ProofRow({ run }: { readonly run: RunDocument }) {
  const { t } = useTranslation("timeline");
  const { refs, settings, hooks, isClean } = movedGit(run);
  const counts = [["refs", refs] as const, ["settings", settings] as const, ["hooks", hooks] as const];
  const parts = counts.flatMap(([what, count]) => (count === 0 ? [] : [t(what, { count })]));
  return (
    <Line icon={<ShieldCheck size={14} className={isClean ? "" : "text-needs-fill"} />}>
      <Link
        to="/activity"
        search={{ subject: run.id }}
        className={isClean ? "text-ink-2 hover:underline" : "text-needs-ink hover:underline"}
      >
        {isClean ? t("proofClean") : t("proof", { parts: parts.join(t("proofComma")) })}
      </Link>
    </Line>
  );
}

/** Checks that passed, in one line. */
export function ChecksRow({
  run,
  checks,
}: {
  readonly run: RunDocument;
  readonly checks: readonly CheckDocument[];
}) {
  const { t } = useTranslation("timeline");
  const { span } = useFormat();
  const ms = checks.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  return (
    <Line icon={<VerdictSign verdict="pass" />} end={span(ms)}>
      <Link to="/attempts/$id/ship" params={{ id: useTimelineActs().attempt }} className="hover:underline">
        {t("checks")}
      </Link>{" "}
      <bdi className="text-ink-2" data-run={run.id}>
        {checks.map(({ name }) => cleanLine(name)).join(", ")}
      </bdi>
    </Line>
  );
}

/** A check that did not pass, with its own log, and the way to hand it to the agent. */
export function RedCheckRow({ run, check }: { readonly run: RunDocument; readonly check: CheckDocument }) {
  const { t } = useTranslation("timeline");
  const { span } = useFormat();
  const { attempt, write } = useTimelineActs();
  const name = cleanLine(check.name);
  const words = {
    failed: "checkFailed",
    timed_out: "checkTimedOut",
    stopped: "checkStopped",
    passed: "checks",
  };
  return (
    <div data-check={name} data-run={run.id}>
      <Line
        icon={<VerdictSign verdict="fail" />}
        end={
          <>
            {span(check.duration_ms)}
            <span className="chip family-fail">
              {check.exit_code === null ? t("failed") : t("exit", { code: check.exit_code })}
            </span>
          </>
        }
        below={
          <>
            {check.log.trim() !== "" && <OutputBlock text={cleanText(check.log)} label={name} />}
            <div className="mt-1 flex flex-wrap gap-1.5">
              <Button size="small" data-act="suggested" keySpec="a" onClick={() => write(requestFor(check))}>
                {t("sendFailure")}
              </Button>
              <BaseCheck attempt={attempt} name={check.name} />
            </div>
          </>
        }
      >
        <span className="font-medium">{t(words[check.outcome] as "checkFailed", { name })}</span>
        {!check.required && <span className="text-ink-3"> · {t("notRequired")}</span>}
      </Line>
    </div>
  );
}

/** The most of a log that is quoted to the agent, from its end. */
const QUOTED_LINES = 40;

/** Agents read English; a person can change the words before they go. */
function requestFor({ name, log }: CheckDocument): string {
  const end = cleanText(log).trimEnd().split("\n").slice(-QUOTED_LINES).join("\n");
  return `Find why the check "${cleanLine(name)}" failed, and mend it. The end of its output:\n\n${end}\n`;
}

export function CommitRow({ run }: { readonly run: RunDocument }) {
  const { t } = useTranslation("timeline");
  const words = cleanLine(run.summary ?? run.instruction);
  const end = run.outcome === "pushed" ? t("pushed") : run.outcome === "committed" ? t("committed") : null;
  return (
    <Line icon={<GitBranch size={14} />} end={end ?? undefined}>
      <span className="block truncate">
        <code>{run.commit?.slice(0, 7)}</code> <bdi>{words}</bdi>
      </span>
    </Line>
  );
}

export function StopRow({ run }: { readonly run: RunDocument }) {
  const { t } = useTranslation("timeline");
  return (
    <Line icon={<CircleStop size={14} />}>
      <span className="text-ink-2">{t(run.status === "CANCELED" ? "stopped" : "noChanges")}</span>
      {run.summary !== null && run.outcome === "no_changes" && (
        <bdi className="block text-ink-3">“{cleanLine(run.summary)}”</bdi>
      )}
    </Line>
  );
}

/** A thing to know that did not fail the run, in the server's words. */
export function NoteRow({ message, code }: { readonly message: string; readonly code: string }) {
  return (
    <Line icon={<Info size={14} />}>
      <bdi lang="en" title={code} className="text-ink-2 [overflow-wrap:anywhere]">
        {cleanLine(message)}
      </bdi>
    </Line>
  );
}
