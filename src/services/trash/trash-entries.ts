/** Finds what lies in the trash: by the journal, which says what was put where, and by the folder itself. */
import { lstat, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Operation } from "../../domain/operation.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import type { ServiceContext } from "../context.ts";

/** A worktree that was put into the trash. */
export interface TrashedWorktree {
  /** Id of the operation that put it there. */
  readonly id: string;
  readonly attemptId: string;
  /** Where it lies. */
  readonly path: string;
  /** Where it was, and goes back to. */
  readonly worktree: string;
  /** `refs/tazuna/snapshots/ATTEMPT/N`, taken just before; null where there was nothing to take one of. */
  readonly snapshot: string | null;
  readonly deletedAt: string;
}

/** What is at a trashed worktree's place; `replaced` is anything that Tazuna did not put there. */
export type TrashPlace = "there" | "gone" | "replaced";

/** Everything that was ever put into the trash, oldest first, whether it is still there or not. */
export async function trashedWorktrees(
  context: ServiceContext,
  attemptId: string | null = null,
): Promise<readonly TrashedWorktree[]> {
  const operations = await operationsOfKinds(context.db.reader, ["trash"], attemptId);
  return operations.flatMap((operation) => {
    const entry = entryOf(operation);
    return entry === null ? [] : [entry];
  });
}

/** What lies in the trash now, the newest first. A place that was used twice belongs to who used it last. */
export async function entriesInTrash(context: ServiceContext): Promise<readonly TrashedWorktree[]> {
  const all = await trashedWorktrees(context);
  const latest = [...new Map(all.map((entry) => [entry.path, entry])).values()];
  const there: TrashedWorktree[] = [];
  for (const entry of latest) if ((await placeOf(context, entry)) !== "gone") there.push(entry);
  return there.sort((a, b) => b.deletedAt.localeCompare(a.deletedAt));
}

/** A real folder, directly in the trash folder: a link that was planted there, or on the way, leads nowhere. */
export async function placeOf(
  context: ServiceContext,
  { path }: Pick<TrashedWorktree, "path">,
): Promise<TrashPlace> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return "gone";
  if (!found.isDirectory()) return "replaced";
  const trash = await realpath(context.paths.trash);
  return (await realpath(path)) === join(trash, basename(path)) ? "there" : "replaced";
}

function entryOf({ id, subject, before, after, status, endedAt, at }: Operation): TrashedWorktree | null {
  const path = after?.path;
  const worktree = before?.path;
  if (status !== "done" || typeof path !== "string" || typeof worktree !== "string") return null;
  const snapshot = typeof before?.snapshot === "string" ? before.snapshot : null;
  return { id, attemptId: subject.id, path, worktree, snapshot, deletedAt: endedAt ?? at };
}
