/** Reports references that moved during a turn and that Tazuna did not move; undoes nothing by itself. */
import type { RunNote } from "../../../domain/run/run.ts";
import { lastReflogLine, wasFetched } from "../../../git/refs/reflog.ts";
import { branchesOfRepositories } from "../../../storage/queries/attempt-branches.ts";
import { operationsOfKinds } from "../../../storage/queries/find-operations.ts";
import { listRepositories } from "../../../storage/tables/repositories.ts";
import { formerNames } from "../../branches/rename-branch.ts";
import type { Uses } from "../../core/context-parts.ts";
import { recordDeviation } from "../../run-core/record-deviation.ts";
import type { RunStart } from "../../run-core/record-start.ts";
import { note, type RunWorld } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";

const MAX_REPORTED = 50;

/** One note per reference; the user works in the repository too, so each move may be right. */
export async function foreignMoves(
  context: Uses<"db" | "git" | "clock" | "newId" | "owner">,
  world: RunWorld,
  positions: { readonly start: RunStart; readonly now: Readonly<Record<string, string>> },
): Promise<RunNote[]> {
  const { start, now } = positions;
  const ours = await ownBranches(context, world.repository.commonDir);
  const asked = await movedByRequest(context, world);
  const moved = [...new Set([...Object.keys(start.refs), ...Object.keys(now)])]
    .filter((ref) => start.refs[ref] !== now[ref])
    .filter((ref) => asked.get(ref) !== (now[ref] ?? null))
    .filter((ref) => !ours.has(ref.replace(/^refs\/heads\//, "")))
    .sort();
  const notes: RunNote[] = [];
  for (const ref of moved) {
    if (notes.length === MAX_REPORTED) break;
    if (await isFetched(world.repository.commonDir, ref, now[ref])) continue;
    const before = start.refs[ref] ?? null;
    const after = now[ref] ?? null;
    const line = await lastReflogLine(context.git, repositoryTarget(world.repository), ref);
    const reflog = line.unwrapOr(null);
    const operation = await recordDeviation(context, world, {
      kind: "foreign_ref_moved",
      before: { ref, sha: before },
      after: { ref, sha: after, reflog },
      // The stash is a list that git keeps in its reflog: moving the reference would lose entries.
      undoable: ref !== "refs/stash",
    });
    const message = `${ref} ${verbOf(before, after)} while the agent worked. Tazuna did not do that and leaves it as it is.`;
    notes.push(note("foreign_ref_moved", message, { ref, before, after, reflog, operation }));
  }
  return notes;
}

/** References that a person had Tazuna move since the run began (`tazuna merge`, `tazuna undo`), by their last place. */
async function movedByRequest(context: Uses<"db">, { run }: RunWorld): Promise<ReadonlyMap<string, unknown>> {
  const moves = await operationsOfKinds(context.db.reader, ["undo", "merge_attempt"]);
  const since = run.startedAt ?? run.createdAt;
  return new Map(
    moves
      .filter(({ at, status }) => at >= since && status === "done")
      .map(({ before, after }) => [String(before?.ref), after?.sha]),
  );
}

/**
 * Changes that a fetch or a push brought do not count, no matter who asked for them. Removals by one do not count
 * either.
 */
async function isFetched(commonDir: string, ref: string, now: string | undefined): Promise<boolean> {
  if (!ref.startsWith("refs/remotes/")) return false;
  return now === undefined || wasFetched(commonDir, ref, now);
}

/** Each checkout of a repository may be registered separately; their branches are the same. */
async function ownBranches(context: Uses<"db">, commonDir: string): Promise<ReadonlySet<string>> {
  const known = await listRepositories(context.db.reader, null);
  const checkouts = known.filter((one) => one.commonDir === commonDir);
  const now = await branchesOfRepositories(
    context.db.reader,
    checkouts.map(({ id }) => id),
  );
  return now.union(await formerNames(context));
}

function verbOf(before: string | null, after: string | null): string {
  if (before === null) return `appeared (${after?.slice(0, 8)})`;
  if (after === null) return `vanished (it was ${before.slice(0, 8)})`;
  return `moved from ${before.slice(0, 8)} to ${after.slice(0, 8)}`;
}
