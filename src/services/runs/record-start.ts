/** Writes down what a run starts from: HEAD, the tree of the worktree, and every reference of the repository. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { listRefs, type Ref, readHead } from "../../git/refs.ts";
import { keepRunTree } from "../../git/run-trees.ts";
import { readSharedFiles, type SharedFiles } from "../../git/shared-files.ts";
import { listUnstaged } from "../../git/unstaged.ts";
import { writeFileAtomic } from "../../utils/atomic-write.ts";
import { readIfThere } from "../../utils/read-if-there.ts";
import { readPlainFile } from "../../utils/read-plain-file.ts";
import type { ServiceContext } from "../context.ts";
import { keepSnapshot } from "../worktrees/keep-snapshot.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

const startSchema = z.object({
  /** HEAD of the worktree, on the attempt's branch. */
  sha: z.string(),
  /** Full name → object id, of every reference that an agent must not move. */
  refs: z.record(z.string(), z.string()),
  /** MERGE_HEAD, where a person had begun a merge in the worktree: this run concludes it. */
  merging: z.string().nullable(),
  /** What else of the shared git directory is looked at; absent in what an earlier version wrote. */
  files: z.record(z.string(), z.string()).optional(),
});
export type RunStart = Readonly<z.infer<typeof startSchema>>;

const FILE = "start.json";

/** The start commit; what was recorded is read again by the proof after the run. */
export async function recordStart(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly gitDir: string; readonly cleanAt: string | null },
): Promise<Result<string, Step>> {
  const refs = watchedRefs(context, world);
  const position =
    of.cleanAt === null ? await currentPosition(context, world, of.gitDir) : ok(positionAt(of.cleanAt));
  if (position.isErr()) return err(position.error);
  const { sha, tree } = position.value;
  const [kept, listed] = await Promise.all([
    keepRunTree(context.git, repositoryTarget(world.repository), {
      run: world.run.id,
      side: "before",
      tree,
    }),
    refs.then((all) =>
      all.asyncMap(async (known) => {
        const merging = await readMergeHead(of.gitDir);
        const files = sharedFiles(context, world);
        await writeStart(context.paths.run(world.run.id), { sha, refs: known, merging, files });
      }),
    ),
  ]);
  if (kept.isErr()) return err(gitFailed("worktree", kept.error));
  if (listed.isErr()) return err(gitFailed("worktree", listed.error));
  return ok(sha);
}

async function writeStart(dir: string, start: RunStart): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFileAtomic(join(dir, FILE), JSON.stringify(start), { mode: 0o600 });
}

/** In bytes: a line for each commit of an octopus. */
const MOST_MERGED = 64 * 1024;

/** What is being merged in a worktree; null where nothing is. */
export async function readMergeHead(gitDir: string): Promise<string | null> {
  return readPlainFile(join(gitDir, "MERGE_HEAD"), MOST_MERGED)?.trim() ?? null;
}

interface Position {
  readonly sha: string;
  /** What names the tree of the worktree for git. */
  readonly tree: string;
}

function positionAt(sha: string): Position {
  return { sha, tree: `${sha}^{tree}` };
}

/** HEAD, and its tree where the worktree is clean, else the tree of a snapshot of it. */
async function currentPosition(
  context: ServiceContext,
  world: RunWorld,
  gitDir: string,
): Promise<Result<Position, Step>> {
  const target = { gitDir, workTree: world.attempt.worktree };
  const head = await readHead(context.git, target);
  if (head.isErr()) return err(gitFailed("worktree", head.error));
  const { sha } = head.value;
  if (sha === null) return err(failed("worktree_lost", "The worktree has no commit to start from."));
  const left = await listUnstaged(context.git, target);
  if (left.isErr()) return err(gitFailed("worktree", left.error));
  if (left.value.length === 0) return ok(positionAt(sha));
  const snapshot = await keepSnapshot(context, {
    attemptId: world.attempt.id,
    runId: world.run.id,
    target,
    reason: "before_run",
  });
  return snapshot.isErr()
    ? err(gitFailed("worktree", snapshot.error))
    : ok({ sha, tree: snapshot.value.tree });
}

/** What was recorded when the run began; null where it never got that far. */
export async function readStart(context: ServiceContext, runId: string): Promise<RunStart | null> {
  const text = await readIfThere(join(context.paths.run(runId), FILE));
  return text === null ? null : startSchema.parse(JSON.parse(text));
}

/** What is no reference: what the checkout is on, other worktrees, what git is told to ignore. */
export function sharedFiles(context: ServiceContext, world: RunWorld): SharedFiles {
  return readSharedFiles(world.repository.commonDir, context.paths.worktrees);
}

/** Branches, tags, the stash, remote-tracking references and the like; what Tazuna alone writes is left out. */
export async function watchedRefs(context: ServiceContext, world: RunWorld) {
  const refs = await listRefs(context.git, repositoryTarget(world.repository));
  return refs.map((all) => Object.fromEntries(all.filter(isWatched).map((ref) => [ref.name, ref.sha])));
}

/** `refs/remotes/origin/HEAD` is only another name of one that is looked at itself. */
function isWatched({ name, symref }: Ref): boolean {
  return !name.startsWith("refs/tazuna/") && (symref === null || !name.startsWith("refs/remotes/"));
}
