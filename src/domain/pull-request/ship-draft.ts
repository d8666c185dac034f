/** Describes what a person typed for the way out of an attempt. Decides for which commit a message is meant. */
import { z } from "zod";
import type { Entity } from "../entity.ts";
import type { Run } from "../run/run.ts";
import { isEnded } from "../run/state.ts";

export const shipDraftSchema = z.object({
  /** `after` is the run that had made the newest commit when it was typed; null if there was none. */
  message: z.object({ text: z.string(), after: z.string().nullable() }).nullable().default(null),
  title: z.string().nullable().default(null),
  body: z.string().nullable().default(null),
  draft: z.boolean().nullable().default(null),
});
export type ShipDraft = Entity<typeof shipDraftSchema>;

type Commits = readonly Pick<Run, "id" | "commit">[];

/** The typed message, as long as no commit was made since. `runs` in the order in which they work. */
export function messageFor({ message }: Pick<ShipDraft, "message">, runs: Commits): string | null {
  return message !== null && message.after === newestCommitter(runs) ? message.text : null;
}

export function newestCommitter(runs: Commits): string | null {
  return runs.findLast(({ commit }) => commit !== null)?.id ?? null;
}

type Due = Pick<Run, "status" | "commit" | "failure" | "kind">;

/** Whether the last run is about to make a commit, or would make one if it were tried again. */
export function isCommitDue(runs: readonly Due[]): boolean {
  const last = runs.at(-1);
  if (last === undefined || last.commit !== null || last.kind === "publish") return false;
  const code = last.failure?.code;
  return !isEnded(last.status) || code === "gate_rejected" || code === "hook_failed";
}
