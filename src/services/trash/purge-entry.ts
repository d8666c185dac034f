/** Deletes a worktree in the trash for good, and the snapshots that are not needed without it. */
import { rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Snapshot } from "../../domain/attempt/snapshot.ts";
import type { Operation } from "../../domain/operation.ts";
import { deleteRef } from "../../git/refs/refs.ts";
import { dropSnapshots, snapshotsOfAttempt } from "../../storage/tables/snapshots.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
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
      await deleteAside(aside, { kept, keptIn }).catch(async (error) => {
        await rename(aside, entry.path);
        throw error;
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

/** Deletes all except what is kept of it. If that fails, what was kept goes back as far as it can. */
async function deleteAside(
  aside: string,
  { kept, keptIn }: { readonly kept: readonly string[]; readonly keptIn: string | null },
): Promise<void> {
  if (keptIn === null) return removeTree(aside);
  try {
    await moveIgnored(kept, { from: aside, to: keptIn });
    await removeTree(aside);
  } catch (error) {
    await moveIgnored(kept, { from: keptIn, to: aside }).catch(() => undefined);
    throw error;
  }
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
