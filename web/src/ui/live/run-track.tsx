/** Draws the seven phases of a run: queued, prepare, run, stage, check, commit, push. The words beside it carry them. */
import type { RunDocument } from "@contract/task-document.ts";

const PHASES = ["queued", "prepare", "run", "stage", "check", "commit", "push"] as const;

export function RunTrack({ run }: { readonly run: Pick<RunDocument, "status" | "phase" | "question"> }) {
  const now = phaseOf(run);
  const isOver = run.status === "SUCCEEDED";
  return (
    <div className="run-track" aria-hidden="true">
      {PHASES.map((phase, index) => (
        <i key={phase} data-part={isOver ? "full" : partOf(index, now, run)} />
      ))}
    </div>
  );
}

function partOf(index: number, now: number, { status, phase }: Pick<RunDocument, "status" | "phase">) {
  if (index < now) return "done";
  if (index > now) return "next";
  return phase === "waiting" || status === "FAILED" ? "hold" : "now";
}

function phaseOf({ status, phase }: Pick<RunDocument, "status" | "phase">): number {
  switch (status) {
    case "PENDING":
      return phase === "preparing" ? 1 : 0;
    case "RUNNING":
      return 2;
    case "STAGING":
      return phase === "checking" ? 4 : 3;
    case "COMMITTING":
      return 5;
    default:
      return 6;
  }
}
