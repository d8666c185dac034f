/** Registers a worktree again whose registration was deleted while its files are there. Under the repository's lock. */
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { writeFileAtomic } from "../utils/atomic-write.ts";
import { isThere } from "../utils/is-there.ts";
import type { GitError } from "./git-error.ts";
import { commonDirByPlace, type Redirected } from "./redirected.ts";
import { resetMixed } from "./reset-mixed.ts";
import type { Git } from "./run-git.ts";
import { mendPointers } from "./worktree-pointers.ts";

interface Registration {
  /** Where it was: `COMMON/worktrees/NAME`. */
  readonly gitDir: string;
  readonly workTree: string;
  /** The branch that the worktree was on; it exists and no other worktree has it checked out. */
  readonly branch: string;
}

/**
 * Makes the three files that `git worktree add` makes, and the index of the branch's commit; every file stays as it is.
 * False, with nothing done, where git keeps more there than can be made again (sparse patterns, tables of references),
 * or where something lies there.
 */
export async function registerAgain(
  git: Git,
  { gitDir, workTree, branch }: Registration,
): Promise<Result<boolean, GitError | (Redirected & { readonly kind: "redirected" })>> {
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
