/** Tells the programs of an attempt which attempt it is, by variables and by the file that holds the issue. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { handIssue } from "../../effect/hand-issue.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "./step.ts";

/** Tells any of our programs, started by the agent, in which attempt it works. */
export function attemptVariables(
  context: Uses<"paths">,
  world: Pick<RunWorld, "run" | "attempt">,
): Readonly<Record<string, string>> {
  const { run, attempt } = world;
  return {
    TAZUNA_RUN: run.id,
    TAZUNA_ATTEMPT: attempt.id,
    TAZUNA_TASK: attempt.taskId,
    TAZUNA_WORKSPACE: attempt.worktree,
    TAZUNA_ISSUE_FILE: issueFile(context, world),
  };
}

/**
 * Writes the task's issue into the file that the variables name, and answers with the variables. Done before each start
 * of anything that works in the attempt: a reader always finds the issue of that task.
 */
export async function handAttempt(
  context: Uses<"paths">,
  world: Pick<RunWorld, "run" | "attempt" | "task">,
): Promise<Readonly<Record<string, string>>> {
  const { issue, context: background, constraints, createdAt } = world.task;
  const file = issueFile(context, world);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  handIssue(file, {
    issue,
    context: background ?? "",
    constraints: constraints ?? "",
    createdAt: new Date(createdAt),
  });
  return attemptVariables(context, world);
}

function issueFile({ paths }: Uses<"paths">, { run }: Pick<RunWorld, "run">): string {
  return join(paths.run(run.id), "agent", "issue.json");
}
