/** Restores the files that connect a worktree and its repository, which only the agents' own git reads. */
import { lstat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { err, ok } from "neverthrow";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { commonDirOf, readGitFile } from "../process/locate-git-dir.ts";
import { commonDirByPlace, findRedirected, type Redirected } from "../settings/redirected.ts";
import { pointsBack } from "./worktree-add.ts";

/** The files that were wrong or gone, now as git makes them; or a link in place of one. */
export async function mendPointers(worktree: {
  readonly gitDir: string;
  readonly workTree: string;
}): GitAnswer<readonly string[], Redirected> {
  const link = findRedirected(worktree);
  if (link !== null) return err(link);
  const mended: string[] = [];
  for (const { path, text, isRight } of pointersOf(worktree)) {
    const stats = await lstat(path).catch(() => null);
    if (stats?.isFile() && (await isRight())) continue;
    // A separate repository of the agent lies there; we read nothing of it.
    if (stats?.isDirectory()) continue;
    await writeFileAtomic(path, text, { mode: 0o644 });
    mended.push(path);
  }
  return ok(mended);
}

/** Whether the worktree of a registration exists. */
export async function leadsSomewhere(gitDir: string): Promise<boolean> {
  const named = (readPlainFile(join(gitDir, "gitdir"), MAX_BYTES) ?? "").trim();
  return basename(named) === ".git" && isThere(resolve(gitDir, named));
}

/** Longer than any path that a system allows. */
const MAX_BYTES = 64 * 1024;

function pointersOf({ gitDir, workTree }: { readonly gitDir: string; readonly workTree: string }) {
  const common = commonDirByPlace(gitDir);
  return [
    {
      path: join(gitDir, "commondir"),
      text: "../..\n",
      isRight: async () => (await commonDirOf(gitDir)) === common,
    },
    { path: join(gitDir, "gitdir"), text: `${workTree}/.git\n`, isRight: () => pointsBack(gitDir, workTree) },
    {
      path: join(workTree, ".git"),
      text: `gitdir: ${gitDir}\n`,
      isRight: async () => (await readGitFile(workTree)) === gitDir,
    },
  ];
}
