/** Announces what a working agent did last and what it has used, as facts. */
import type { Usage } from "../../../domain/agent/counters.ts";
import type { AgentEvent } from "../../../domain/agent/events.ts";
import { addUsage } from "../../../domain/agent/usage.ts";
import { USAGE, usageData } from "../../../domain/agent/usage-fact.ts";
import { appendFact, latestFacts } from "../../../storage/tables/facts.ts";
import { transact } from "../../../storage/transact.ts";
import type { Uses } from "../../core/context-parts.ts";
import type { RunWorld } from "../../run-core/step.ts";

/** Each kind of fact at most once in `actionFactMs`. */
export function createWorkReporter(
  context: Uses<"db" | "clock" | "timing" | "newFacts" | "reportFault">,
  world: RunWorld,
) {
  const { task, attempt, run } = world;
  const ids = { taskId: task.id, attemptId: attempt.id, runId: run.id };
  const unsaid = new Map<string, Readonly<Record<string, unknown>>>();
  let message = "";
  let reportedAt = Number.NEGATIVE_INFINITY;
  let isFirst = true;
  const write = async (): Promise<void> => {
    if (unsaid.size === 0) return;
    // An engine that finds a working agent reads its stream once more: what was told keeps its time.
    if (isFirst && (await wasTold(context, run.id, unsaid.get(ACTION)))) unsaid.delete(ACTION);
    isFirst = false;
    const news = [...unsaid];
    unsaid.clear();
    reportedAt = performance.now();
    await bestEffort(context, world, async () => {
      const at = context.clock.iso();
      await transact(context.db, async (trx) => {
        for (const [kind, data] of news) await appendFact(trx, { at, kind, ...ids, data });
      });
      context.newFacts.notify();
    });
  };
  return {
    saw: (event: AgentEvent) => {
      if (event.kind === "message") message = `${event.delta ? message : ""}${event.text}`.slice(0, 1_000);
      const action = actionOf(event, message);
      if (action !== null) unsaid.set(ACTION, { ...action });
      if (event.kind === "usage") unsaid.set(USAGE, usageData(usageSoFar(world, event.usage)));
    },
    report: async () => {
      if (performance.now() - reportedAt >= context.timing.actionFactMs) await write();
    },
    reportLast: write,
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
function usageSoFar({ run }: RunWorld, usage: Usage): Usage {
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
