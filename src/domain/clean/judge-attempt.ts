/** Decides whether an attempt may be cleaned up: finished, safe ones go; those that may hold work must be named. */
import type { Attempt } from "../attempt/attempt.ts";
import { sentence } from "../doctor/finding.ts";
import type { Run } from "../run/run.ts";
import { isEnded } from "../run/state.ts";
import { someOf } from "../text/listed.ts";
import { shellWord } from "../text/shell-word.ts";

export interface AttemptFacts extends Pick<Attempt, "id" | "branch" | "worktree" | "state" | "cleanUp"> {
  /** Whether a person named exactly this attempt, or its task. */
  readonly named: boolean;
  /** In the order in which they work. A run without a kind is work. */
  readonly runs: readonly (Pick<Run, "id" | "status" | "held"> &
    Partial<Pick<Run, "kind" | "phase" | "resumeAt">>)[];
  /** What is at the worktree's path; `replaced` is anything but a folder. */
  readonly place: "there" | "gone" | "replaced";
  /** Whether git ever made a worktree for it. */
  readonly made: boolean;
  /** The reason of a person's `git worktree lock`, maybe empty; null if it is not locked. */
  readonly locked: string | null;
  /** Processes that work in it or carry the marks of its runs. */
  readonly pids: readonly number[];
  /** The branch that holds all of its work; null if it is not known to be merged. */
  readonly mergedInto: string | null;
  readonly work: Work;
  /** Workers that came back with edits that it does not have; absent if none did. */
  readonly cameBack?: readonly string[];
}

/** What git reports about the worktree; git is only asked if the answer matters. */
export type Work =
  | { readonly of: "not_asked" }
  | { readonly of: "unknown"; readonly message: string }
  | {
      readonly of: "known";
      readonly uncommitted: readonly string[];
      /** Files that git was told not to check for changes. */
      readonly unwatched: readonly string[];
      readonly submodules: readonly string[];
      /** Such as `merge` or `rebase`; null if none is in progress. */
      readonly operation: string | null;
      /** Its `.git` is the file that git made for it, not a repository of its own. */
      readonly linked: boolean;
      /** HEAD is on the attempt's branch. */
      readonly onBranch: boolean;
      /** Another ref than Tazuna's own contains HEAD: a remote's branch, a tag, another branch, a pull request. */
      readonly heldElsewhere: boolean;
    };

type CleanVerdict =
  | { readonly go: true; readonly why: string }
  | { readonly go: false; readonly why: string; readonly remedy: string | null };

const SNAPSHOT_FIRST = "A snapshot is taken first.";

const keep = (why: string, remedy: string | null): CleanVerdict => ({ go: false, why, remedy });

export function judgeAttempt(facts: AttemptFacts): CleanVerdict {
  const hindered = whatHinders(facts);
  if (hindered !== null) return hindered;
  if (facts.place === "gone" && !facts.made)
    return { go: true, why: "It never had a worktree: it only goes from the list." };
  const precious = whatIsPrecious(facts, facts.named ? MANY_PATHS : FEW_PATHS);
  if (facts.named)
    return {
      go: true,
      why: ["It was named.", precious, precious !== null && facts.place === "there" ? SNAPSHOT_FIRST : null]
        .filter((part) => part !== null)
        .join(" "),
    };
  const [worker] = facts.cameBack ?? [];
  if (worker !== undefined) return keepForOffer(facts, worker);
  if (precious !== null) return keep(precious, `\`tazuna clean ${short(facts)} --yes\` takes it anyway.`);
  const { mergedInto } = facts;
  return {
    go: true,
    why:
      mergedInto === null
        ? "It is finished: nothing in it is uncommitted, and its commits are elsewhere too."
        : `It is merged into ${mergedInto}, and nothing in it is uncommitted.`,
  };
}

/** A person has not decided yet whether those edits come into it. */
function keepForOffer(facts: AttemptFacts, worker: string): CleanVerdict {
  const from = `${short(facts)} --from ${shellWord(worker)}`;
  return keep(
    `${worker} came back with edits that it does not have.`,
    `\`tazuna diff ${from}\` shows them; \`tazuna restore ${from}\` brings them in, and with \`--discard\` drops the offer.`,
  );
}

