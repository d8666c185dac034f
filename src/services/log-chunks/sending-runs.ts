/** Knows the runs whose logs are not sent as a whole yet, and how much of them is (ADR 0094). */
import { type LogSeries, NOTHING_SENT } from "../../domain/run/log-series.ts";
import { isEnded, type RunStatus } from "../../domain/run/state.ts";
import { type SentPart, seriesOfWorker, unsentRuns } from "../../storage/team/log-chunks.ts";
import type { Uses } from "../core/context-parts.ts";

/** The files are the truth: nothing of them is kept in memory. */
export interface SendingRun {
  readonly epoch: number;
  /** What is stored; null before it was read, and after a statement that may or may not have been carried out. */
  readonly stored: Stored | null;
  /** As the last statement found it; null before the first one. */
  readonly status: RunStatus | null;
}

export type Stored = Pick<LogSeries, "chunks" | "sent" | "launch" | "state">;

export const NOTHING: Stored = { chunks: 0, sent: NOTHING_SENT, launch: null, state: "going" };

/** How long ago a run may have ended whose log an earlier process did not send as a whole. */
const UNSENT_MS = 24 * 3_600_000;

/** So often it is looked for runs that were driven to their end between two statements. */
const LOOK_MS = 20_000;

/** The runs of one worker. Those that an earlier process or lease of it left are found by a look. */
export class SendingRuns {
  private readonly runs = new Map<string, SendingRun>();
  /** When it was looked last for runs that had ended; null if it is due. */
  private lookedAt: number | null = null;
  private first = 0;

  private readonly context: Uses<"db" | "leases">;
  private readonly worker: string;

  constructor(context: Uses<"db" | "leases">, worker: string) {
    this.context = context;
    this.worker = worker;
  }

  /** Which runs there are now, and what of them is stored. */
  async look(): Promise<void> {
    const { db, leases } = this.context;
    if (this.lookedAt === null || performance.now() - this.lookedAt > LOOK_MS) {
      const rest = await unsentRuns(db.reader, { worker: this.worker, withinMs: UNSENT_MS });
      for (const { id, epoch, status } of rest)
        if (!this.runs.has(id)) this.runs.set(id, { epoch, stored: null, status });
      this.lookedAt = performance.now();
    }
    for (const [id, { epoch, lost }] of leases)
      if (epoch !== null && !lost.signal.aborted && this.runs.get(id)?.epoch !== epoch)
        this.runs.set(id, { epoch, stored: null, status: null });
    const unknown = [...this.runs].filter(([, { stored }]) => stored === null);
    const ids = unknown.map(([id]) => id);
    const series = await seriesOfWorker(db.reader, { worker: this.worker, runs: ids });
    for (const [id, run] of unknown) this.runs.set(id, { ...run, stored: series.get(id) ?? NOTHING });
  }

  /** Some of them, beginning with others each time: one that prints without end leaves room for the rest. */
  turn(most: number): readonly (readonly [id: string, run: SendingRun])[] {
    const all = [...this.runs];
    const turn = [...all.slice(this.first), ...all.slice(0, this.first)].slice(0, most);
    this.first = (this.first + (turn.length < all.length ? turn.length : 1)) % Math.max(1, all.length);
    return turn;
  }

  /** Until the answer is there it is not known what is stored. */
  sending(parts: readonly SentPart[]): void {
    for (const { runId, next } of parts) {
      const run = this.runs.get(runId);
      if (run !== undefined && next !== null) this.runs.set(runId, { ...run, stored: null });
    }
  }

  /** The statement was carried out: `found` has the status of those runs that this worker may write. */
  sent(
    parts: readonly SentPart[],
    before: ReadonlyMap<string, SendingRun>,
    found: ReadonlyMap<string, RunStatus>,
  ) {
    for (const { runId, epoch, next } of parts) {
      const status = found.get(runId);
      const stored = next ?? before.get(runId)?.stored ?? null;
      const isQuiet = next === null && !this.context.leases.has(runId);
      // This worker itself may have taken and released it since, and ended the run.
      if (status === undefined) this.lookedAt = null;
      if (status === undefined || isOver(status, stored, isQuiet)) this.runs.delete(runId);
      else this.runs.set(runId, { epoch, status, stored });
    }
  }
}

/** Nothing more comes: all of it is sent, or nothing is new and the run waits without a driver. */
function isOver(status: RunStatus, stored: Stored | null, isQuiet: boolean): boolean {
  return stored?.state === "ended" || (isQuiet && !isEnded(status));
}
