/** Tells the progress of a clone in facts, at most one in a second. */
import type { Repository } from "../../domain/repository/repository.ts";
import type { CloneProgress } from "../../git/repository/clone.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";

const EVERY_MS = 1000;

/** The receiver of the progress; facts that cannot be stored are left out. */
export function cloneTold(
  context: Uses<"db" | "clock" | "newFacts" | "reportFault">,
  { id, url }: Pick<Repository, "id" | "url">,
): (progress: CloneProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ step, percent }) => {
    const now = performance.now();
    if (now - last < EVERY_MS) return;
    last = now;
    const fact = { kind: "clone.progress", taskId: null, attemptId: null, runId: null };
    transact(context.db, (trx) =>
      appendFact(trx, { ...fact, at: context.clock.iso(), data: { repository: id, url, step, percent } }),
    )
      .then(() => context.newFacts.notify())
      .catch((error: unknown) => context.reportFault("the progress of a clone", error));
  };
}
