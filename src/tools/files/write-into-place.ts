/** Puts a file into the workspace, whole or not at all, in exactly the folder that was judged. */
import { dirname } from "node:path";
import { err, type Result } from "neverthrow";
import { syncFolder } from "../../utils/files/atomic-write.ts";
import type { ToolRefusal } from "../core/result.ts";
import type { Place } from "./place.ts";
import { stageIntoPlace, type WriteOptions, type Written } from "./stage-into-place.ts";

/** An existing file keeps its permission bits. Missing folders are made, and removed again if the write fails. */
export async function writeIntoPlace(
  place: Place,
  data: string | Uint8Array,
  options: WriteOptions,
): Promise<Result<Written, ToolRefusal>> {
  const staged = await stageIntoPlace(place, data, options);
  if (staged.isErr()) return err(staged.error);
  const written = staged.value.put();
  staged.value.discard();
  if (written.isOk()) await syncFolders([dirname(place.path)]);
  return written;
}

/** Makes the folders' entries durable. The content is durable already, so a failure here loses nothing. */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  await Promise.allSettled([...new Set(folders)].map(syncFolder));
}
