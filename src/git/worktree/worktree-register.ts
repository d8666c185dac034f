/** Restores the deleted registration of a worktree whose files still exist, under the repository's lock. */
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { err, ok } from "neverthrow";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { resetMixed } from "../index/whole-index.ts";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import type { Git } from "../runner/run-git.ts";
import { commonDirByPlace, type Redirected } from "../settings/redirected.ts";
import { mendPointers } from "./worktree-pointers.ts";

interface Registration {
  /** Its former place: `COMMON/worktrees/NAME`. */
  readonly gitDir: string;
  readonly workTree: string;
  /** The branch of the worktree; it exists and is not checked out in another worktree. */
  readonly branch: string;
}

/**
 * Makes the three files that `git worktree add` makes, and the index of the branch's commit; every file stays as it
 * is. Returns false and does nothing if git keeps more there than can be restored (sparse patterns, tables of
 * references). The same if something exists at that place.
 */
export async function registerAgain(
  git: Git,
  { gitDir, workTree, branch }: Registration,
): GitAnswer<boolean, GitError | (Redirected & { readonly kind: "redirected" })> {
  const commonDir = dirname(dirname(gitDir));
  if (!(await isPlainRepository(commonDir)) || (await isThere(gitDir))) return ok(false);
  const draft = join(dirname(gitDir), `.${basename(gitDir)}.new`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const files = { HEAD: `ref: refs/heads/${branch}\n`, commondir: "../..\n", gitdir: `${workTree}/.git\n` };
  for (const [name, text] of Object.entries(files))
    await writeFileAtomic(join(draft, name), text, { mode: 0o644 });
  await rename(draft, gitDir);
  if (commonDirByPlace(gitDir) !== commonDir) return ok(false);
  const mended = await mendPointers({ gitDir, workTree });
  if (mended.isErr()) return err({ kind: "redirected", ...mended.error });
  return (await resetMixed(git, { gitDir, workTree })).map(() => true);
}

async function isPlainRepository(commonDir: string): Promise<boolean> {
  if (!(await isThere(join(commonDir, "objects")))) return false;
  const more = ["reftable", join("info", "sparse-checkout")];
  const found = await Promise.all(more.map((name) => isThere(join(commonDir, name))));
  return !found.includes(true);
}
