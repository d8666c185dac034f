/** Gathers the facts about attempts that must be known before any of them may be cleaned up. */

import { realpath } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Attempt, Merged } from "../../domain/attempt/attempt.ts";
import { type AttemptFacts, judgeAttempt, type Work } from "../../domain/clean/judge-attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { findWork } from "../../git/worktree/uncommitted.ts";
import { personsLock } from "../../git/worktree/worktree-list.ts";
import { RUN_MARKER } from "../../keeper/files.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { lstatOrNull } from "../../utils/files/is-there.ts";
import { listMarked } from "../../utils/programs/process-identity.ts";
import { workersIn, workingFolders } from "../../utils/programs/working-in.ts";
import { heldByOthers } from "../branches/remove-branch.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlaceOf } from "../core/find-place.ts";
import { findMerge } from "../landing/find-merge.ts";
import { offersOf } from "../returned/left-of.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { leftUntouched } from "../worktrees/left-by-setup.ts";
import { pointsAt } from "../worktrees/own-pointer.ts";

export interface ExaminedAttempt {
  readonly attempt: Attempt;
  /** How all of its work came into its target; null if that is not known. */
  readonly merged: Merged | null;
  readonly facts: AttemptFacts;
}

interface Known {
  readonly attempt: Attempt;
  readonly repository: Repository | null;
  readonly runs: readonly Run[];
  readonly place: AttemptFacts["place"];
  readonly locked: AttemptFacts["locked"];
}

/** Asks git a few times for each attempt whose answer matters, and twice more for each repository. */
export async function examineAttempts(
  context: Uses<"db" | "git" | "paths" | "clock" | "configuration">,
  attempts: readonly Attempt[],
  named: boolean,
): Promise<readonly ExaminedAttempt[]> {
  const all: Known[] = [];
  for (const attempt of attempts) all.push(await readKnownFacts(context, attempt));
  const idle = all.filter(({ attempt, runs }) => attempt.state === "open" && runs.every(hasEnded));
  const workers = await findWorkers(idle);
  const quiet = idle.filter(({ attempt, place }) => place === "there" && !workers.has(attempt.id));
  const works = await examineWorktrees(context, quiet);
  const offers = await offersOf(
    context,
    attempts.map(({ id }) => id),
  );
  const examined: ExaminedAttempt[] = [];
  for (const { attempt, runs, place, locked } of all) {
    const { id, branch, worktree, state, cleanUp, gitDir } = attempt;
    const work = works.get(id) ?? ({ of: "not_asked" } as const);
    const pids = workers.get(id) ?? [];
    const made = gitDir !== null;
    const facts = { id, branch, worktree, state, cleanUp, named, runs, place, made, locked, pids, work };
    const cameBack = offers.get(id)?.map(({ name }) => name) ?? [];
    examined.push(await withMerge(context, attempt, { ...facts, cameBack, mergedInto: null }));
  }
  return examined;
}

/** Persons merge too, in their own ways: git is asked if that decides. */
async function withMerge(
  context: Uses<"db" | "git" | "clock" | "configuration">,
  attempt: Attempt,
  facts: AttemptFacts,
): Promise<ExaminedAttempt> {
  const decides = attempt.merged !== null || !judgeAttempt({ ...facts, named: false }).go;
  const isIdle = facts.state === "open" && facts.made && facts.runs.length > 0 && facts.pids.length === 0;
  const merged = decides && isIdle ? await findMerge(context, attempt.id) : null;
  return { attempt, merged, facts: { ...facts, mergedInto: merged?.target ?? null } };
}

const hasEnded = ({ status }: Run) => isEnded(status);

/** What is known without git. */
async function readKnownFacts(context: Uses<"db">, attempt: Attempt): Promise<Known> {
  const { reader } = context.db;
  const repository = (await findPlaceOf(reader, attempt))?.repository ?? null;
  const place = await placeOf(attempt.worktree);
  const locked = attempt.gitDir === null ? null : await personsLock(attempt.gitDir).catch(() => null);
  return { attempt, repository, runs: await runsOfAttempt(reader, attempt.id), place, locked };
}

