/** Deletes what lies in the trash, if it is proven that nothing is lost. */

import { ok, type Result } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import type { EmptiedTrash } from "../../domain/trash/tidied.ts";
import { folderSize } from "../../utils/files/folder-size.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import type { Refusal } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { purgedInPart, purgeEntry, purgeRest } from "./purge-entry.ts";
import { entriesInTrash, placeOf, type TrashedWorktree } from "./trash-entries.ts";
import { whyKept } from "./why-kept.ts";

interface EmptyRequest {
  /** Whether to delete anything; else the answer only says what would be deleted. */
  readonly yes: boolean;
  /** Only these entries; null for all. */
  readonly only: ReadonlySet<string> | null;
}

/** Works through them one after the other. If an entry cannot be deleted, it is kept, with the reason. */
export async function emptyTrash(
  context: GitContext & Uses<"attemptLock" | "paths" | "configuration">,
  request: EmptyRequest,
): Promise<Result<EmptiedTrash, Refusal>> {
  const removed: { id: string; bytes: number }[] = [];
  const kept: { id: string; reason: string }[] = [];
  for (const entry of await entriesInTrash(context)) {
    const { id } = entry;
    if (request.only !== null && !request.only.has(id)) continue;
    const judged = await context.attemptLock.run(entry.attemptId, () => emptyOne(context, entry, request));
    if (judged === null) continue;
    if (typeof judged === "string") kept.push({ id, reason: judged });
    else removed.push({ id, bytes: judged.bytes });
  }
  if (request.only !== null) return ok({ removed, kept });
  for (const [id, rest] of await purgedInPart(context)) {
    const { id: attempt } = rest.operation.subject;
    const judged = await context.attemptLock.run(attempt, () => emptyRest(context, rest, request));
    if (typeof judged === "string") kept.push({ id, reason: judged });
    else removed.push({ id, bytes: judged.bytes });
  }
  return ok({ removed, kept });
}

/** What an earlier try left. It was proven then that nothing is lost by it. */
async function emptyRest(
  context: GitContext & Uses<"paths">,
  { operation, aside }: { readonly operation: Operation; readonly aside: string },
  { yes }: EmptyRequest,
): Promise<string | { readonly bytes: number }> {
  const { bytes = 0 } = (await folderSize(aside, { left: Number.POSITIVE_INFINITY })) ?? {};
  if (!yes) return { bytes };
  const purged = await purgeRest(context, operation);
  return purged.isErr() ? `The rest of it could not be deleted: ${purged.error.message}` : { bytes };
}

/** The reason why it stays, or the size of what was deleted; null if another request was faster. */
async function emptyOne(
  engine: GitContext & Uses<"paths" | "configuration">,
  entry: TrashedWorktree,
  { yes }: EmptyRequest,
): Promise<string | { readonly bytes: number } | null> {
  if ((await placeOf(engine, entry)) === "gone") return null;
  const place = await findPlace(engine.db.reader, entry.attemptId);
  if (place === null) return "Nothing is known of its attempt any more.";
  const trashed = { ...place, entry };
  const context = await loadRepositoryGit(engine, place);
  const size = await folderSize(entry.path, { left: Number.POSITIVE_INFINITY });
  const { bytes = 0, newestMs = 0 } = size ?? {};
  const reason = await whyKept(context, { ...trashed, newestMs });
  if (reason !== null) return reason;
  if (!yes) return { bytes };
  const purged = await purgeEntry(context, trashed);
  return purged.isErr() ? `It could not be deleted: ${purged.error.message}` : { bytes };
}
