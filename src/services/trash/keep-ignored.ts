/** Keeps the ignored files of a trashed worktree that may matter, beside the trash and outside of git, before the rest is deleted. */
import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { listBesideTree } from "../../git/beside-tree.ts";
import type { GitError } from "../../git/git-error.ts";
import { folderSize } from "../../utils/folder-size.ts";
import { moveEntry } from "../../utils/move-entries.ts";
import { openFolder } from "../../utils/open-folder.ts";
import type { ServiceContext } from "../context.ts";
import type { TrashedWorktree } from "./trash-entries.ts";

/** In bytes and in files: what a person or an agent wrote, not what a package manager or a compiler did. */
const FILE_BYTES = 10 * 1024 ** 2;
const FOLDER = { bytes: 5 * 1024 ** 2, files: 200 };
const ALL = { bytes: 50 * 1024 ** 2, places: 500 };

/** Relative to the worktree; a folder ends with a slash. */
export interface IgnoredFiles {
  readonly kept: readonly string[];
  /** Too much: they go. */
  readonly left: readonly string[];
}

/** What of an entry is in no snapshot, the smallest first, as far as there is room for it. */
export async function ignoredOf(
  context: ServiceContext,
  of: { readonly entry: TrashedWorktree; readonly repository: Repository },
): Promise<Result<IgnoredFiles, GitError>> {
  const { entry, repository } = of;
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

/** Null where it is too much to be kept. */
async function sizeOf(worktree: string, path: string): Promise<number | null> {
  if (path.endsWith("/")) {
    const size = await folderSize(join(worktree, path), { left: FOLDER.files });
    return size === null || size.bytes > FOLDER.bytes ? null : size.bytes;
  }
  const bytes = (await lstat(join(worktree, path)).catch(() => null))?.size ?? 0;
  return bytes > FILE_BYTES ? null : bytes;
}

/** Moves them, each by one rename; what was moved before is there already. The folders that they leave may be changed for it. */
export async function moveIgnored(
  paths: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  for (const path of paths.map((each) => each.replace(/\/$/, ""))) {
    const place = join(to, path);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    if ((await lstat(join(from, path)).catch(() => null)) === null) continue;
    // Nothing leaves a folder that may not be written.
    await openFolder(dirname(join(from, path)));
    await moveEntry(join(from, path), place);
  }
}
