/** Names what a run in the queue waits for, as the scheduler found it. */
import { z } from "zod";
import type { Run } from "./run.ts";

/**
 * `labels`: a worker that has these. `attempt`: the run before it in its attempt. `draining`: its worker begins nothing
 * now. `clock_off`: the same, since its clock is far from that of the database. `fenced`: its agent was stopped
 * because its lease was not renewed in time, and starts again. `disk`: room on the disk. `clone`: its clone, which went for
 * room and could not be made anew, as `why` says; the next try is at `until`. `login`: the limit of its login resets at
 * `until`. `worker_silent` and `worker_stopped`: its `worker`, which is not there.
 * `worker_older`: its `worker`, whose program does not know such runs yet. The others are the settings `limits.…` of that name, with their value as `limit`.
 */
const WAIT_REASONS = [
  "labels",
  "attempt",
  "draining",
  "clock_off",
  "fenced",
  "disk",
  "clone",
  "login",
  "parallel",
  "per_repository",
  "per_login",
  "worker_silent",
  "worker_stopped",
  "worker_older",
] as const;

export const waitReason = z.enum(WAIT_REASONS);

export const waiting = z.object({
  reason: waitReason,
  limit: z.number().nullable(),
  /** UTC ISO. */
  until: z.string().nullable(),
  /** How people call it. */
  worker: z.string().exactOptional(),
  labels: z.array(z.string()).exactOptional(),
  /** A sentence. */
  why: z.string().exactOptional(),
});
export type Waiting = z.infer<typeof waiting>;

/** The waiting for one reason; fields of other reasons are null, or absent. */
export function waitingFor(
  reason: Waiting["reason"],
  more: {
    readonly limit?: number;
    readonly until?: string;
    readonly worker?: string;
    readonly labels?: readonly string[];
    readonly why?: string;
  } = {},
): Waiting {
  const { limit = null, until = null, worker, labels, why } = more;
  const named = {
    ...(worker === undefined ? {} : { worker }),
    ...(labels === undefined ? {} : { labels: [...labels] }),
    ...(why === undefined ? {} : { why }),
  };
  return { reason, limit, until, ...named };
}

/** Whether the run waits for a person while its agent's process lives and keeps its slot. */
export function waitsInProcess({
  phase,
  resumeAt,
  options,
}: Pick<Run, "phase" | "resumeAt" | "options">): boolean {
  return phase === "waiting" && resumeAt === null && options.parked !== true;
}

/** Whether the run waits for a person without a process and without a slot. */
export function isParked({ phase, resumeAt, options }: Pick<Run, "phase" | "resumeAt" | "options">): boolean {
  return phase === "waiting" && resumeAt === null && options.parked === true;
}

/** Whether the run has begun and needs no slot to go on. One that is to be stopped only ends. */
export function hasBegun(run: Pick<Run, "phase" | "stopRequest" | "resumeAt" | "options">): boolean {
  const { phase, stopRequest } = run;
  return (phase !== "queued" && phase !== "waiting") || waitsInProcess(run) || stopRequest !== null;
}

/** Counts the starts of a run's agent that were due before the next one. */
export function startsBefore({ options }: Pick<Run, "options">): number {
  return (options.restarts ?? 0) + (options.parks ?? 0) + (options.fences ?? 0);
}

/**
 * Whether a wait goes on; all times are UTC ISO. If the wait began later than now, the clock was set back, and the
 * wait no longer counts. Else the run would wait for as long again. A request that is too early costs one answer,
 * which names the time anew.
 */
export function stillWaits(wait: { readonly began: string; readonly until: string }, now: string): boolean {
  return wait.began <= now && now < wait.until;
}

/**
 * What a run waits for now, by the latest report. Null without a report, or if it is not in the queue. A report from
 * before the end of a rate limit belongs to an earlier stay in the queue. One that is prepared waits for its clone alone.
 */
export function waitingNow(
  run: Pick<Run, "status" | "phase" | "held" | "startedAt" | "resumeAt" | "options">,
  lastFact: { readonly at: string; readonly data: unknown } | undefined,
): Waiting | null {
  const queued = run.status === "PENDING" && run.phase === "queued" && !run.held;
  const back = run.phase === "waiting" && run.resumeAt !== null && (lastFact?.at ?? "") >= run.resumeAt;
  const report = waiting.safeParse(lastFact?.data).data ?? null;
  const prepared = run.phase === "preparing" && (lastFact?.at ?? "") >= (run.startedAt ?? "");
  const told = queued || back || (prepared && report?.reason === "clone") ? report : null;
  return told ?? (run.phase === "waiting" && run.options.fenced === true ? waitingFor("fenced") : null);
}
