/** Looks at what lies in a worktree beside the staged tree, and remembers what lay there before the first check began. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { LeftFile } from "../../domain/publish/left-files.ts";
import type { GitError } from "../../git/git-error.ts";
import { listUnstagedFiles } from "../../git/unstaged-files.ts";
import { writeFileAtomic } from "../../utils/atomic-write.ts";
import { readIfThere } from "../../utils/read-if-there.ts";
import type { ServiceContext } from "../context.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import type { RunWorld } from "./step.ts";

const FILE = "before-checks.json";

const state = z.object({ mode: z.string(), sha: z.string() }).nullable();
const remembered = z.object({
  tree: z.string(),
  files: z.array(z.object({ path: z.string(), was: state, now: state })),
});

/** What lies there after a check. Where git cannot tell, the engine's log says why, and nothing is known to lie there. */
export async function lyingNow(
  context: ServiceContext,
  world: RunWorld,
  tree: string,
): Promise<readonly LeftFile[]> {
  const files = await listUnstagedFiles(context.git, worktreeTarget(world.attempt), { tree });
  if (files.isOk()) return files.value;
  context.reportFault(`looking at what checks left in run ${world.run.id}`, new Error(files.error.message));
  return [];
}

/**
 * What lay there before the first check on this tree. Stored before that check begins: what an engine that is killed
 * meanwhile leaves of a check is not mistaken for something older. An error where git cannot tell: whatever lay there would
 * be taken for the check's.
 */
export async function lyingBeforeChecks(
  context: ServiceContext,
  world: RunWorld,
  tree: string,
): Promise<Result<readonly LeftFile[], GitError>> {
  const dir = context.paths.run(world.run.id);
  const text = await readIfThere(join(dir, FILE));
  const known = text === null ? null : remembered.parse(JSON.parse(text));
  if (known?.tree === tree) return ok(known.files);
  const files = await listUnstagedFiles(context.git, worktreeTarget(world.attempt), { tree });
  if (files.isErr()) return err(files.error);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFileAtomic(join(dir, FILE), JSON.stringify({ tree, files: files.value }), { mode: 0o600 });
  return files;
}
