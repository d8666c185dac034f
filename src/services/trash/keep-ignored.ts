/** Keeps the ignored files of a trashed worktree that may matter, outside of git, before the rest is deleted. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Result } from "neverthrow";
import { listBesideTree } from "../../git/index/ignored-files.ts";
import type { GitError } from "../../git/process/git-error.ts";
import { folderSize } from "../../utils/files/folder-size.ts";
import { isThere, lstatOrNull } from "../../utils/files/is-there.ts";
import { moveEntry } from "../../utils/files/move-entries.ts";
import { openFolder } from "../../utils/files/remove-tree.ts";
import type { Uses } from "../core/context-parts.ts";
import type { TrashedAttempt } from "./trash-entries.ts";

/** In bytes and in files. As much as a person or an agent writes, less than a package manager or compiler makes. */
const FILE_BYTES = 10 * 1024 ** 2;
const FOLDER = { bytes: 5 * 1024 ** 2, files: 200 };
const ALL = { bytes: 50 * 1024 ** 2, places: 500 };

/** Relative to the worktree; a folder ends with a slash. */
interface IgnoredFiles {
  readonly kept: readonly string[];
  /** Too much to keep: these are deleted. */
  readonly left: readonly string[];
}

/** The files of an entry that are in no snapshot, the smallest first, as many as there is room for. */
export async function ignoredOf(
  context: Uses<"git">,
  { entry, repository }: Omit<TrashedAttempt, "attempt">,
): Promise<Result<IgnoredFiles, GitError>> {
  const target = { gitDir: repository.commonDir, workTree: entry.path };
  const beside = await listBesideTree(context.git, target, `${entry.snapshot}^{tree}`);
  if (beside.isErr()) return beside.map(() => ({ kept: [], left: [] }));
  const sized = await Promise.all(
    beside.value.map(async (path) => ({ path, bytes: await sizeOf(entry.path, path) })),
  );
  const kept: string[] = [];
  let room = ALL.bytes;
  for (const { path, bytes } of sized.toSorted((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0))) {
    if (bytes === null || bytes > room || kept.length === ALL.places) continue;
    kept.push(path);
    room -= bytes;
  }
  const taken = new Set(kept);
  return beside.map((paths) => ({ kept, left: paths.filter((path) => !taken.has(path)) }));
}

/** Null if it is too much to keep. */
async function sizeOf(worktree: string, path: string): Promise<number | null> {
  if (path.endsWith("/")) {
    const size = await folderSize(join(worktree, path), { left: FOLDER.files });
    return size === null || size.bytes > FOLDER.bytes ? null : size.bytes;
  }
  const bytes = (await lstatOrNull(join(worktree, path)))?.size ?? 0;
  return bytes > FILE_BYTES ? null : bytes;
}

/**
 * Moves them, each by one rename; files that an earlier try moved are there already. May change the permissions of the
 * folders that they leave.
 */
export async function moveIgnored(
  paths: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  for (const path of paths.map((each) => each.replace(/\/$/, ""))) {
    const place = join(to, path);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    if (!(await isThere(join(from, path)))) continue;
    // Nothing can be moved out of a folder without write permission.
    await openFolder(dirname(join(from, path)));
    await moveEntry(join(from, path), place);
  }
}
