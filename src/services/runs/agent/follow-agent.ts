/** Follows a working agent's stream: notes its session, answers its protocol (seed 003 Phase 2). */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "../../../domain/agent/events.ts";
import type { AgentParser } from "../../../executors/shared/executor.ts";
import { appendInput, endInput, requestStop } from "../../../keeper/control.ts";
import { KEEPER_FILES } from "../../../keeper/files.ts";
import { tailFile } from "../../../utils/files/tail-file.ts";
import { createTurns } from "../../../utils/locks/turns.ts";
import type { QuestionDesk } from "../../conversation/question-desk.ts";
import type { Uses } from "../../core/context-parts.ts";
import { storeFacts } from "../../run-core/move-run.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { costOver } from "./budget.ts";
import type { PriceUsage } from "./price-usage.ts";
import { bestEffort, createWorkReporter } from "./report-work.ts";

interface FollowOptions {
  readonly parser: AgentParser;
  /** Byte offset at which this start's stream begins. */
  readonly offset: number;
  /** Aborts once the keeper has ended: the rest of the stream is read, then following ends. */
  readonly ended: AbortSignal;
  /** Whether the agent gets replies while it works. */
  readonly speaks: boolean;
  /** Finds a cost for usage that names none. */
  readonly price: PriceUsage;
  readonly desk: QuestionDesk;
}

interface Followed {
  /** The cost at which the run was stopped, in US dollars; null if it never passed its budget meanwhile. */
  readonly overBudget: number | null;
  /** The agent's latest session. */
  readonly session: string | null;
}

/** Resolves when the stream has been read to its end. */
export async function followAgent(
  context: Uses<"db" | "paths" | "timing" | "lastActions" | "reportFault">,
  world: RunWorld,
  options: FollowOptions,
): Promise<Followed> {
  const dir = context.paths.run(world.run.id);
  const work = createWorkReporter(context, world);
  const session = createSessionNoter(context, world);
  const replies = options.speaks ? await createReplier(dir, options.parser) : null;
  await replies?.send();
  let overBudget: number | null = null;
  try {
    for await (const batch of tailFile({
      path: join(dir, KEEPER_FILES.out),
      from: options.offset,
      ended: options.ended,
    })) {
      for (const line of batch) {
        for (const event of options.parser.feed(line.text)) {
          if (event.kind === "session") session.saw(event.sessionId);
          if (event.kind === "question") await askPerson(event, options, replies);
          if (event.kind === "question_withdrawn") await options.desk.withdraw(event.key);
          const known = await priced(event, options.price, session.id());
          work.saw(known);
          const cost = costOver(world, known);
          if (cost !== null && overBudget === null)
            await requestStop(dir, { graceMs: context.timing.graceMs });
          overBudget = cost ?? overBudget;
        }
      }
      await session.store();
      await work.report();
      await replies?.send();
    }
    await session.store();
  } finally {
    // Also after a fault: nothing of the agent is told after the move that follows.
    await work.reportLast();
  }
  return { overBudget, session: session.id() };
}

/** The answer becomes one of the lines that the agent gets. */
async function askPerson(
  { kind: _, key, ...asked }: Extract<AgentEvent, { readonly kind: "question" }>,
  { desk, parser }: FollowOptions,
  replies: Replier | null,
): Promise<void> {
  await desk.ask(key, asked, async (answer) => {
    parser.answer?.(key, answer);
    await replies?.send();
  });
}

async function priced(event: AgentEvent, price: PriceUsage, session: string | null): Promise<AgentEvent> {
  return event.kind === "usage" ? { ...event, usage: await price(event.usage, session) } : event;
}

/** Stores the agent's session; if that fails, tries again the next time. */
function createSessionNoter(context: Uses<"db" | "reportFault">, world: RunWorld) {
  let stored = world.attempt.session?.id ?? null;
  let latest = stored;
  return {
    id: () => latest,
    saw: (id: string) => {
      latest = id;
    },
    store: async () => {
      if (latest === null || latest === stored) return;
      const session = { id: latest, cwd: world.attempt.worktree };
      await bestEffort(context, world, async () => {
        await storeFacts(context, world, { attempt: { session } });
        stored = session.id;
      });
    },
  };
}

interface Replier {
  send(): Promise<void>;
}

/**
 * Writes the lines that the protocol asks for. Lines that were written before a restart are not written twice. Calls
 * wait for one another, since answers come at any time.
 */
async function createReplier(dir: string, parser: AgentParser): Promise<Replier> {
  const keyOf = (line: string) => parser.replyKey?.(line) ?? line;
  const before = tally((await linesOf(join(dir, KEEPER_FILES.in))).map(keyOf));
  let seen = 0;
  let closed = false;
  const inTurn = createTurns();
  const send = async (): Promise<void> => {
    for (const line of (parser.replies?.() ?? []).slice(seen)) {
      const key = keyOf(line);
      const written = before.get(key) ?? 0;
      if (written === 0) await appendInput(dir, line);
      else before.set(key, written - 1);
      seen += 1;
    }
    if (!closed && parser.turnEnded?.() === true) {
      closed = true;
      await endInput(dir);
    }
  };
  return { send: () => inTurn(send) };
}

function tally(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The complete lines of a small file; none if there is no such file. */
async function linesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").slice(0, -1);
}
