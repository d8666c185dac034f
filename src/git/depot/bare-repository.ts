/** Makes the bare repositories of a depot, and deletes what is not needed in them any more. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git } from "../runner/run-git.ts";

/** Makes the repository `name` below `root` if it is not there. Several may do so at once. A `root` that is gone is not made: it may be a disk that is not mounted. */
export async function ensureBare(git: Git, root: string, name: string): GitAnswer<void> {
  const path = join(root, name);
  if (existsSync(join(path, "HEAD"))) return ok(undefined);
  const args = ["init", "--bare", "--quiet", "--template=", "--initial-branch=main", path];
  return (await git.discover(root, args)).map(() => undefined);
}
