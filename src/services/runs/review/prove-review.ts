/** Proves after a review that the worktree is as it was, and puts it back if it is not. */
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../../domain/run/run.ts";
import { listUnstaged } from "../../../git/index/unstaged-files.ts";
import { readRef } from "../../../git/refs/refs.ts";
import { readRunTrees } from "../../../git/refs/run-trees.ts";
import { putTree } from "../../../git/worktree/put-tree.ts";
import { pageOperations } from "../../../storage/tables/operations.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import { journaled } from "../../core/journal.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { keepSnapshot } from "../../run-core/keep-snapshot.ts";
import { note, type RunWorld, type Step, withNotes } from "../../run-core/step.ts";
import { repositoryTarget, worktreeTarget } from "../../run-core/targets.ts";
import { proveRun } from "../prove/prove-run.ts";

/** STAGING (proving) of a review: branch, HEAD and every tracked or new file are as they were before. */
export async function proveReview(context: GitContext & Uses<"paths">, world: RunWorld): Promise<Step> {
  const proved = await proveRun(context, world);
  if (proved.event !== "proved") return proved;
  const put = await putFilesBack(context, world);
  if (put.isErr()) return gitFailed("stage", put.error);
  return withNotes(proved, put.value === null ? [] : [put.value]);
}

type Trouble = { readonly kind: string; readonly message: string };

/** Null if nothing had changed. In the sandbox nothing can have. */
async function putFilesBack(context: GitContext, world: RunWorld): Promise<Result<RunNote | null, Trouble>> {
  const { run, attempt } = world;
  const target = worktreeTarget(attempt);
  const trees = await readRunTrees(context.git, repositoryTarget(world.repository), run.id);
  if (trees.isErr()) return err(trees.error);
  const { before } = trees.value;
  if (before === null) return ok(null);
  const clean = await isClean(context, world, before);
  if (clean.isErr()) return err(clean.error);
  if (clean.value) return ok(world.resumed ? await putBackBefore(context, world) : null);
  const snapshot = await keepSnapshot(context, world, { reason: "reviewer_changed_files" });
  if (snapshot.isErr()) return err(snapshot.error);
  if (snapshot.value.tree === before) return ok(null);
  const { ref } = snapshot.value;
  const put = await journaled(
    context,
    {
      kind: "review_put_back",
      subject: { type: "run", id: run.id },
      before: { tree: snapshot.value.tree, snapshot: ref },
    },
    () => putTree(context.git, { ...target, workTree: attempt.worktree }, { tree: before }),
    () => ({ tree: before }),
  );
  return put.map(() => putBackNote(ref));
}

function putBackNote(snapshot: string): RunNote {
  const message = `The reviewer changed files; they were put back. What it wrote is in the snapshot ${snapshot}.`;
  return note("review_put_back", message, { snapshot });
}

/** The note of what was put back just before a crash; null if the journal has no such entry. */
async function putBackBefore(context: Uses<"db">, { run }: RunWorld): Promise<RunNote | null> {
  const query = { subjects: [run.id], cursor: null, limit: 50 };
  const { items } = await pageOperations(context.db.reader, query);
  const act = items.find(({ kind, status }) => kind === "review_put_back" && status !== "failed");
  return act === undefined ? null : putBackNote(String(act.before?.snapshot));
}

/** Whether the worktree is exactly at HEAD, and so was it before; then no snapshot is needed to compare. */
async function isClean(
  context: Uses<"git">,
  { attempt, run }: RunWorld,
  before: string,
): Promise<Result<boolean, Trouble>> {
  const target = worktreeTarget(attempt);
  const tree = await readRef(context.git, target, `${run.startSha}^{tree}`);
  if (tree.isErr()) return err(tree.error);
  if (tree.value !== before) return ok(false);
  return (await listUnstaged(context.git, target)).map((left) => left.length === 0);
}
