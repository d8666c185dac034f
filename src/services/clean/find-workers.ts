/** Finds the processes that still have to do with attempts that nobody is said to work on. */
import { realpath } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { listMarked } from "../../utils/process-identity.ts";
import { workersIn, workingFolders } from "../../utils/working-in.ts";

export interface IdleAttempt {
  readonly attempt: Attempt;
  readonly runs: readonly { readonly id: string }[];
}

/** How long a keeper that has said how its agent ended may take to end itself. */
const CLOSING_MS = 1_500;
const LOOK_MS = 150;

/** By attempt: who works in its worktree or carries its marks, once those that are just ending have ended. */
export async function findWorkers(
  idle: readonly IdleAttempt[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const deadline = performance.now() + CLOSING_MS;
  for (;;) {
    const found = await workersNow(idle);
    if (found.size === 0 || performance.now() > deadline) return found;
    await delay(LOOK_MS);
  }
}

/** Three readings of the process table, however many attempts. */
async function workersNow(idle: readonly IdleAttempt[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const folders = (await workingFolders()) ?? new Map<number, string>();
  const ofAttempt = Map.groupBy(await listMarked("TAZUNA_ATTEMPT"), ({ value }) => value);
  const ofRun = Map.groupBy(await listMarked("TAZUNA_RUN"), ({ value }) => value);
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
