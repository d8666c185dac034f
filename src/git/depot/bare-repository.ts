/** Makes the bare repositories of a depot, and deletes what is not needed in them any more. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git } from "../runner/run-git.ts";

/**
 * Makes the repository `name` below `root` if it is not there. Several may do so at once. A `root` that is gone is not
 * made: its disk may not be mounted.
 */
export async function ensureBare(git: Git, root: string, name: string): GitAnswer<void> {
  const path = join(root, name);
  if (existsSync(join(path, "HEAD"))) return ok(undefined);
  const args = ["init", "--bare", "--quiet", "--template=", "--initial-branch=main", path];
  return (await git.discover(root, args)).map(() => undefined);
}

/** Git's own limits: more than so many loose objects, or packs. What nothing leads to stays for two weeks. */
const LIMITS = { "gc.auto": "6700", "gc.autoPackLimit": "50", "gc.autoDetach": "false" };

/** Packs what many small pushes left, if git says that it is much. */
export async function collectBare(git: Git, gitDir: string): GitAnswer<void> {
  const target = { gitDir, workTree: null };
  const packed = await git.run(target, ["pack-refs", "--all"], { lockRetries: 6 });
  if (packed.isErr()) return err(packed.error);
  const collected = await git.run(target, ["gc", "--auto", "--quiet"], {
    config: { ...LIMITS, "safe.directory": gitDir },
    timeoutMs: GC_MS,
  });
  return collected.map(() => undefined);
}

const GC_MS = 60 * 60_000;
