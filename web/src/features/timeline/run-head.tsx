/** The head of a run in the timeline: its state, how long it took, what it cost, its diff and its menu. */

import type { RunDocument } from "@contract/task-document.ts";
import { cleanText } from "@contract/text.ts";
import { presentRun } from "@contract/words/present-run.ts";
import { MessageSquare } from "lucide-react";
import { useState } from "react";
import { numberKey } from "../../data/keys/key-table.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { RunTrack } from "../../ui/live/run-track.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useActorName } from "../actors/use-actor-name.ts";
import { LineCounts } from "../attempts/numbers.tsx";

import { isWorking } from "./rows.ts";
import { RunMenu } from "./run-menu.tsx";
import { useTimelineActs } from "./timeline-acts.ts";

export function RunHead({ run }: { readonly run: RunDocument }) {
  const { t } = useTranslation("timeline");
  const { showDiff, isNamed } = useTimelineActs();
  const { family, sign } = presentRun(run);
  const name = useRunName();
  const nameOf = useActorName();
  const { t: a } = useTranslation("actors");
  const { stopped_by: stopper } = run;
  return (
    <div
      className={`family-${run.status === "SUCCEEDED" ? "ready" : family} border-t border-line px-3 pt-2.5 pb-1 first:border-t-0`}
    >
      <div className="flex items-center gap-2">
        <StateSign sign={run.status === "SUCCEEDED" ? "disc-tick" : sign} />
        <h3 className="text-body whitespace-nowrap">{name(run)}</h3>
        <span className="min-w-0 flex-1 truncate text-fine text-ink-3 tabular-nums">
          {isWorking(run) ? <LiveTime run={run} /> : <EndedTime run={run} />}
          {isNamed && <bdi data-actor=""> · {nameOf(run.actor)}</bdi>}
        </span>
        {run.patch !== null && (
          <span className="text-fine">
            <LineCounts additions={run.patch.additions} deletions={run.patch.deletions} />
          </span>
        )}
        <Button kind="quiet" size="small" onClick={() => showDiff(run.id)}>
          {t("diff")}
          <span className="visually-hidden">{t("ofRun", { number: run.number })}</span>
          <KeyCap spec={numberKey(run.number)} />
        </Button>
        <RunMenu run={run} />
      </div>
      {isNamed && stopper && (
        <p data-stopped-by="" className="pl-6 text-fine text-ink-3 [overflow-wrap:anywhere]">
          <bdi>{a("stoppedBy", { name: nameOf(stopper) })}</bdi>
        </p>
      )}
      {isWorking(run) && (
        <div className="pt-1 pb-0.5">
          <RunTrack run={run} />
        </div>
      )}
    </div>
  );
}

type Named = Pick<RunDocument, "kind" | "number" | "reviewer" | "patch" | "commit">;

/** A run without an agent that found nothing to commit, and names a commit, has checked that one again. */
function useRunName(): (run: Named) => string {
  const { t } = useTranslation("timeline");
  return ({ kind, number, reviewer, patch, commit }) => {
    if (kind === "review") return t("reviewBy", { agent: reviewer ?? "" });
    if (kind === "commit") return t(commit !== null && patch?.files === 0 ? "checkedAgain" : "ownEdits");
    return kind === "publish" ? t("push") : t("run", { number });
  };
}

function LiveTime({ run }: { readonly run: RunDocument }) {
  const { t, isKnown } = useTranslation("states");
  const format = useFormat();
  const now = useNow();
  const { code } = presentRun(run);
  const { limit, worker = "", until = null } = run.waits_for ?? {};
  const at = until ?? run.resume_at;
  const time = at === null ? "…" : format.clock(at);
  const values = { run: run.number, time, limit: limit ?? 0, worker };
  const words = isKnown(code) ? t(code, values) : code.replaceAll("_", " ");
  const ms = now - Date.parse(run.started_at ?? run.created_at);
  return (
    <span className="font-medium text-(--tone)">
      {words} ·{" "}
      <span role="timer" aria-live="off">
        {format.running(ms)}
      </span>
    </span>
  );
}

function EndedTime({ run }: { readonly run: RunDocument }) {
  const format = useFormat();
  const begun = run.started_at ?? run.created_at;
  const ms = run.ended_at === null ? null : Date.parse(run.ended_at) - Date.parse(begun);
  const usd = run.usage?.cost_usd ?? null;
  const parts = [
    format.clock(begun),
    ...(ms === null ? [] : [format.span(ms)]),
    ...(usd === null ? [] : [format.cost(usd)]),
  ];
  return parts.join(" · ");
}

/** Longer words are cut to about two lines. */
const SHORT = 120;

/** What was asked; long words can be opened. */
export function RunPrompt({ run, isFirst }: { readonly run: RunDocument; readonly isFirst: boolean }) {
  const { t } = useTranslation("timeline");
  const [isOpen, setOpen] = useState(false);
  const text = cleanText(run.instruction).trim();
  const isLong = text.length > SHORT || text.split("\n").length > 2;
  const isNewSession = run.notes.some(({ code }) => code === "session_restarted");
  return (
    <div className="px-2 pb-1">
      <div className="flex gap-2 rounded-control bg-sunken px-2.5 py-1.5 text-small text-ink-2">
        <MessageSquare size={14} aria-hidden="true" className="mt-0.5 flex-none text-ink-3" />
        <div className="min-w-0 flex-1">
          <bdi
            className={`whitespace-pre-wrap [overflow-wrap:anywhere] ${isOpen ? "block" : "line-clamp-2"}`}
          >
            {text}
          </bdi>
          {isLong && (
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="text-left text-accent pointer-coarse:min-h-11 pointer-coarse:min-w-11 hover:underline"
            >
              {isOpen ? t("less") : t("more")}
            </button>
          )}
          {!isFirst && run.kind === "agent" && !isNewSession && (
            <span className="block text-fine text-ink-3">{t("sameSession")}</span>
          )}
        </div>
      </div>
    </div>
  );
}
