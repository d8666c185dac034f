/** Deletes what lies in the trash, as far as it is proven that nothing is lost by it. */
import { ok, type Result } from "neverthrow";
import { getAttempt } from "../../storage/attempts.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getTask } from "../../storage/tasks.ts";
import { folderSize } from "../../utils/folder-size.ts";
import { heldToLimitOf } from "../configuration/git-limit.ts";
import type { ServiceContext } from "../context.ts";
import type { EmptiedTrash, Refusal } from "../services.ts";
import { purgeEntry } from "./purge-entry.ts";
import { entriesInTrash, type TrashedWorktree } from "./trash-entries.ts";
import { whyKept } from "./why-kept.ts";

interface Wish {
  /** Whether anything is deleted; else it is only said what would be. */
  readonly yes: boolean;
  /** Only these entries; null for all. */
  readonly only: ReadonlySet<string> | null;
}

/** One after the other; an entry that cannot be deleted is kept, with the reason. */
export async function emptyTrash(
  context: ServiceContext,
  wish: Wish,
): Promise<Result<EmptiedTrash, Refusal>> {
  const removed: { id: string; bytes: number }[] = [];
  const kept: { id: string; reason: string }[] = [];
  for (const entry of await entriesInTrash(context)) {
    const { id } = entry;
    if (wish.only !== null && !wish.only.has(id)) continue;
    const judged = await context.attemptLock.run(entry.attemptId, () => emptyOne(context, entry, wish));
    if (typeof judged === "string") kept.push({ id, reason: judged });
    else removed.push({ id, bytes: judged.bytes });
  }
  return ok({ removed, kept });
}

/** The reason why it stays, or how much went with it. */
async function emptyOne(
  engine: ServiceContext,
  entry: TrashedWorktree,
  { yes }: Wish,
): Promise<string | { readonly bytes: number }> {
  const { reader } = engine.db;
  const attempt = await getAttempt(reader, entry.attemptId);
  const task = attempt && (await getTask(reader, attempt.taskId));
  const repository = task && (await getRepository(reader, task.repositoryId));
  if (!attempt || !task || !repository) return "Nothing is known of its attempt any more.";
  const context = await heldToLimitOf(engine, { repository, settings: task.settings });
  const size = await folderSize(entry.path, { left: Number.POSITIVE_INFINITY });
  const { bytes = 0, newestMs = 0 } = size ?? {};
  const reason = await whyKept(context, { entry, attempt, repository, newestMs });
  if (reason !== null) return reason;
  if (!yes) return { bytes };
  const purged = await purgeEntry(context, { entry, attempt, repository });
  return purged.isErr() ? `It could not be deleted: ${purged.error.message}` : { bytes };
}
