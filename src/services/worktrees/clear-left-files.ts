/** Takes files that are still as a check left them out of a merge's way; nobody else's file is touched. */
import { stillLeft } from "../../domain/publish/left-files.ts";
import { putBack } from "../../git/put-back.ts";
import { listUnstagedFiles } from "../../git/unstaged-files.ts";
import { leftByChecksOf } from "../../storage/checks.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import type { RunWorld } from "../runs/step.ts";
import { worktreeTarget } from "./targets.ts";

/**
 * True where all of `paths` were such files and are now as HEAD has them. The snapshot that is taken before every
 * merge (`readyToMerge`) holds them.
 */
export async function clearLeftFiles(
  context: ServiceContext,
  world: RunWorld,
  paths: readonly string[],
): Promise<boolean> {
  const target = worktreeTarget(world.attempt);
  const files = await listUnstagedFiles(context.git, target, { tree: "HEAD" });
  if (files.isErr()) return false;
  const left = stillLeft(files.value, await leftByChecksOf(context.db.reader, world.attempt.id));
  if (paths.length === 0 || !paths.every((path) => left.has(path))) return false;
  const cleared = await journaled(
    context,
    { kind: "left_files_cleared", subject: { type: "run", id: world.run.id }, before: { paths } },
    () => putBack(context.git, target, paths),
    () => ({ paths }),
  );
  return cleared.isOk();
}
