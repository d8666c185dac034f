/** Announces what a working agent did last and what it has used, as facts. */
import type { Usage } from "../../../domain/agent/counters.ts";
import type { AgentEvent } from "../../../domain/agent/events.ts";
import { addUsage } from "../../../domain/agent/usage.ts";
import { USAGE, usageData } from "../../../domain/agent/usage-fact.ts";
import type { Run } from "../../../domain/run/run.ts";
import { latestFacts } from "../../../storage/tables/facts.ts";
import type { Uses } from "../../core/context-parts.ts";
import type { RunWorld } from "../../run-core/step.ts";

/** They are stored in batches, with those of the other runs. */
export function createWorkReporter(
  context: Uses<"db" | "lastActions" | "reportFault">,
  { task, attempt, run, epoch }: RunWorld,
) {
  const ids = { taskId: task.id, attemptId: attempt.id, runId: run.id };
  const unsaid = new Map<string, Readonly<Record<string, unknown>>>();
  let message = "";
  let isFirst = true;
  const tell = async (): Promise<void> => {
    if (unsaid.size === 0) return;
    // An engine that finds a working agent reads its stream once more: what was told keeps its time.
    if (isFirst && (await wasTold(context, run.id, unsaid.get(ACTION)))) unsaid.delete(ACTION);
    isFirst = false;
    for (const [kind, data] of unsaid) context.lastActions.tell({ epoch, fact: { kind, ...ids, data } });
    unsaid.clear();
  };
  return {
    saw: (event: AgentEvent) => {
      if (event.kind === "message") message = `${event.delta ? message : ""}${event.text}`.slice(0, 1_000);
      const action = actionOf(event, message);
      if (action !== null) unsaid.set(ACTION, { ...action });
      if (event.kind === "usage") unsaid.set(USAGE, usageData(usageSoFar(run, event.usage)));
    },
    report: tell,
    /** Resolves once all of it is stored: the run moves on then. */
    reportLast: async () => {
      await tell();
      await context.lastActions.flush(run.id);
    },
  };
}

const ACTION = "run.action";

/** Whether this is the last action that was told of the run. */
async function wasTold(context: Uses<"db">, run: string, action: unknown): Promise<boolean> {
  const told = await latestFacts(context.db.reader, { kind: ACTION, runIds: [run] }).catch(() => null);
  const last = told?.get(run)?.data;
  return last !== undefined && JSON.stringify(last) === JSON.stringify(action);
}

/** A run that waited for its provider was started more than once: the usage of all its starts. */
function usageSoFar(run: Run, usage: Usage): Usage {
  return run.usage === null ? usage : addUsage(run.usage, usage);
}

/** A fact for readers is not worth the turn: a failed write is reported, and the agent is followed on. */
export async function bestEffort(
  context: Uses<"reportFault">,
  world: RunWorld,
  write: () => Promise<void>,
): Promise<void> {
  await write().catch((error: unknown) => context.reportFault(`following run ${world.run.id}`, error));
}

interface Action {
  readonly title: string;
  readonly tool: string | null;
}

/** `message` is the beginning of the agent's current message, joined from its pieces. */
function actionOf(event: AgentEvent, message: string): Action | null {
  switch (event.kind) {
    case "tool_call":
      return { title: event.title, tool: event.tool };
    case "message":
      return message.trim() === "" ? null : { title: firstWords(message), tool: null };
    case "retry":
      return { title: `Trying again: ${firstWords(event.message)}`, tool: null };
    default:
      return null;
  }
}

function firstWords(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
