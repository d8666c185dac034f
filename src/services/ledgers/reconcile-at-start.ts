/** Compares the four ledgers when an engine starts, mends what is certain, and reports that there is more. */

import { ok } from "neverthrow";
import type { Repair } from "../../domain/ledgers/explanation.ts";
import { reconcile } from "../../domain/ledgers/reconcile.ts";
import { pruneWorktree } from "../../git/worktree/worktree-prune.ts";
import { operationsByPrefix, operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import type { GitContext, JournalContext, Uses, WorktreeContext } from "../core/context-parts.ts";
import { findPlaceOf } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { finishPurge } from "../trash/purge-entry.ts";
import { gatherLedgers } from "./gather-ledgers.ts";

/** Does not touch what has no explanation; `tazuna doctor` shows it. */
export async function reconcileAtStart(
  context: WorktreeContext & Uses<"attemptLock" | "unexaminedOperations">,
): Promise<void> {
  const explanations = reconcile(await gatherLedgers(context));
  for (const { id, repair: request } of explanations)
    if (request !== null)
      await repair(context, request).catch((error) => context.reportFault(`mending ${id}`, error));
  const unexplained = explanations.filter(({ standing }) => standing === "unexplained").length;
  if (unexplained > 0) context.reportFault("comparing the ledgers", UNEXPLAINED(unexplained));
}

const UNEXPLAINED = (count: number) =>
  `${count} ${count === 1 ? "thing is" : "things are"} unexplained and kept; \`tazuna doctor\` shows what and why`;

/**
 * Mends only what the ledgers leave no doubt about. Each act looks again, under its lock, before it acts. Throws if it
 * cannot be done; the next start tries again.
 */
async function repair(context: WorktreeContext & Uses<"attemptLock">, request: Repair): Promise<void> {
  switch (request.act) {
    case "deregister":
      return context.attemptLock.run(request.attempt, () => deregister(context, request));
    case "finish_purge":
      return goOnPurging(context, request.operation);
    case "note_lost":
      return noteLost(context, request.attempt);
  }
}

/** Includes the ignored files that it had to keep: an earlier try may have had no room for them. */
async function goOnPurging(context: Uses<"db" | "paths">, id: string): Promise<void> {
  const [operation] = await operationsByPrefix(context.db.reader, id);
  if (operation?.id === id) await finishPurge(context, operation);
}

async function deregister(
  context: GitContext & Uses<"locks">,
  { attempt: id, path }: Extract<Repair, { readonly act: "deregister" }>,
): Promise<void> {
  const { reader } = context.db;
  const attempt = await getAttempt(reader, id);
  if (attempt?.state !== "removed" || attempt.worktree !== path) return;
  const place = await findPlaceOf(reader, attempt);
  if (place === null) return;
  const { repository } = place;
  const pruned = await context.locks.shared(repository.commonDir, () =>
    journaled(
      context,
      { kind: "worktree_prune", subject: { type: "attempt", id }, before: { path } },
      () => pruneWorktree(context.git, repositoryTarget(repository), path),
      () => null,
    ),
  );
  if (pruned.isErr()) throw new Error(pruned.error.message);
}

/** Once for each loss: a worktree that was made again since then can be lost again. */
async function noteLost(context: JournalContext, id: string): Promise<void> {
  const kinds = ["worktree_lost", "worktree_add", "trash_restore"];
  const last = (await operationsOfKinds(context.db.reader, kinds, id)).at(-1);
  const attempt = await getAttempt(context.db.reader, id);
  if (attempt === null || last?.kind === "worktree_lost") return;
  const { worktree: path, branch } = attempt;
  await journaled(
    context,
    { kind: "worktree_lost", subject: { type: "attempt", id }, before: { path, branch } },
    async () => ok(undefined),
    () => null,
  );
}
