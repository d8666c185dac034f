/** Deletes a worktree in the trash for good, and the snapshots that are not needed without it. */
import { rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Snapshot } from "../../domain/attempt/snapshot.ts";
import type { Operation } from "../../domain/operation.ts";
import { deleteRef } from "../../git/refs/refs.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { dropSnapshots, snapshotsOfAttempt } from "../../storage/tables/snapshots.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { GitContext, JournalContext, Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { ignoredOf, moveIgnored } from "./keep-ignored.ts";
import { placeOf, type TrashedAttempt } from "./trash-entries.ts";

/** The prefix of a folder in the trash that is being deleted. */
const ASIDE = "purge-";

/**
 * For an entry that is proven to be ours, not in use and in a snapshot. If it is interrupted, the next engine goes on.
 */
export async function purgeEntry(
  context: GitContext & Uses<"paths">,
  candidate: TrashedAttempt,
): Promise<Result<void, { readonly message: string }>> {
  const { entry, attempt } = candidate;
  // One rename puts it aside first: half an entry could not be restored.
  const aside = join(context.paths.trash, `${ASIDE}${context.newId()}`);
  const ignored = await ignoredOf(context, candidate);
  if (ignored.isErr()) return err(ignored.error);
  const { kept, left } = ignored.value;
  const keptIn = kept.length === 0 ? null : join(context.paths.ignored, entry.id);
  const purged = await journaled(
    context,
    {
      kind: "trash_purge",
      subject: { type: "attempt", id: attempt.id },
      before: {
        entry: entry.id,
        path: entry.path,
        aside,
        snapshot: entry.snapshot,
        ignored: { kept_in: keptIn, kept, left: left.slice(0, MAX_NAMED) },
      },
    },
    async () => {
      await rename(entry.path, aside);
      context.failpoint("purge:aside");
      await keepIgnored(aside, { kept, keptIn }).catch(async (error) => {
        await rename(aside, entry.path);
        throw error;
      });
      await removeTree(aside).catch((error: Error) => {
        throw new Error(halfWay(error, aside));
      });
      return dropOlder(context, candidate);
    },
    (dropped) => ({ dropped: dropped.map(({ ref }) => ref) }),
    (trx, dropped) =>
      dropSnapshots(trx, {
        attemptId: attempt.id,
        numbers: dropped.map(({ number }) => number),
        at: context.clock.iso(),
      }),
  ).catch((error: Error) => err(error));
  return purged.map(() => undefined);
}

/** If that fails, what was moved goes back as far as it can. */
async function keepIgnored(
  aside: string,
  { kept, keptIn }: { readonly kept: readonly string[]; readonly keptIn: string | null },
): Promise<void> {
  if (keptIn === null) return;
  try {
    await moveIgnored(kept, { from: aside, to: keptIn });
  } catch (error) {
    await moveIgnored(kept, { from: keptIn, to: aside }).catch(() => undefined);
    throw error;
  }
}

/** Some of it is gone by then: it does not go back to its place, where it would look like all of it. */
function halfWay({ message }: Error, aside: string): string {
  return `${message}. What is left lies in ${aside}, and cannot be restored; \`tazuna trash empty --yes\` tries again.`;
}

/** The most ignored files to name in the journal when they are deleted. */
const MAX_NAMED = 100;

const ignoredSchema = z.object({ kept_in: z.string(), kept: z.array(z.string()) });

/**
 * Finishes a purge that a crash interrupted after it was decided. Works in this data folder only, even if the journal
 * names another one. The data folder may have been moved or copied, with another folder at its old place.
 */
export async function finishPurge(context: Uses<"paths">, { before }: Operation): Promise<void> {
  const name = typeof before?.aside === "string" ? basename(before.aside) : "";
  const aside = join(context.paths.trash, name);
  if (!name.startsWith(ASIDE) || (await placeOf(context, { path: aside })) !== "there") return;
  const ignored = ignoredSchema.safeParse(before?.ignored);
  if (ignored.success) {
    const keptIn = join(context.paths.ignored, basename(ignored.data.kept_in));
    await moveIgnored(ignored.data.kept, { from: aside, to: keptIn });
  }
  await removeTree(aside);
}

/** Deletes what an earlier try left of an entry. */
export async function purgeRest(
  context: JournalContext & Uses<"paths">,
  failed: Operation,
): Promise<Result<void, { readonly message: string }>> {
  const { subject, before } = failed;
  const finish = async () => {
    await finishPurge(context, failed);
    return ok(undefined);
  };
  return journaled(context, { kind: "trash_purge", subject, before }, finish, () => null).catch(
    (error: Error) => err(error),
  );
}

/** By entry: the tries that deleted it only in part, the newest of each. */
export async function purgedInPart(
  context: Uses<"db" | "owner" | "paths">,
): Promise<ReadonlyMap<string, { readonly operation: Operation; readonly aside: string }>> {
  const found = new Map<string, { readonly operation: Operation; readonly aside: string }>();
  const own = await operationsOfKinds(context.db.reader, ["trash_purge"], null, ownWorker(context));
  for (const operation of own) {
    const { entry, aside } = operation.before ?? {};
    if (typeof entry !== "string" || typeof aside !== "string") continue;
    found.delete(entry);
    if (operation.status !== "failed" || (await placeOf(context, { path: aside })) !== "there") continue;
    found.set(entry, { operation, aside });
  }
  return found;
}

/** Keeps the attempt's last snapshot and the one that holds what was deleted. */
async function dropOlder(
  context: Uses<"db" | "git">,
  { entry, attempt, repository }: TrashedAttempt,
): Promise<Result<readonly Snapshot[], { readonly message: string }>> {
  const all = await snapshotsOfAttempt(context.db.reader, attempt.id);
  const last = all.at(-1)?.ref;
  const dropped: Snapshot[] = [];
  for (const snapshot of all) {
    const { ref, commit, droppedAt } = snapshot;
    if (droppedAt !== null || ref === last || ref === entry.snapshot) continue;
    const deleted = await deleteRef(context.git, repositoryTarget(repository), { ref, from: commit });
    if (deleted.isErr()) return err(deleted.error);
    dropped.push(snapshot);
  }
  return ok(dropped);
}
