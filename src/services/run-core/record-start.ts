/** Records what a run starts from: HEAD, the tree of the worktree, and every reference of the repository. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { err, ok, Result, safeTry } from "neverthrow";
import { z } from "zod";
import { unmergedFiles } from "../../git/index/unmerged.ts";
import { listUnstaged } from "../../git/index/unstaged-files.ts";
import type { GitError } from "../../git/process/git-error.ts";
import { listRefs, type Ref, readHead } from "../../git/refs/refs.ts";
import { keepRunTree } from "../../git/refs/run-trees.ts";
import { readSharedFiles, type SharedFiles } from "../../git/repository/shared-files.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { gitFailed, gitFailedAt } from "./git-failure.ts";
import { keepSnapshot } from "./keep-snapshot.ts";
import { readRecord, writeRecord } from "./record-file.ts";
import { failed, type RunWorld, type Step } from "./step.ts";
import { repositoryTarget } from "./targets.ts";
import { hasMarkers } from "./unresolved-conflicts.ts";

const conflict = z.object({
  path: z.string(),
  /** The object id of each side; null if that side has none. */
  ours: z.string().nullable(),
  theirs: z.string().nullable(),
  /** Whether both sides were in the file, between conflict markers. */
  marked: z.boolean(),
});

const startSchema = z.object({
  /** HEAD of the worktree, on the attempt's branch. */
  sha: z.string(),
  /** Full name → object id, of every reference that an agent must not move. */
  refs: z.record(z.string(), z.string()),
  /** MERGE_HEAD, if Tazuna or a person had begun a merge in the worktree: this run concludes it. */
  merging: z.string().nullable(),
  /** The files of that merge that conflicted; absent in records of an earlier version. */
  conflicts: z.array(conflict).optional(),
  /** Other watched files of the shared git directory; absent in records of an earlier version. */
  files: z.record(z.string(), z.string()).optional(),
  /** The content of `info/exclude`; absent if it is too long, and in records of an earlier version. */
  exclude: z.string().optional(),
});
export type RunStart = Readonly<z.infer<typeof startSchema>>;

const FILE = "start.json";

/** The record; the proof after the run reads it again. */
export async function recordStart(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  worktree: { readonly gitDir: string; readonly cleanAt: string | null },
): Promise<Result<RunStart, Step>> {
  return safeTry(async function* () {
    const refs = watchedRefs(context, world);
    const now =
      worktree.cleanAt === null
        ? await currentPosition(context, world, worktree.gitDir)
        : ok(positionAt(worktree.cleanAt));
    const position = yield* now;
    const merge = yield* (await mergeAtStart(context, world, worktree.gitDir)).mapErr(
      gitFailedAt("worktree"),
    );
    const { sha, tree } = position;
    const [kept, listed] = await Promise.all([
      keepRunTree(context.git, repositoryTarget(world.repository), {
        run: world.run.id,
        side: "before",
        tree,
      }),
      refs.then((all) =>
        all.asyncMap((known) => {
          const start = {
            sha,
            refs: known,
            ...merge,
            files: sharedFiles(context, world),
            ...excluded(world),
          };
          return writeStart(context, world.run.id, start);
        }),
      ),
    ]);
    const [, start] = yield* Result.combine([kept, listed]).mapErr(gitFailedAt("worktree"));
    return ok(start);
  });
}

/** The repository's ignore rules outside of any `.gitignore`, which all its worktrees share. */
export function excludeFile(repository: Pick<RunWorld["repository"], "commonDir">): string {
  return join(repository.commonDir, "info", "exclude");
}

const MAX_EXCLUDED_BYTES = 64 * 1024;

function excluded({ repository }: RunWorld): Pick<RunStart, "exclude"> {
  const path = excludeFile(repository);
  const text = existsSync(path) ? readPlainFile(path, MAX_EXCLUDED_BYTES) : "";
  return text === null ? {} : { exclude: text };
}

/** The file that is written right before the agent starts. */
export function startFile(context: Uses<"paths">, runId: string): string {
  return join(context.paths.run(runId), FILE);
}

async function writeStart(context: Uses<"paths">, runId: string, start: RunStart): Promise<RunStart> {
  await writeRecord(startFile(context, runId), start);
  return start;
}

/** Asks which files conflict only if a merge goes on, which is rare. */
async function mergeAtStart(
  context: Uses<"git">,
  { attempt }: RunWorld,
  gitDir: string,
): Promise<Result<Pick<RunStart, "merging" | "conflicts">, GitError>> {
  const merging = await readMergeHead(gitDir);
  if (merging === null) return ok({ merging });
  const unmerged = await unmergedFiles(context.git, { gitDir, workTree: attempt.worktree });
  return unmerged.map((files) => ({
    merging,
    conflicts: files.map(({ path, ours, theirs }) => ({
      path,
      ours: ours?.sha ?? null,
      theirs: theirs?.sha ?? null,
      marked: hasMarkers(join(attempt.worktree, path)),
    })),
  }));
}

/** In bytes: an octopus merge has a line for each commit. */
const MAX_MERGED_BYTES = 64 * 1024;

/** What is being merged in a worktree; null if nothing is. */
export async function readMergeHead(gitDir: string): Promise<string | null> {
  return readPlainFile(join(gitDir, "MERGE_HEAD"), MAX_MERGED_BYTES)?.trim() ?? null;
}

interface Position {
  readonly sha: string;
  /** A name for the tree of the worktree that git understands. */
  readonly tree: string;
}

function positionAt(sha: string): Position {
  return { sha, tree: `${sha}^{tree}` };
}

/** HEAD, and its tree if the worktree is clean, else the tree of a snapshot of it. */
async function currentPosition(
  context: GitContext,
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
  const snapshot = await keepSnapshot(context, world, { target, reason: "before_run" });
  return snapshot.isErr()
    ? err(gitFailed("worktree", snapshot.error))
    : ok({ sha, tree: snapshot.value.tree });
}

/** The record of the run's start; null if the run never got that far. */
export async function readStart(context: Uses<"paths">, runId: string): Promise<RunStart | null> {
  return readRecord(startFile(context, runId), startSchema);
}

/** Watched files that are not references: the checkout's HEAD, other worktrees, the ignore rules. */
export function sharedFiles(context: Uses<"paths">, world: RunWorld): SharedFiles {
  return readSharedFiles(world.repository.commonDir, context.paths.worktrees);
}

/**
 * Branches, tags, the stash, remote-tracking references and the like; references that only Tazuna writes are left out.
 */
export async function watchedRefs(context: Uses<"git">, world: RunWorld) {
  const refs = await listRefs(context.git, repositoryTarget(world.repository));
  return refs.map((all) => Object.fromEntries(all.filter(isWatched).map((ref) => [ref.name, ref.sha])));
}

/** `refs/remotes/origin/HEAD` is only an alias of a reference that is watched itself. */
function isWatched({ name, symref }: Ref): boolean {
  return !name.startsWith("refs/tazuna/") && (symref === null || !name.startsWith("refs/remotes/"));
}
