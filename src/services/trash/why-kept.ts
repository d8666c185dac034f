/** Says why something in the trash may not be deleted: all that is not proven to be ours, dead and kept elsewhere. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { readRef } from "../../git/refs.ts";
import { isCommitWhole } from "../../git/verify-commit.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import { snapshotsOfAttempt } from "../../storage/snapshots.ts";
import { findMarked } from "../../utils/process-identity.ts";
import { findWorkingIn } from "../../utils/working-in.ts";
import type { ServiceContext } from "../context.ts";
import { pointsAt } from "../worktrees/own-pointer.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { placeOf, type TrashedWorktree } from "./trash-entries.ts";

interface Of {
  readonly entry: TrashedWorktree;
  readonly attempt: Attempt;
  readonly repository: Repository;
  /** When anything in it was last written, in milliseconds since 1970. */
  readonly newestMs: number;
}

/** A sentence for a person; null where it may go. Any doubt keeps it. */
export async function whyKept(context: ServiceContext, of: Of): Promise<string | null> {
  const { entry, attempt } = of;
  if ((await placeOf(context, entry)) !== "there") return "It is not the folder that was put there.";
  if (attempt.state !== "removed") return "Its attempt is not cancelled, or not cleaned up yet.";
  if (attempt.gitDir === null || !pointsAt(entry.path, attempt.gitDir))
    return "Its .git is not the file that git made for this worktree; a repository of its own may be in it.";
  if (of.newestMs > Date.parse(entry.deletedAt))
    return "Something was written in it after its snapshot was taken.";
  return (await whyAlive(context, of)) ?? whyNotInSnapshot(context, of);
}

async function whyAlive(context: ServiceContext, { entry, attempt }: Of): Promise<string | null> {
  const inside = (await findWorkingIn(entry.path)) ?? [];
  const marked: number[] = [];
  for (const run of await runsOfAttempt(context.db.reader, attempt.id))
    marked.push(...(await findMarked({ name: "TAZUNA_RUN", value: run.id })));
  const [pid] = [...inside, ...marked];
  return pid === undefined ? null : `A process (${pid}) still works in it or belongs to its attempt.`;
}

/** The snapshot that was taken just before is read back from git, and lacks nothing. */
async function whyNotInSnapshot(
  context: ServiceContext,
  { entry, attempt, repository }: Of,
): Promise<string | null> {
  const { snapshot: ref } = entry;
  const all = await snapshotsOfAttempt(context.db.reader, attempt.id);
  const known = all.find((each) => each.ref === ref && each.droppedAt === null);
  if (ref === null || known === undefined) return "There is no snapshot of it.";
  if (known.notContained.length > 0) {
    const some = known.notContained.slice(0, 5).join(", ");
    return `Its snapshot does not contain ${some}${known.notContained.length > 5 ? " and more" : ""}.`;
  }
  const target = repositoryTarget(repository);
  const sha = (await readRef(context.git, target, `${ref}^{commit}`)).unwrapOr(null);
  const whole = sha === known.commit && (await isCommitWhole(context.git, target, sha)).unwrapOr(false);
  return whole ? null : `Its snapshot ${ref} cannot be read back.`;
}
