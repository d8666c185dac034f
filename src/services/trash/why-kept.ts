/** Explains why an entry of the trash may not be deleted: foreign, in use, or not kept elsewhere. */
import { isCommitWhole } from "../../git/refs/read-commit.ts";
import { readRef } from "../../git/refs/refs.ts";
import { runMarker } from "../../keeper/files.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { snapshotsOfAttempt } from "../../storage/tables/snapshots.ts";
import { findMarked } from "../../utils/programs/process-identity.ts";
import { findWorkingIn } from "../../utils/programs/working-in.ts";
import type { Uses } from "../core/context-parts.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { pointsAt } from "../worktrees/own-pointer.ts";
import { placeOf, type TrashedAttempt } from "./trash-entries.ts";

interface Candidate extends TrashedAttempt {
  /** The newest time of a write in it, in milliseconds since 1970. */
  readonly newestMs: number;
}

/**
 * A sentence for a person; null if it may be deleted. Any doubt keeps it. Without `/proc` only marked processes are
 * found: then the time of writing and the snapshot must do.
 */
export async function whyKept(
  context: Uses<"db" | "git" | "paths">,
  candidate: Candidate,
): Promise<string | null> {
  const { entry, attempt } = candidate;
  if ((await placeOf(context, entry)) !== "there") return "It is not the folder that was put there.";
  if (attempt.state !== "removed") return "Its attempt is not cancelled, or not cleaned up yet.";
  if (attempt.gitDir === null || !pointsAt(entry.path, attempt.gitDir))
    return "Its .git is not the file that git made for this worktree. A repository of its own may be in it.";
  if (candidate.newestMs > Date.parse(entry.deletedAt))
    return "Something was written in it after it was put into the trash.";
  return (await whyAlive(context, candidate)) ?? whyNotInSnapshot(context, candidate);
}

async function whyAlive(context: Uses<"db">, { entry, attempt }: Candidate): Promise<string | null> {
  const inside = (await findWorkingIn(entry.path)) ?? [];
  const marked: number[] = [];
  for (const run of await runsOfAttempt(context.db.reader, attempt.id))
    marked.push(...(await findMarked(runMarker(run.id))));
  const [pid] = [...inside, ...marked];
  return pid === undefined ? null : `A process (${pid}) still works in it or belongs to its attempt.`;
}

/** Reads back from git the snapshot that was taken before the move to the trash; it must lack nothing. */
async function whyNotInSnapshot(
  context: Uses<"db" | "git">,
  { entry, attempt, repository }: Candidate,
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
