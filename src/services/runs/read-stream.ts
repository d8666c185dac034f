/** Reads an agent's raw stream from the disk into events; the stream is the truth, this is only a view of it. */
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { AgentEvent } from "../../domain/agent/events.ts";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import type { AgentParser, Executor } from "../../executors/executor.ts";
import { KEEPER_FILES } from "../../keeper/files.ts";
import type { ServiceContext } from "../context.ts";
import { readLaunch } from "./launch.ts";
import { launchRequest } from "./launch-request.ts";

export interface RecordedStream {
  readonly run: Run;
  readonly attempt: Attempt;
  readonly executor: Executor;
}

/** Every event of a run, all its starts together, oldest first. */
export async function readAgentEvents(context: ServiceContext, of: RecordedStream): Promise<AgentEvent[]> {
  const parser = await parserOfRecord(context, of);
  const events: AgentEvent[] = [];
  await feedFile(join(context.paths.run(of.run.id), KEEPER_FILES.out), (line) => {
    events.push(...parser.feed(line));
  });
  return events;
}

/** A parser for a run's whole stream, which knows the worktree, the model and the session as the run's own did. */
export async function parserOfRecord(
  context: Pick<ServiceContext, "paths" | "newId" | "selfCommand" | "userEnv">,
  { run, attempt, executor }: RecordedStream,
): Promise<AgentParser> {
  const launch = await readLaunch(context.paths.run(run.id));
  const profile = { id: attempt.agent, executor: attempt.executor, model: attempt.model };
  const request = launchRequest(
    context,
    { run, attempt },
    {
      agent: { profile: { ...profile, command: null, args: [], env: {}, home: null } },
      resume: launch?.resumed ?? null,
      prompt: "",
    },
  );
  return executor.parser({ request, previous: launch?.totalsBefore ?? null });
}

/** The last `bytes` of a run's stderr as text; empty where there is none. */
export async function stderrTail(context: ServiceContext, runId: string, bytes = 8192): Promise<string> {
  const file = join(context.paths.run(runId), KEEPER_FILES.err);
  const found = await stat(file).catch(() => null);
  if (found === null) return "";
  const text = await readFile(file, "utf8");
  return text.slice(-bytes);
}

async function feedFile(path: string, onLine: (line: string) => void): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) return;
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) if (line !== "") onLine(line);
}