/** What keeps it even if it is named. */
function whatHinders(facts: AttemptFacts): CleanVerdict | null {
  const { state, cleanUp, runs, place, pids, locked, worktree } = facts;
  const id = short(facts);
  if (state === "removed")
    return keep("It was cleaned up before.", `\`tazuna trash restore ${id}\` brings it back.`);
  if (state === "canceled")
    return keep(
      cleanUp === null
        ? "It was cancelled, and its clean-up goes on."
        : `It was cancelled, and its clean-up cannot go on: ${cleanUp.why}.`,
      `\`tazuna cancel ${id}\` tries again.`,
    );
  const going = runs.find(({ status }) => !isEnded(status));
  if (going?.held === true)
    return keep(
      "A follow-up is held.",
      `\`tazuna continue ${id}\` lets it go on, \`tazuna stop ${short(going)}\` takes it away.`,
    );
  if (going !== undefined) {
    const asks = going.phase === "waiting" && going.resumeAt === null;
    const next = asks ? `\`tazuna show ${id}\` says what it asks` : `\`tazuna wait ${id}\` waits for it`;
    return keep(howItGoes(going), `${next}, \`tazuna stop ${short(going)}\` stops it.`);
  }
  if (runs.length === 0) return keep("Its first run is just being made.", "Try again in a moment.");
  if (place === "replaced") return keep(`Something else lies at ${worktree}.`, "Look at what it is.");
  const [pid] = pids;
  if (pid !== undefined)
    return keep(
      `A process (${pid}) works in it or belongs to it.`,
      `\`ps -p ${pids.join(",")} -o pid,etime,args\` shows what it is; end it (\`kill ${pids.join(" ")}\`), then try again.`,
    );
  if (locked === null) return null;
  const why = locked === "" ? "" : ` (${locked})`;
  return keep(`A person locked it${why}.`, `\`git -C ${shellWord(worktree)} worktree unlock .\` lets it go.`);
}

function howItGoes({ status, phase, resumeAt }: AttemptFacts["runs"][number]): string {
  if (status === "PENDING" && phase !== "preparing") return "A run is in the queue.";
  if (phase !== "waiting") return "A run goes on.";
  return resumeAt === null ? "A run waits for your answer." : "A run waits for the limit of its login.";
}

/** How many paths a message lists. It lists more if the attempt was named: then they are about to go. */
const [FEW_PATHS, MANY_PATHS] = [3, 20];

/** What keeps it unless it is named; null if nothing does. */
function whatIsPrecious(facts: AttemptFacts, maxPaths: number): string | null {
  const { runs, place, work, named, mergedInto } = facts;
  if (mergedInto !== null && place === "gone") return null;
  const last = runs.findLast(({ kind }) => kind !== "review")?.status;
  const howItEnded = last === "FAILED" ? "Its last run failed." : "Its last run was stopped.";
  // For a named one the files at stake matter, not the end of its run.
  // What a merge took needs no good end of a run.
  if (last !== "SUCCEEDED" && mergedInto === null && !(named && work.of === "known")) return howItEnded;
  if (work.of === "unknown") return `Git cannot say what is in it: ${sentence(work.message)}`;
  if (place === "gone") return "Its worktree is gone; a follow-up would make it again.";
  if (work.of !== "known") return "What is in it is not known.";
  return whatWouldBeLost(facts, work, maxPaths);
}

function whatWouldBeLost(
  { branch, mergedInto }: AttemptFacts,
  work: Extract<Work, { readonly of: "known" }>,
  maxPaths: number,
): string | null {
  const { uncommitted, unwatched, submodules, operation } = work;
  const some = (paths: readonly string[]) => someOf(paths, maxPaths);
  if (operation !== null) return `A ${operation} is in progress in it.`;
  if (!work.linked) return "Its .git is not the file that git made for it.";
  if (!work.onBranch) return `Its HEAD is not on its branch ${branch}.`;
  if (uncommitted.length > 0) return `It holds what is not committed: ${some(uncommitted)}.`;
  if (unwatched.length > 0) return `Git was told not to look at what it holds: ${some(unwatched)}.`;
  if (submodules.length > 0) return `It holds submodules that may hold work: ${some(submodules)}.`;
  return work.heldElsewhere || mergedInto !== null
    ? null
    : "Its commits are neither on a remote nor on another branch.";
}

function short({ id }: { readonly id: string }): string {
  return id.slice(0, 8);
}
