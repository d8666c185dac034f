/** Decides whether a worker may push references into a depot: new ones, of attempts that are its own now. */
import { readDepotRef } from "../../domain/depot/depot-ref.ts";
import { isNothing, type PushCommand } from "../../domain/depot/push-commands.ts";
import { mayPushLeft, readLeftRef } from "../../domain/worker/left-worktree.ts";
import { leftOfAttempts } from "../../storage/team/left-worktrees.ts";
import { speaksFor } from "../../storage/team/protections.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { depotName } from "./depot-of.ts";

interface JudgedPush {
  readonly worker: string;
  /** The folder of the repository in the depot. */
  readonly repository: string;
  readonly commands: readonly PushCommand[];
}

/** Null if all of it may be taken. Else why not: one wrong reference refuses the whole push. */
export async function judgePush(
  context: Uses<"db">,
  { worker, repository, commands }: JudgedPush,
): Promise<string | null> {
  for (const { from, to, ref } of commands) {
    if (isNothing(to)) return `${ref}: a worker deletes nothing in a depot.`;
    if (!isNothing(from)) return `${ref}: a reference of a depot is made once and never moved.`;
    if (readLeftRef(ref) !== null) {
      const why = await judgeLeft(context, { worker, repository, ref, to });
      if (why === null) continue;
      return `${ref}: ${why}`;
    }
    const named = readDepotRef(ref);
    if (named === null) return `${ref}: a depot has no references of that name.`;
    const place = await findPlace(context.db.reader, named.attempt);
    const address = place?.repository.address ?? null;
    if (address === null || depotName(address) !== repository)
      return `${ref}: no attempt of this repository has that id.`;
    const lease = named.kind === "snapshots" ? null : { id: named.run, epoch: named.epoch };
    if (!(await speaksFor(context.db.reader, { attemptId: named.attempt, worker, lease })))
      return `${ref}: another worker has this attempt now.`;
  }
  return null;
}

/** What a worker that came back still had of an attempt: its own snapshot, which it has stored, and once. */
async function judgeLeft(
  { db }: Uses<"db">,
  { repository, ...pushed }: Pick<JudgedPush, "worker" | "repository"> & Pick<PushCommand, "ref" | "to">,
): Promise<string | null> {
  const attempt = readLeftRef(pushed.ref)?.attemptId ?? "";
  const address = (await findPlace(db.reader, attempt))?.repository.address ?? null;
  if (address === null || depotName(address) !== repository)
    return "no attempt of this repository has that id.";
  const all = await leftOfAttempts(db.reader, [attempt]);
  const own = all.find(({ workerId }) => workerId === pushed.worker) ?? null;
  return mayPushLeft(pushed, own) ? null : "this worker has kept no such worktree.";
}
