/** Reports references that moved while an agent worked and that Tazuna did not move; nothing is undone by itself. */
import type { RunNote } from "../../domain/run/run.ts";
import { lastReflogLine } from "../../git/reflog.ts";
import { branchesOfRepositories } from "../../storage/attempt-branches.ts";
import { listRepositories } from "../../storage/repositories.ts";
import type { ServiceContext } from "../context.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import type { RunStart } from "./record-start.ts";
import { note, type RunWorld } from "./step.ts";

const MOST_REPORTED = 50;

/** One note per reference; the user works in the repository too, so each may be rightful. */
export async function foreignMoves(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly start: RunStart; readonly now: Readonly<Record<string, string>> },
): Promise<RunNote[]> {
  const { start, now } = of;
  const ours = await ownBranches(context, world.repository.commonDir);
  const moved = [...new Set([...Object.keys(start.refs), ...Object.keys(now)])]
    .filter((ref) => start.refs[ref] !== now[ref])
    .filter((ref) => !ours.has(ref.replace(/^refs\/heads\//, "")))
    .sort();
  const notes: RunNote[] = [];
  for (const ref of moved.slice(0, MOST_REPORTED)) {
    const before = start.refs[ref] ?? null;
    const after = now[ref] ?? null;
    const reflog = await lastReflogLine(context.git, repositoryTarget(world.repository), ref);
    notes.push(
      note(
        "foreign_ref_moved",
        `${ref} ${verbOf(before, after)} while the agent worked; Tazuna did not do that and leaves it as it is.`,
        {
          ref,
          before,
          after,
          reflog: reflog.unwrapOr(null),
        },
      ),
    );
  }
  return notes;
}

/** Each checkout of a repository may be registered by itself; their branches are the same. */
async function ownBranches(context: ServiceContext, commonDir: string): Promise<ReadonlySet<string>> {
  const known = await listRepositories(context.db.reader);
  const checkouts = known.filter((one) => one.commonDir === commonDir);
  return branchesOfRepositories(
    context.db.reader,
    checkouts.map(({ id }) => id),
  );
}

function verbOf(before: string | null, after: string | null): string {
  if (before === null) return `appeared (${after?.slice(0, 8)})`;
  if (after === null) return `vanished (it was ${before.slice(0, 8)})`;
  return `moved from ${before.slice(0, 8)} to ${after.slice(0, 8)}`;
}
