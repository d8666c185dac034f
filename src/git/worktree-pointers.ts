/** Puts the files back by which a worktree and its repository find each other; nothing of ours reads them, agents' own git does. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { writeFileAtomic } from "../utils/atomic-write.ts";
import { commonDirOf, readGitFile } from "./locate-git-dir.ts";
import { commonDirByPlace, findRedirected, type Redirected } from "./redirected.ts";
import { pointsBack } from "./worktree-add.ts";

/** The files that were wrong or gone, now as git makes them; or a link in place of one. */
export async function mendPointers(of: {
  readonly gitDir: string;
  readonly workTree: string;
}): Promise<Result<readonly string[], Redirected>> {
  const link = findRedirected(of);
  if (link !== null) return err(link);
  const mended: string[] = [];
  for (const { path, text, isRight } of pointersOf(of)) {
    const stats = await lstat(path).catch(() => null);
    if (stats?.isFile() && (await isRight())) continue;
    // A repository of the agent's own lies there, with whatever it holds: nothing of ours reads it.
    if (stats?.isDirectory()) continue;
    await writeFileAtomic(path, text, { mode: 0o644 });
    mended.push(path);
  }
  return ok(mended);
}

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
