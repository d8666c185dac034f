/** Says what a thing in the data folder is. */
import { attemptOwner, type Explanation, explain, keyOf, short } from "./explanation.ts";
import { isBelow, type Known } from "./known.ts";
import type { DiskFact, RepositoryRecord } from "./ledgers.ts";

const LOOK = "Look at what is in it; then move it away, or delete it, yourself.";

export function explainDisk(
  fact: DiskFact,
  known: Known,
  repositories: readonly RepositoryRecord[],
): Explanation {
  switch (fact.place) {
    case "worktrees":
      return inWorktrees(fact, known, repositories);
    case "trash":
      return inTrash(fact, known);
    case "runs":
      return inRuns(fact, known);
    case "attempts":
      return inAttempts(fact, known);
    case "workspaces":
    case "demos":
      return ofRepository(fact, repositories);
    case "root":
      return inRoot(fact);
  }
}

type Telling = Pick<Explanation, "standing" | "what" | "why"> & Partial<Explanation>;

function tell(fact: DiskFact, of: Telling): Explanation {
  const { place, name, path } = fact;
  return explain({ id: `${place}:${name}`, covers: [keyOf.disk(path)], path, ...of });
}

function unexplained(fact: DiskFact, what: string, more: Partial<Explanation> = {}): Explanation {
  const why = "It is kept: nothing proves whose it is, and it may hold work.";
  return tell(fact, { standing: "unexplained", what, why, remedy: LOOK, ...more });
}

function inWorktrees(
  fact: DiskFact,
  { attemptAt }: Known,
  repositories: readonly RepositoryRecord[],
): Explanation {
  const attempt = attemptAt.get(fact.path);
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

/** A backup of the database that is older than the worktree knows nothing of it; its own pointer says where it is from. */
function ofNoAttempt(fact: DiskFact, repositories: readonly RepositoryRecord[]): Explanation {
  const { pointer } = fact;
  const of = pointer === null ? undefined : repositories.find((each) => isBelow(pointer, each.commonDir));
  if (of === undefined) return unexplained(fact, `A ${fact.kind} that no attempt of the database owns.`);
  return unexplained(fact, `A worktree of ${of.path} that no attempt of the database owns.`, {
    owner: { type: "repository", id: of.id },
  });
}

function inTrash(fact: DiskFact, { putAside, attempts }: Known): Explanation {
  const act = putAside.get(fact.path);
  if (act === undefined)
    return unexplained(fact, "Something lies in the trash that the journal did not put there.");
  const owner = attempts.has(act.attemptId) ? attemptOwner(act.attemptId) : null;
  if (fact.kind !== "folder")
    return unexplained(fact, `A ${fact.kind} lies where the journal put a folder.`, { owner });
  const named = `attempt ${short(act.attemptId)}`;
  switch (act.as) {
    case "entry":
      return tell(fact, {
        standing: "kept",
        what: `The worktree of ${named}, in the trash.`,
        why: "It goes 14 days after it was put there, where its snapshot holds all of it.",
        remedy: "`tazuna trash restore ID` brings it back; `tazuna trash empty` says what may go now.",
        owner,
      });
    case "purge":
      return onItsWayOut(fact, act, owner);
    case "half_made":
      return tell(fact, {
        standing: "kept",
        what: `What a crash left of making the worktree of ${named}.`,
        why: "It is in no snapshot, so nothing deletes it by itself.",
        remedy: LOOK,
        owner,
      });
  }
}

function onItsWayOut(
  fact: DiskFact,
  act: { readonly operation: string; readonly status: string; readonly attemptId: string },
  owner: Explanation["owner"],
): Explanation {
  const what = `The rest of a worktree of attempt ${short(act.attemptId)} that was deleted from the trash.`;
  if (act.status !== "done" && act.status !== "abandoned")
    return tell(fact, {
      standing: "kept",
      what,
      why: "Its deletion goes on, or failed.",
      remedy: LOOK,
      owner,
    });
  const repair = { act: "finish_purge", operation: act.operation, path: fact.path } as const;
  const why = "It was proven to be ours, dead and in a snapshot before it was taken out.";
  return tell(fact, { standing: "stale", what, why, remedy: "The next start deletes it.", owner, repair });
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
  const of = repositories.find(({ path }) => path === fact.path || isBelow(path, fact.path));
  if (of === undefined) return unexplained(fact, "A folder that no known repository lies in.");
  const what = `The repository ${of.path}.`;
  const why = "Tasks are made on it.";
  return tell(fact, { standing: "in_use", what, why, owner: { type: "repository", id: of.id } });
}

/** Names that Tazuna gives to what is on its way somewhere; a person's own files in the data folder are theirs. */
const PASSING = /^(\..*\.tmp|\.tazuna-.*|half-made-.*|purge-.*)$/;

function inRoot(fact: DiskFact): Explanation {
  if (PASSING.test(fact.name))
    return unexplained(fact, "Something that was on its way elsewhere, and that nobody came back for.");
  return tell(fact, { standing: "theirs", what: fact.path, why: "It is no work of an attempt." });
}
