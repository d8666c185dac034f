/** Remembers what setup commands changed in an attempt's worktree, so that it is not committed as the agent's work. */
import { join } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { z } from "zod";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import {
  type LeftFile,
  leftFileSchema,
  newlyLeft,
  setupPaths,
  stillLeft,
} from "../../domain/publish/left-files.ts";
import { clearIndexFlags } from "../../git/index/index-flags.ts";
import { listUnstagedFiles } from "../../git/index/unstaged-files.ts";
import { resetMixed } from "../../git/index/whole-index.ts";
import type { GitError } from "../../git/process/git-error.ts";
import { readHead } from "../../git/refs/refs.ts";
import { leftByChecksOf } from "../../storage/tables/checks.ts";
import { putBranchBack } from "../branches/put-branch-back.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { gitFailedAt } from "../run-core/git-failure.ts";
import { readRecord, writeRecord } from "../run-core/record-file.ts";
import type { RunWorld, Step } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";

const files = z.array(leftFileSchema);
const recordSchema = z.object({
  /** What lay there when the setup in progress began; null if none runs. */
  before: files.nullable(),
  /** The commit of HEAD at that time; null if none runs, and in records of an earlier version. */
  head: z.string().nullable().default(null),
  /** What setups left, the oldest first. */
  left: files,
});
type Recorded = Readonly<z.infer<typeof recordSchema>>;

/** What the setups of an attempt left, the oldest first: the last entry of a path counts. */
export async function leftBySetupOf(context: Uses<"paths">, attemptId: string): Promise<readonly LeftFile[]> {
  return (await read(context, attemptId)).left;
}

/**
 * Stores what lies in the worktree before a setup begins. If an engine died during the setup, the earlier record stays.
 * All that the dead engine left then counts as the setup's.
 */
export async function beginSetup(
  context: Uses<"git" | "paths">,
  world: RunWorld,
): Promise<Result<void, GitError>> {
  const recorded = await read(context, world.attempt.id);
  if (recorded.before !== null) return ok(undefined);
  const head = await readHead(context.git, worktreeTarget(world.attempt));
  if (head.isErr()) return err(head.error);
  const before = await unstaged(context, world);
  return before.asyncMap((found) =>
    write(context, world.attempt.id, { before: [...found], head: head.value.sha, left: recorded.left }),
  );
}

/** Stores what the setup left, also if it failed. What it staged or committed is taken back first; the files stay. */
export async function endSetup(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
): Promise<Result<void, Step>> {
  return safeTry(async function* () {
    const { before, head, left } = await read(context, world.attempt.id);
    if (head !== null) yield* await putBranchBack(context, world, { sha: head, merging: null });
    yield* (await clearIndexFlags(context.git, worktreeTarget(world.attempt))).mapErr(
      gitFailedAt("worktree"),
    );
    yield* (await resetMixed(context.git, worktreeTarget(world.attempt))).mapErr(gitFailedAt("worktree"));
    const unstagedFiles = yield* (await unstaged(context, world)).mapErr(gitFailedAt("worktree"));
    const added = newlyLeft(before ?? [], unstagedFiles);
    await write(context, world.attempt.id, { before: null, head: null, left: [...left, ...added] });
    return ok(undefined);
  });
}

function unstaged(context: Uses<"git">, world: RunWorld) {
  return listUnstagedFiles(context.git, worktreeTarget(world.attempt), { tree: "HEAD" });
}

async function read(context: Uses<"paths">, attemptId: string): Promise<Recorded> {
  const recorded = await readRecord(setupFile(context, attemptId), recordSchema);
  return recorded ?? { before: null, head: null, left: [] };
}

async function write(context: Uses<"paths">, attemptId: string, recorded: Recorded): Promise<void> {
  await writeRecord(setupFile(context, attemptId), recorded);
}

/** Written when a setup begins, and again when it has ended. */
export function setupFile(context: Uses<"paths">, attemptId: string): string {
  return join(context.paths.attempt(attemptId), "setup.json");
}

/** The paths of files that are still as a check or the setup left them; none if git cannot tell. */
export async function leftUntouched(
  context: Uses<"db" | "git" | "paths">,
  attempt: Attempt,
): Promise<ReadonlySet<string>> {
  const byChecks = await leftByChecksOf(context.db.reader, attempt.id);
  const bySetup = await leftBySetupOf(context, attempt.id);
  if (byChecks.length + bySetup.length === 0) return new Set();
  const files = await listUnstagedFiles(context.git, worktreeTarget(attempt), { tree: "HEAD" });
  if (files.isErr()) return new Set();
  return new Set([...stillLeft(files.value, byChecks).keys(), ...setupPaths(files.value, bySetup).untouched]);
}
