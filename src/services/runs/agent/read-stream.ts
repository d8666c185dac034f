/** Reads an agent's raw stream from the disk into events; only the stream counts, this is a view of it. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "../../../domain/agent/events.ts";
import type { Attempt } from "../../../domain/attempt/attempt.ts";
import type { ToldLaunch } from "../../../domain/run/log-series.ts";
import type { Run } from "../../../domain/run/run.ts";
import type { AgentParser, Executor } from "../../../executors/shared/executor.ts";
import { KEEPER_FILES } from "../../../keeper/files.ts";
import { seriesOfRun } from "../../../storage/team/log-chunks.ts";
import { isThere } from "../../../utils/files/is-there.ts";
import { tailFile } from "../../../utils/files/tail-file.ts";
import type { Uses } from "../../core/context-parts.ts";
import { ownWorker } from "../../core/held-elsewhere.ts";
import { createFedFile } from "../../log-chunks/fed-file.ts";
import { createChunkReader } from "../../log-chunks/read-chunks.ts";
import { readToldLaunch } from "../../log-chunks/told-launch.ts";
import { launchRequest } from "./launch-request.ts";

export interface RecordedStream {
  readonly run: Run;
  readonly attempt: Attempt;
  readonly executor: Executor;
}

/** Every event of a run, all its starts together, oldest first: what other workers sent of it, and what lies here. */
export async function readAgentEvents(
  context: Uses<"db" | "owner" | "objectKeys" | "paths" | "newId" | "userEnv" | "selfCommand">,
  recorded: RecordedStream,
): Promise<AgentEvent[]> {
  const dir = context.paths.run(recorded.run.id);
  const events = await eventsOfOthers(context, recorded);
  const path = join(dir, KEEPER_FILES.out);
  if (!(await isThere(path))) return events;
  const parser = parserOfRecord(context, recorded, await readToldLaunch(dir));
  for await (const batch of tailFile({ path, from: 0, ended: AbortSignal.abort() }))
    for (const line of batch) events.push(...parser.feed(line.text));
  return events;
}

async function eventsOfOthers(
  context: Uses<"db" | "owner" | "objectKeys" | "paths" | "newId" | "userEnv" | "selfCommand">,
  recorded: RecordedStream,
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  const { reader } = context.db;
  const own = ownWorker(context);
  const all = own === null ? [] : await seriesOfRun(reader, recorded.run.id);
  for (const series of all.filter(({ workerId }) => workerId !== own)) {
    const parser = parserOfRecord(context, recorded, series.launch);
    const out = createFedFile();
    for await (const pieces of createChunkReader(series).pieces(context, series))
      for (const line of pieces.flatMap((piece) => (piece.file === "out" ? out.feed(piece) : [])))
        events.push(...parser.feed(line.text));
  }
  return events;
}

/**
 * A parser for a run's whole stream, with the worktree, the model and the session of the run's own parser. `launch` is what
 * is known of the agent's start.
 */
export function parserOfRecord(
  context: Uses<"paths" | "newId" | "selfCommand" | "userEnv">,
  { run, attempt, executor }: RecordedStream,
  launch: ToldLaunch | null,
): AgentParser {
  const profile = { id: attempt.agent, executor: attempt.executor, model: attempt.model };
  const request = launchRequest(
    context,
    { run, attempt },
    {
      agent: {
        profile: { ...profile, command: null, args: [], env: {}, home: null, login: null, approvals: null },
      },
      resume: launch?.resumed ?? null,
      prompt: "",
      approvals: launch?.approvals ?? "never",
    },
  );
  return executor.parser({ request, previous: launch?.totalsBefore ?? null });
}

/** The last `bytes` of a run's stderr as text; empty if there is none. */
export async function stderrTail(context: Uses<"paths">, runId: string, bytes = 8192): Promise<string> {
  const file = await open(join(context.paths.run(runId), KEEPER_FILES.err), "r").catch(() => null);
  if (file === null) return "";
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(bytes, size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
