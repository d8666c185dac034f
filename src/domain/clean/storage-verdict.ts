/** Says for the storage screen what a clean-up would do with an attempt: the judgement itself is that of `clean`. */
import type { Run } from "../run/run.ts";
import { isEnded } from "../run/state.ts";
import { type AttemptFacts, judgeAttempt } from "./judge-attempt.ts";

/** `kept` may still go if it is named. */
export type StorageVerdict = "may_go" | "kept" | "working";

interface JudgedStorage {
  readonly verdict: StorageVerdict;
  readonly reason: string;
  /** What a person can do about it; null if it may go. */
  readonly remedy: string | null;
  /** Null if git was not asked, or cannot say. */
  readonly dirty: boolean | null;
  readonly unpushed: boolean | null;
}

/** `now` is what changed since the facts were gathered: git is not asked again, the database is. */
export function storageVerdict(
  scanned: AttemptFacts,
  now: Pick<AttemptFacts, "state" | "cleanUp" | "runs">,
): JudgedStorage {
  const facts = { ...scanned, ...now };
  const judged = judgeAttempt(facts);
  if (judged.go && stoodOf(scanned) !== stoodOf(now)) return WORKED_SINCE;
  const { work, mergedInto } = facts;
  const isKnown = work.of === "known" && stoodOf(scanned) === stoodOf(now);
  return {
    verdict: judged.go ? "may_go" : isAtWork(facts) ? "working" : "kept",
    reason: judged.why,
    remedy: judged.go ? null : judged.remedy,
    dirty: isKnown ? work.uncommitted.length > 0 : null,
    unpushed: isKnown ? !work.heldElsewhere && mergedInto === null : null,
  };
}

const WORKED_SINCE: JudgedStorage = {
  verdict: "kept",
  reason: "A run worked in it since it was measured.",
  remedy: "Measure again: then git is asked what it left.",
  dirty: null,
  unpushed: null,
};

/** Equal if no run was added and none went on. A review leaves everything as it was. */
function stoodOf({ runs }: Pick<AttemptFacts, "runs">): string {
  return runs.flatMap(({ id, status, kind }) => (kind === "review" ? [] : `${id} ${status}`)).join("\n");
}

function isAtWork({ runs, pids }: AttemptFacts): boolean {
  return (
    pids.length > 0 ||
    runs.some(({ status, held }: Pick<Run, "status" | "held">) => !isEnded(status) && !held)
  );
}
