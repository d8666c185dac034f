/** Decides whether a run still goes on by itself. */
import type { RunDocument } from "./task-document.ts";

/** `going` goes on by itself; `person` waits until a person answers or starts it. */
type Settlement = "going" | "succeeded" | "failed" | "canceled" | "person";

/** The settlement of a run. After a rate limit, or an answer, it goes on by itself. */
export function settlementOf(run: Pick<RunDocument, "status" | "held" | "question">): Settlement {
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
      return run.question === null ? "going" : "person";
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
