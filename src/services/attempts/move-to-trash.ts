/** Moves a worktree into the trash, also to another file system, and finishes a move that was cut off. */
import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Operation } from "../../domain/operation.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { copyProven, isCrossDeviceError, proveSame } from "../../utils/files/copy-proven.ts";
import { isGone, isThere } from "../../utils/files/is-there.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { JournalContext, Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import { backUpModules } from "../worktrees/keep-modules.ts";

/** The suffix of a worktree that was copied into the trash and is about to be deleted. */
const MOVED = ".moved";

/**
 * The reference of a snapshot, or the reason why there is none. Without a snapshot the entry is never deleted from the
 * trash.
 */
export type SnapshotOrWhy = { readonly ref: string } | { readonly none: string };

/** Writes the new place down before the move: a restore and the next engine look there. */
export async function moveToTrash(
  context: JournalContext & Uses<"paths">,
  attempt: Attempt,
  snapshot: SnapshotOrWhy,
): Promise<Result<string, { readonly message: string }>> {
  await mkdir(context.paths.trash, { recursive: true, mode: 0o700 });
  const first = join(context.paths.trash, attempt.id);
  const trash = (await isThere(first)) ? `${first}-${context.newId().slice(0, 8)}` : first;
  const { worktree: path } = attempt;
  const aside = `${path}${MOVED}`;
  const kept =
    "ref" in snapshot ? { snapshot: snapshot.ref } : { snapshot: null, no_snapshot: snapshot.none };
  return journaled(
    context,
    {
      kind: "trash",
      subject: { type: "attempt", id: attempt.id },
      before: { path, trash, aside, ...kept },
      undoable: true,
    },
    async () => {
      await backUpModules(context, attempt);
      await rename(path, trash).catch(async (error) => {
        if (!isCrossDeviceError(error)) throw error;
        await moveAcross(context, { path, trash, aside });
      });
      return ok(trash);
    },
    () => ({ path: trash }),
  );
}

interface Places {
  readonly path: string;
  readonly trash: string;
  readonly aside: string;
}

/** Once the copy is proved, one rename takes the worktree from its place. After that only the copy counts. */
async function moveAcross(
  context: Uses<"failpoint" | "reportFault">,
  { path, trash, aside }: Places,
): Promise<void> {
  await copyProven(path, trash);
  context.failpoint("trash:copied");
  try {
    await rename(path, aside);
  } catch (error) {
    await removeTree(trash);
    throw error;
  }
  context.failpoint("trash:aside");
  await removeTree(aside).catch((error) => context.reportFault(`deleting ${aside}`, error));
}

/** Finishes such a move after a kill: deletes an unproved copy, or the original of a proved copy. */
export async function finishMove({ before }: Operation): Promise<void> {
  const { path, trash, aside } = before ?? {};
  if (typeof path !== "string" || typeof trash !== "string" || typeof aside !== "string") return;
  await removeTree(`${trash}.part`);
  if (!(await isThere(trash))) return;
  if (!(await isThere(aside))) {
    if (!(await isThere(path)) || !(await isSame(path, trash))) return;
    await rename(path, aside);
  }
  await removeTree(aside);
}

/**
 * Deletes worktrees that could not be deleted right after they were copied into the trash. The journal says that they
 * are there.
 */
export async function deleteMoved(context: Uses<"db" | "owner" | "paths">): Promise<void> {
  const names = await readdir(context.paths.worktrees).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  const moved = new Set(
    names.filter((name) => name.endsWith(MOVED)).map((name) => join(context.paths.worktrees, name)),
  );
  if (moved.size === 0) return;
  const own = await operationsOfKinds(context.db.reader, ["trash"], null, ownWorker(context));
  for (const { status, before } of own) {
    const aside = before?.aside;
    if (status === "done" && typeof aside === "string" && moved.has(aside)) await removeTree(aside);
  }
}

async function isSame(path: string, copy: string): Promise<boolean> {
  try {
    await proveSame(path, copy);
    return true;
  } catch {
    return false;
  }
}
