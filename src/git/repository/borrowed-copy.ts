/** Makes a repository of its own with the files of one commit; it borrows the objects of another repository. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git } from "../runner/run-git.ts";

/**
 * HEAD is detached at the commit. Nothing is registered in the other repository, so that deleting the folder is all
 * that there is to tidy up. Submodules stay empty.
 */
export async function borrowedCopy(
  git: Git,
  {
    commonDir,
    sha,
    path,
    timeoutMs,
  }: {
    /** The other repository's own directory. */
    readonly commonDir: string;
    readonly sha: string;
    /** Absolute; it is made. */
    readonly path: string;
    readonly timeoutMs: number;
  },
): GitAnswer<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const format = sha.length === SHA256_LENGTH ? "sha256" : "sha1";
  const made = await git.discover(path, ["init", "--quiet", `--object-format=${format}`, "--template="]);
  if (made.isErr()) return err(made.error);
  const info = join(path, ".git", "objects", "info");
  await mkdir(info, { recursive: true });
  await writeFile(join(info, "alternates"), `${join(commonDir, "objects")}\n`);
  const out = await git.discover(path, ["checkout", "--quiet", "--detach", sha, "--"], { timeoutMs });
  return out.map(() => undefined);
}

const SHA256_LENGTH = 64;
