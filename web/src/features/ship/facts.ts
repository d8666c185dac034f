/** Works out from facts how far an attempt is on its way out. Says what keeps it back and what comes next. */

import type { GateRowDocument } from "@contract/endpoints/gate.ts";
import type { AttemptDocument, RunDocument } from "@contract/task-document.ts";
import { isOpen, workRuns } from "@contract/words/attempt-standing.ts";

export type GateRow = GateRowDocument;
type Checks = RunDocument["checks"];

/** What keeps it from being merged. A `soft` one is the forge's to judge: it may be merged all the same. */
export interface Block {
  readonly code:
    | "whyCanceled"
    | "whyWorking"
    | "whyGate"
    | "whyCheck"
    | "whyNothing"
    | "whyPending"
    | "whyThreads"
    | "whyConflict"
    | "whyConflictFiles"
    | "whyDraft"
    | "whyTrouble"
    | "whyWaits";
  readonly name?: string;
  readonly count?: number;
  readonly isSoft?: true;
}

type Pushed = "pushed" | "held" | "failed" | "nothing";
export type Suggested =
  | "ask_remove"
  | "send_check"
  | "push"
  | "open_pull"
  | "send_forge_checks"
  | "send_threads"
  | "update"
  | "merge";

export interface ShipFacts {
  readonly isWorking: boolean;
  readonly rules: readonly GateRow[];
  readonly checks: Checks;
  /** The names of checks that a person allowed to fail. */
  readonly allowedChecks: readonly string[];
  readonly commit: string | null;
  readonly pushed: Pushed;
  readonly blocks: readonly Block[];
  readonly suggested: Suggested | null;
}

const WORKING = new Set(["PENDING", "RUNNING", "STAGING", "COMMITTING", "PUSHING"]);
const PUSH_FAILED = new Set(["push_rejected", "push_auth", "remote_unreachable"]);

export function shipFacts(given: {
  readonly attempt: AttemptDocument;
  /** Null if the gate is not known yet. */
  readonly gate: readonly GateRow[] | null;
  /** Files that conflict with the base as it is now. */
  readonly conflicts: number;
  /** Whether a pull request can be opened now. */
  readonly canOpen: boolean;
}): ShipFacts {
  const { attempt, gate } = given;
  const runs = workRuns(attempt);
  const rows = gate ?? [];
  const facts = {
    isWorking: attempt.runs.some(({ status, held }) => WORKING.has(status) && !held),
    rules: rows.filter(({ rule }) => !rule.startsWith("check:")),
    checks: runs.findLast(({ checks }) => checks.length > 0)?.checks ?? [],
    allowedChecks: rows
      .filter(({ rule, verdict }) => rule.startsWith("check:") && verdict === "overridden")
      .map(({ rule }) => rule.slice("check:".length)),
    commit: attempt.commit,
    pushed: pushedOf(attempt, runs.at(-1)),
  };
  const blocks = attempt.merged !== null ? [] : blocksOf({ ...given, ...facts });
  return { ...facts, blocks, suggested: suggestedStep({ ...given, ...facts, blocks }) };
}

function pushedOf(attempt: AttemptDocument, last: RunDocument | undefined): Pushed {
  if (attempt.commit === null) return "nothing";
  if (attempt.state === "pushed" || attempt.state === "merged" || attempt.merged !== null) return "pushed";
  if (PUSH_FAILED.has(last?.failure?.code ?? "")) return "failed";
  const pull = attempt.pull_request;
  return pull !== null && pull.head_commit === attempt.commit ? "pushed" : "held";
}

type Known = Omit<ShipFacts, "blocks" | "suggested"> & {
  readonly attempt: AttemptDocument;
  readonly conflicts: number;
  readonly canOpen: boolean;
};

function blocksOf({ attempt, rules, checks, allowedChecks, commit, isWorking, conflicts }: Known): Block[] {
  const blocks: Block[] = [];
  if (!isOpen(attempt) && attempt.state !== "removed") blocks.push({ code: "whyCanceled" });
  if (isWorking) blocks.push({ code: "whyWorking" });
  if (rules.some(({ verdict }) => verdict === "reject")) blocks.push({ code: "whyGate" });
  for (const { name, passed, required } of checks)
    if (!passed && required && !allowedChecks.includes(name)) blocks.push({ code: "whyCheck", name });
  if (commit === null && !isWorking) blocks.push({ code: "whyNothing" });
  const pull = attempt.pull_request;
  if (pull !== null && pull.state !== "closed") blocks.push(...pullBlocks(pull));
  else if (conflicts > 0) blocks.push({ code: "whyConflictFiles", count: conflicts });
  return blocks;
}

function pullBlocks(pull: NonNullable<AttemptDocument["pull_request"]>): readonly Block[] {
  const blocks: Block[] = [];
  if (pull.waits || pull.number === null) blocks.push({ code: "whyWaits" });
  if (pull.draft) blocks.push({ code: "whyDraft" });
  for (const name of pull.failed_checks) blocks.push({ code: "whyCheck", name, isSoft: true });
  if (pull.pending_checks.length > 0)
    blocks.push({ code: "whyPending", count: pull.pending_checks.length, isSoft: true });
  if (pull.open_threads.length > 0)
    blocks.push({ code: "whyThreads", count: pull.open_threads.length, isSoft: true });
  if (pull.mergeable === false) blocks.push({ code: "whyConflict" });
  if (pull.trouble !== null) blocks.push({ code: "whyTrouble", name: pull.trouble.message, isSoft: true });
  return blocks;
}

function suggestedStep(given: Known & { readonly blocks: readonly Block[] }): Suggested | null {
  const { attempt, rules, isWorking, pushed, blocks, canOpen } = given;
  if (isWorking || attempt.merged !== null || !isOpen(attempt)) return null;
  if (rules.some(({ verdict }) => verdict === "reject")) return "ask_remove";
  if (blocks.some(({ code, isSoft }) => code === "whyCheck" && isSoft !== true)) return "send_check";
  if (pushed === "held" || pushed === "failed") return "push";
  const pull = attempt.pull_request?.state === "closed" ? null : attempt.pull_request;
  if (pull !== null && pull.failed_checks.length > 0) return "send_forge_checks";
  if (pull !== null && pull.open_threads.length > 0) return "send_threads";
  if (blocks.some(({ code }) => code === "whyConflict" || code === "whyConflictFiles")) return "update";
  if (pull === null && canOpen && pushed === "pushed") return "open_pull";
  return blocks.length === 0 ? "merge" : null;
}

const MOST_OF_SUBJECT = 72;

/** Git and forges cut a longer first line of a message. */
export function isLongSubject(subject: string): boolean {
  return [...subject].length > MOST_OF_SUBJECT;
}