/** A place that the system does not let us look at is not gone. Git then says why it cannot read it. */
async function placeOf(worktree: string): Promise<Known["place"]> {
  try {
    const found = await lstatOrNull(worktree);
    return found === null ? "gone" : found.isDirectory() ? "there" : "replaced";
  } catch {
    return "there";
  }
}

async function examineWorktrees(
  context: Uses<"db" | "git" | "paths">,
  quiet: readonly Known[],
): Promise<ReadonlyMap<string, Work>> {
  const works = new Map<string, Work>();
  for (const neighbours of Map.groupBy(quiet, (each) => each.repository?.id).values()) {
    const repository = neighbours[0]?.repository ?? null;
    const seen: Seen[] = [];
    for (const { attempt } of neighbours) seen.push(await examineWork(context, attempt));
    const commits = seen.flatMap(({ head }) => head ?? []);
    const held = repository === null ? new Set() : await heldByOthers(context, repository, commits);
    for (const { id, head, work } of seen)
      works.set(id, work.of === "known" ? { ...work, heldElsewhere: held.has(head) } : work);
  }
  return works;
}

interface Seen {
  readonly id: string;
  readonly head: string | null;
  readonly work: Work;
}

async function examineWork(context: Uses<"db" | "git" | "paths">, attempt: Attempt): Promise<Seen> {
  const { id, gitDir, branch } = attempt;
  if (gitDir === null) return { id, head: null, work: { of: "not_asked" } };
  const found = await findWork(context.git, worktreeTarget(attempt));
  if (found.isErr()) return { id, head: null, work: { of: "unknown", message: found.error.message } };
  const { head, ...work } = found.value;
  const left = work.uncommitted.length === 0 ? new Set() : await leftUntouched(context, attempt);
  const uncommitted = work.uncommitted.filter((path) => !left.has(path));
  const linked = pointsAt(attempt.worktree, gitDir);
  const onBranch = head.branch === branch && head.sha !== null;
  return {
    id,
    head: head.sha,
    work: { of: "known", ...work, uncommitted, linked, onBranch, heldElsewhere: false },
  };
}

interface IdleAttempt {
  readonly attempt: Attempt;
  readonly runs: readonly { readonly id: string }[];
}

/** How long a keeper may take to exit after it has reported its agent's end. */
const CLOSING_MS = 1_500;
const POLL_MS = 150;

/**
 * The processes, by attempt, that still belong to attempts without a working run. They work in its worktree or carry
 * its marks. Processes that are just ending get time to end first.
 */
async function findWorkers(idle: readonly IdleAttempt[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const deadline = performance.now() + CLOSING_MS;
  for (;;) {
    const found = await workersNow(idle);
    if (found.size === 0 || performance.now() > deadline) return found;
    await delay(POLL_MS);
  }
}

/** Reads the process table three times, however many attempts there are. */
async function workersNow(idle: readonly IdleAttempt[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const folders = (await workingFolders()) ?? new Map<number, string>();
  const ofAttempt = Map.groupBy(await listMarked("TAZUNA_ATTEMPT"), ({ value }) => value);
  const ofRun = Map.groupBy(await listMarked(RUN_MARKER), ({ value }) => value);
  const found = new Map<string, readonly number[]>();
  for (const { attempt, runs } of idle) {
    const { id, worktree } = attempt;
    const marked = [...(ofAttempt.get(id) ?? []), ...runs.flatMap((run) => ofRun.get(run.id) ?? [])];
    const real = await realpath(worktree).catch(() => worktree);
    const pids = new Set([...workersIn(real, folders), ...marked.map(({ pid }) => pid)]);
    if (pids.size > 0) found.set(id, [...pids]);
  }
  return found;
}
