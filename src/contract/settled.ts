/** Decides whether a run still goes on by itself. */
import type { RunDocument } from "./task-document.ts";

/** `going` goes on by itself; `person` waits until a person answers or starts it. */
type Settlement = "going" | "succeeded" | "failed" | "canceled" | "person";

/** The settlement of a run. A rate limit resumes by itself and so still goes on. */
export function settlementOf(run: Pick<RunDocument, "status" | "phase" | "held" | "resume_at">): Settlement {
  switch (run.status) {
    case "SUCCEEDED":
      return "succeeded";
    case "FAILED":
      return "failed";
    case "CANCELED":
      return "canceled";
    case "PENDING":
      return run.held ? "person" : "going";
    case "RUNNING":
      return run.phase === "waiting" && run.resume_at === null ? "person" : "going";
    case "STAGING":
    case "COMMITTING":
    case "PUSHING":
      return "going";
  }
}

/** Whether a run will never move again. */
export function hasEnded(run: Parameters<typeof settlementOf>[0]): boolean {
  const settlement = settlementOf(run);
  return settlement !== "going" && settlement !== "person";
}
