/** Finds and lists what lies in the trash, from the journal and from the folder itself. */
import { realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import type { TrashEntry } from "../../domain/trash/tidied.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { folderSize } from "../../utils/files/folder-size.ts";
import { isGone, lstatOrNull } from "../../utils/files/is-there.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { ambiguousPrefix, type Refusal, refused } from "../core/refusal.ts";

/** A worktree that was put into the trash. */
export interface TrashedWorktree {
  /** Id of the operation that put it there. */
  readonly id: string;
  readonly attemptId: string;
  /** Its place in the trash. */
  readonly path: string;
  /** Its place before, to which it goes back. */
  readonly worktree: string;
  /** `refs/tazuna/snapshots/ATTEMPT/N`, taken just before; null if there was nothing to take one of. */
  readonly snapshot: string | null;
  readonly deletedAt: string;
}

/** An attempt with its entry in the trash. */
export interface TrashedAttempt extends AttemptInRepository {
  readonly entry: TrashedWorktree;
}

/** What is at a trashed worktree's place; `replaced` is anything that Tazuna did not put there. */
export type TrashPlace = "there" | "gone" | "replaced";

/** Every worktree that was ever put into the trash, by one worker or by all; some are gone from there. */
export async function trashedWorktrees(
  context: Uses<"db">,
  attemptId: string | null = null,
  worker: string | null = null,
): Promise<readonly TrashedWorktree[]> {
  const operations = await operationsOfKinds(context.db.reader, ["trash"], attemptId, worker);
  return operations.flatMap((operation) => {
    const entry = entryOf(operation);
    return entry === null ? [] : [entry];
  });
}

/** What lies in this data folder's trash now, the newest first. A place that was used twice belongs to its latest entry. */
export async function entriesInTrash(
  context: Uses<"db" | "owner" | "paths">,
): Promise<readonly TrashedWorktree[]> {
  const all = await trashedWorktrees(context, null, ownWorker(context));
  const latest = [...new Map(all.map((entry) => [entry.path, entry])).values()];
  const trashed: TrashedWorktree[] = [];
  for (const entry of latest) if ((await placeOf(context, entry)) !== "gone") trashed.push(entry);
  return trashed.sort((a, b) => b.deletedAt.localeCompare(a.deletedAt));
}

/** Counts only a real folder, directly in the trash folder. A planted link, there or on the way, is not followed. */
export async function placeOf(
  context: Uses<"paths">,
  { path }: Pick<TrashedWorktree, "path">,
): Promise<TrashPlace> {
  const found = await lstatOrNull(path);
  if (found === null) return "gone";
  if (!found.isDirectory()) return "replaced";
  const trash = await realpath(context.paths.trash);
  // It may be restored between the two looks.
  const real = await realpath(path).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  if (real === null) return "gone";
  return real === join(trash, basename(path)) ? "there" : "replaced";
}

function entryOf({ id, subject, before, after, status, endedAt, at }: Operation): TrashedWorktree | null {
  const path = after?.path;
  const worktree = before?.path;
  if (status !== "done" || typeof path !== "string" || typeof worktree !== "string") return null;
  const snapshot = typeof before?.snapshot === "string" ? before.snapshot : null;
  return { id, attemptId: subject.id, path, worktree, snapshot, deletedAt: endedAt ?? at };
}

/** The one entry that a person means, by a prefix of its id or of its attempt's. An attempt means its latest entry. */
export async function findTrashed(
  context: Uses<"db">,
  prefix: string,
): Promise<Result<TrashedWorktree, Refusal>> {
  const all = await trashedWorktrees(context);
  const whole = all.filter(({ id }) => id === prefix);
  const meant =
    whole.length > 0
      ? whole
      : all.filter((each) => each.id.startsWith(prefix) || each.attemptId.startsWith(prefix));
  const [first, ...others] = latestOfEach(meant);
  if (first === undefined || prefix === "")
    return refused("not_found", "not_found", `Nothing in the trash has the id "${prefix}".`, {
      remedy: "`tazuna trash list` shows the ids; any unique prefix will do, and that of an attempt too.",
      details: { id: prefix },
    });
  if (others.length === 0) return ok(first);
  return err(
    ambiguousPrefix(prefix, {
      command: "tazuna trash list",
      id: first.id,
      candidates: [first, ...others].slice(0, 10).map(({ id, attemptId }) => ({ id, attempt: attemptId })),
    }),
  );
}

function latestOfEach(entries: readonly TrashedWorktree[]): readonly TrashedWorktree[] {
  return [...new Map(entries.map((entry) => [entry.attemptId, entry])).values()];
}

/** The most files to look at for one list: enough for a few large worktrees, a few seconds at most. */
const MAX_FILES = 400_000;

/** What lies in the trash and how much room it takes, the newest first. */
export async function listTrash(
  context: Uses<"db" | "owner" | "paths" | "timing">,
): Promise<Result<readonly TrashEntry[], Refusal>> {
  const budget = { left: MAX_FILES };
  const listed: TrashEntry[] = [];
  for (const entry of await entriesInTrash(context)) {
    const { id, attemptId, path, snapshot, deletedAt } = entry;
    const real = (await placeOf(context, entry)) === "there";
    const size = real ? await folderSize(path, budget) : null;
    const purgeAt = new Date(Date.parse(deletedAt) + context.timing.trashKeepMs).toISOString();
    const times = { deletedAt, purgeAt, snapshotStays: snapshot !== null };
    listed.push({ id, attemptId, path, snapshot, bytes: size?.bytes ?? null, ...times });
  }
  return ok(listed);
}
