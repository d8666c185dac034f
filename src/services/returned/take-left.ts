/** Brings the edits of a worker that came back into the attempt, or drops that offer (ADR 0097). */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Operation } from "../../domain/operation.ts";
import type { LeftWorktree } from "../../domain/worker/left-worktree.ts";
import { mergeTrees } from "../../git/merge/merge-trees.ts";
import { treeOfFiles } from "../../git/snapshot/tree-of-files.ts";
import { endOffer } from "../../storage/team/left-worktrees.ts";
import { transact } from "../../storage/transact.ts";
import { replaceFiles } from "../attempts/replace-files.ts";
import { inWorktree } from "../attempts/restore-run.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import type { TakeLeft } from "../core/decide-shapes.ts";
import { type AttemptInRepository, findPlace } from "../core/find-place.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import { repositoryTarget, worktreeTarget } from "../run-core/targets.ts";
import { type FetchContext, type FoundLeft, fetchLeft, findLeft, notHere } from "./find-left.ts";

/**
 * Null if only the offer was dropped. The snapshot stays in the depot, and the worktree on its machine. `begunAt` is the
 * tree that lay there when an earlier try began that was cut off.
 */
export async function takeLeft(
  context: GitContext & FetchContext & Uses<"attemptLock" | "paths" | "configuration">,
  { attempt: id, worker, discard }: TakeLeft,
  begunAt: string | null = null,
): Promise<Result<Operation | null, Refusal>> {
  const left = await findLeft(context, { attempt: id, worker });
  if (left.isErr()) return err(left.error);
  if (discard) {
    await end(context, left.value, "discarded");
    return ok(null);
  }
  return inWorktree(context, id, async (held, place) => {
    const tree = await mergedTree({ ...context, ...held }, place, { left: left.value, begunAt });
    if (tree.isErr()) return err(tree.error);
    const { attempt } = place;
    const from = { id: left.value.workerId, name: left.value.name };
    const request = { tree: tree.value, run: null, from, undoes: null, begunAt };
    const replaced = await replaceFiles(held, attempt, request);
    if (replaced.isOk()) await end(context, left.value, "restored");
    return replaced;
  });
}

/** The files here, with what was edited there after the copy. If a try was cut off, the files as they were before it. */
function mergedTree(
  context: FetchContext,
  place: AttemptInRepository,
  { left, begunAt }: { readonly left: FoundLeft; readonly begunAt: string | null },
) {
  return safeTry(async function* () {
    yield* await fetchLeft(context, place, left);
    const { attempt } = place;
    const now = begunAt === null ? await treeOfFiles(context.git, worktreeTarget(attempt)) : ok(begunAt);
    const ours = yield* now.mapErr(({ message }) => notHere(left, message));
    const trees = { base: left.base, ours, theirs: left.sha };
    const merged = await mergeTrees(context.git, repositoryTarget(place.repository), trees);
    return merged.mapErr((error) =>
      error.kind === "conflict" ? bothEdited(left, error.paths) : notHere(left, error.message),
    );
  });
}

function bothEdited({ attemptId, name }: FoundLeft, paths: readonly string[]): Refusal {
  const id = shortId(attemptId);
  return refuse(
    "conflict",
    "does_not_fit",
    `The same lines were edited here and on ${name}: ${paths.slice(0, 5).join(", ")}.`,
    {
      remedy: `Nothing was changed. \`tazuna diff ${id} --from ${name}\` shows what was edited there.`,
      details: { files: paths, attempts: [attemptId] },
    },
  );
}

async function end(
  { db, clock, actor, newFacts }: Uses<"db" | "clock" | "actor" | "newFacts">,
  left: LeftWorktree,
  state: "restored" | "discarded",
): Promise<void> {
  await transact(db, async (trx) => {
    await endOffer(trx, left, state);
    const place = await findPlace(trx, left.attemptId);
    if (place === null) return;
    const { attempt } = place;
    const came_back = { worker: left.workerId, state, actor };
    await attemptChanged(trx, attempt, { at: clock.iso(), state: attempt.state, came_back });
  });
  newFacts.notify();
}
