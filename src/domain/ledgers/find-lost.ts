/** Finds things that the database expects but that do not exist; it skips repositories that cannot be read. */
import { attemptOwner, type Explanation, explain, short } from "./explanation.ts";
import type { Known } from "./known.ts";
import type { AttemptRecord, DatabaseLedger, RepositoryLedger } from "./ledgers.ts";

export function findLost(database: DatabaseLedger, known: Known): readonly Explanation[] {
  const worktrees = database.attempts.flatMap((attempt) => lostWorktree(attempt, known));
  const bySnapshots = Map.groupBy(database.snapshots, ({ attemptId }) => attemptId);
  const snapshots = [...bySnapshots].flatMap(([id, rows]) => {
    const attempt = known.attempts.get(id);
    const refs = rows.map(({ ref }) => ref).sort();
    return attempt === undefined ? [] : lostSnapshots(attempt, refs, known);
  });
  return [...worktrees, ...snapshots];
}

/** While a run goes on, that run finds out by itself and reports it as its failure. */
function lostWorktree(attempt: AttemptRecord, known: Known): readonly Explanation[] {
  const { id, state, gitDir, worktree, branch, elsewhere } = attempt;
  if (elsewhere || state !== "open" || gitDir === null || known.there.has(worktree) || known.busy.has(id))
    return [];
  const git = ledgerOf(attempt, known);
  const branchGone = git?.readable === true && !git.refs.includes(`refs/heads/${branch}`);
  return [
    explain({
      id: `lost:${id}`,
      standing: "lost",
      what: `The worktree of attempt ${short(id)} is gone${branchGone ? `, and so is its branch ${branch}` : ""}.`,
      owner: attemptOwner(id),
      why: "Nothing that Tazuna did took it away.",
      remedy: `\`tazuna continue ${short(id)} "Go on"\` makes it again, ${branchGone ? "and the branch from the last commit that is known of it" : `from the branch ${branch}`}.`,
      path: worktree,
      repair: { act: "note_lost", attempt: id },
    }),
  ];
}

function lostSnapshots(
  attempt: AttemptRecord,
  refs: readonly string[],
  known: Known,
): readonly Explanation[] {
  const git = ledgerOf(attempt, known);
  if (git?.readable !== true) return [];
  const there = new Set(git.refs);
  const gone = refs.filter((ref) => !there.has(ref));
  if (gone.length === 0) return [];
  return [
    explain({
      id: `snapshots:${attempt.id}`,
      standing: "lost",
      what: `${gone.length} of the snapshots of attempt ${short(attempt.id)} are gone: ${gone.slice(0, 3).join(", ")}.`,
      owner: attemptOwner(attempt.id),
      why: "The references were deleted. What is in the trash on their account is kept.",
      remedy: "`git fsck --unreachable` may still find the commits; nothing of Tazuna's needs them to go on.",
    }),
  ];
}

function ledgerOf(attempt: AttemptRecord, known: Known): RepositoryLedger | null {
  const commonDir = known.commonDirOf(attempt);
  return (commonDir !== null && known.gitOf.get(commonDir)) || null;
}
