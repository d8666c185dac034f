/** Explains what a thing in the data folder is. */
import { explainLeft } from "./explain-left.ts";
import { explainIgnored, explainTrash } from "./explain-trash.ts";
import { attemptOwner, type Explanation, short, tell, unexplained } from "./explanation.ts";
import { isBelow, type Known } from "./known.ts";
import type { DiskFact, RepositoryRecord } from "./ledgers.ts";

export function explainDisk(
  fact: DiskFact,
  known: Known,
  repositories: readonly RepositoryRecord[],
): Explanation {
  switch (fact.place) {
    case "worktrees":
      return inWorktrees(fact, known, repositories);
    case "trash":
      return explainTrash(fact, known);
    case "ignored":
      return explainIgnored(fact, known);
    case "runs":
      return inRuns(fact, known);
    case "attempts":
      return inAttempts(fact, known);
    case "workspaces":
      return ofClone(fact, known, repositories);
    case "demos":
      return ofRepository(fact, repositories);
    case "root":
      return inRoot(fact);
  }
}

function inWorktrees(
  fact: DiskFact,
  { attemptAt, elsewhere }: Known,
  repositories: readonly RepositoryRecord[],
): Explanation {
  const attempt = attemptAt.get(fact.path);
  const gone = elsewhere.get(fact.name);
  if (gone !== undefined) return explainLeft(fact, gone);
  if (attempt === undefined) return ofNoAttempt(fact, repositories);
  const owner = attemptOwner(attempt.id);
  const named = `attempt ${short(attempt.id)}`;
  if (fact.kind !== "folder")
    return unexplained(fact, `A ${fact.kind} lies where the worktree of ${named} belongs.`, { owner });
  if (attempt.state === "removed")
    return unexplained(fact, `The worktree of ${named} went into the trash, and something is there again.`, {
      owner,
    });
  const why = "Its attempt is open, or its clean-up goes on.";
  return tell(fact, { standing: "in_use", what: `The worktree of ${named}.`, why, owner });
}

/** A restored database may be older than the worktree. Then the worktree's own pointer names its repository. */
function ofNoAttempt(fact: DiskFact, repositories: readonly RepositoryRecord[]): Explanation {
  const { pointer } = fact;
  const repository =
    pointer === null ? undefined : repositories.find((each) => isBelow(pointer, each.commonDir));
  if (repository === undefined)
    return unexplained(fact, `A ${fact.kind} that no attempt of the database owns.`);
  return unexplained(fact, `A worktree of ${repository.path} that no attempt of the database owns.`, {
    owner: { type: "repository", id: repository.id },
  });
}

function inRuns(fact: DiskFact, { runs }: Known): Explanation {
  const run = runs.get(fact.name);
  if (run === undefined) return unexplained(fact, "The log of a run that the database does not know.");
  const owner = { type: "run", id: run.id } as const;
  const what = `The log of run ${short(run.id)}.`;
  if (!run.ended) return tell(fact, { standing: "in_use", what, why: "The run goes on.", owner });
  return tell(fact, { standing: "kept", what, why: "What a run printed is kept for good.", owner });
}

function inAttempts(fact: DiskFact, { attempts }: Known): Explanation {
  const attempt = attempts.get(fact.name);
  if (attempt === undefined) return unexplained(fact, "Notes on an attempt that the database does not know.");
  const standing = attempt.state === "removed" ? "kept" : "in_use";
  const owner = attemptOwner(attempt.id);
  return tell(fact, {
    standing,
    what: `Notes on attempt ${short(attempt.id)}.`,
    why: "They are small.",
    owner,
  });
}

function ofRepository(fact: DiskFact, repositories: readonly RepositoryRecord[]): Explanation {
  const repository = repositories.find(({ path }) => path === fact.path || isBelow(path, fact.path));
  if (repository === undefined) return unexplained(fact, "A folder that no known repository lies in.");
  const what = `The repository ${repository.path}.`;
  const why = "Tasks are made on it.";
  return tell(fact, { standing: "in_use", what, why, owner: { type: "repository", id: repository.id } });
}

function ofClone(fact: DiskFact, { making }: Known, repositories: readonly RepositoryRecord[]): Explanation {
  // The data folder may be reached through a link, and then paths are spelled in two ways.
  const clone = repositories.find(({ id, url }) => url !== null && id === fact.name);
  if (clone === undefined && making.has(fact.name))
    return tell(fact, { standing: "in_use", what: "A clone that is being made.", why: "It goes on." });
  if (clone === undefined || fact.kind !== "folder")
    return unexplained(fact, "Something that no clone of the database explains.");
  const owner = { type: "repository", id: clone.id } as const;
  const what = `The clone of ${clone.url}.`;
  if (!clone.removed) return tell(fact, { standing: "in_use", what, why: "Tasks are made on it.", owner });
  const why = "It is out of the list, and holds the branches and snapshots of its attempts.";
  return tell(fact, { standing: "kept", what, why, owner });
}

/** Names that Tazuna gives to temporary things. A person's own files in the data folder belong to the person. */
const PASSING = /^(\..*\.tmp|\.tazuna-.*|half-made-.*|purge-.*)$/;

function inRoot(fact: DiskFact): Explanation {
  if (PASSING.test(fact.name))
    return unexplained(fact, "Something that was being moved elsewhere; the move was never finished.");
  return tell(fact, { standing: "theirs", what: fact.path, why: "It is no work of an attempt." });
}
