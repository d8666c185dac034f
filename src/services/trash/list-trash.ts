/** Lists what lies in the trash, with how much room it takes. */
import { ok, type Result } from "neverthrow";
import { folderSize } from "../../utils/folder-size.ts";
import type { ServiceContext } from "../context.ts";
import type { Refusal, TrashEntry } from "../services.ts";
import { entriesInTrash, placeOf } from "./trash-entries.ts";

/** Files that are looked at for one list: enough for a few large worktrees, a few seconds at most. */
const MOST_FILES = 400_000;

/** The newest first. */
export async function listTrash(context: ServiceContext): Promise<Result<readonly TrashEntry[], Refusal>> {
  const budget = { left: MOST_FILES };
  const listed: TrashEntry[] = [];
  for (const entry of await entriesInTrash(context)) {
    const { id, attemptId, path, snapshot, deletedAt } = entry;
    const real = (await placeOf(context, entry)) === "there";
    const size = real ? await folderSize(path, budget) : null;
    listed.push({ id, attemptId, path, snapshot, bytes: size?.bytes ?? null, deletedAt });
  }
  return ok(listed);
}
