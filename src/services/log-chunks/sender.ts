/** Sends what is new in the logs of this worker's runs to the database, by one statement (ADR 0094). */
import type { ToldLaunch } from "../../domain/run/log-series.ts";
import { isEnded, type RunStatus } from "../../domain/run/state.ts";
import { type SentPart, sendParts } from "../../storage/team/log-chunks.ts";
import type { Uses } from "../core/context-parts.ts";
import { newPieces } from "./new-pieces.ts";
import { NOTHING, type SendingRun, SendingRuns, type Stored } from "./sending-runs.ts";
import { readToldLaunch } from "./told-launch.ts";

export type SenderContext = Uses<"db" | "paths" | "leases">;

/** The most bytes of one statement, before they are compressed. What is left is sent by the next ones. */
const STATEMENT_BYTES = 4 * 1024 * 1024;
/** The most runs of one statement: a Postgres takes 65,535 values. */
const STATEMENT_RUNS = 1_000;

/**
 * Each call sends what is new, at most 4 MiB of it; nothing if no run is on its way. What an earlier process of the worker
 * had not sent is sent too. `onFault` is told of runs whose files cannot be read.
 */
export function createLogSender(
  context: SenderContext,
  { worker, onFault }: { readonly worker: string; readonly onFault: (error: unknown) => void },
): () => Promise<void> {
  const { db, leases } = context;
  const runs = new SendingRuns(context, worker);
  return async () => {
    await runs.look();
    const turn = runs.turn(STATEMENT_RUNS);
    const parts: SentPart[] = [];
    let left = STATEMENT_BYTES;
    for (const [index, [id, sending]] of turn.entries()) {
      const share = Math.ceil(left / (turn.length - index));
      try {
        const { part, bytes } = await partOf(context, { id, sending, isHeld: leases.has(id), share });
        left = Math.max(0, left - bytes);
        parts.push(part);
      } catch (error) {
        onFault(error);
      }
    }
    if (parts.length === 0) return;
    runs.sending(parts);
    runs.sent(parts, new Map(turn), await sendParts(db, worker, parts));
  };
}

/** What is new of one run. Its status was asked for before the files are read, so all of that status is in them. */
async function partOf(
  { paths }: Uses<"paths">,
  run: {
    readonly id: string;
    readonly sending: SendingRun;
    readonly isHeld: boolean;
    /** The most bytes. */
    readonly share: number;
  },
): Promise<{ readonly part: SentPart; readonly bytes: number }> {
  const { id, sending, isHeld, share } = run;
  const stored = sending.stored ?? NOTHING;
  const dir = paths.run(id);
  const { pieces, sent, isAll } = await newPieces(dir, stored.sent, share);
  const launch = await readToldLaunch(dir);
  const state = isAll ? stateAfter(stored.state, sending.status, isHeld) : stored.state;
  const chunks = await Promise.all(
    pieces.map(async ({ bytes, ...piece }) => ({ ...piece, bytes: await Bun.zstdCompress(bytes) })),
  );
  const isNews = pieces.length > 0 || state !== stored.state || !isSame(launch, stored.launch);
  const next = isNews ? { chunks: stored.chunks + chunks.length, sent, launch, state } : null;
  return {
    part: { runId: id, epoch: sending.epoch, chunks, next },
    bytes: pieces.reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

/** It never goes back, as the run's status does not. */
function stateAfter(before: Stored["state"], status: RunStatus | null, isHeld: boolean): Stored["state"] {
  if (status === null || status === "PENDING" || status === "RUNNING") return before;
  return isEnded(status) && !isHeld ? "ended" : "printed";
}

function isSame(one: ToldLaunch | null, other: ToldLaunch | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
