/** Looks at what differs in a worktree from the staged tree, and remembers that state from before the first check. */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type LeftFile, leftFileSchema } from "../../../domain/publish/left-files.ts";
import { listUnstagedFiles } from "../../../git/index/unstaged-files.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import type { Uses } from "../../core/context-parts.ts";
import { readRecord, writeRecord } from "../../run-core/record-file.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { worktreeTarget } from "../../run-core/targets.ts";

const FILE = "before-checks.json";

const remembered = z.object({ tree: z.string(), files: z.array(leftFileSchema) });

/**
 * The state before the first check on this tree. It is stored before that check begins. If an engine is killed during
 * a check, what the check left does not pass for older files. An error if git cannot tell: else everything there
 * would be taken for the check's.
 */
export async function unstagedBaseline(
  context: Uses<"git" | "paths">,
  world: RunWorld,
  tree: string,
): Promise<Result<readonly LeftFile[], GitError>> {
  const file = join(context.paths.run(world.run.id), FILE);
  const known = await readRecord(file, remembered);
  if (known?.tree === tree) return ok(known.files);
  const files = await listUnstagedFiles(context.git, worktreeTarget(world.attempt), { tree });
  if (files.isErr()) return err(files.error);
  await writeRecord(file, { tree, files: files.value });
  return files;
}

/** The state after a check. If git cannot tell, the engine's log says why, and the list is empty. */
export async function unstagedNow(
  context: Uses<"git" | "reportFault">,
  world: RunWorld,
  tree: string,
): Promise<readonly LeftFile[]> {
  const files = await listUnstagedFiles(context.git, worktreeTarget(world.attempt), { tree });
  if (files.isOk()) return files.value;
  context.reportFault(`looking at what checks left in run ${world.run.id}`, new Error(files.error.message));
  return [];
}
