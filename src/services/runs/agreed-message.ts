/** Writes a run's commit message and lets the repository's own commit-msg hook read (and maybe change) it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { createRedactor } from "../../domain/agent/redact.ts";
import { commitMessage, isCommitOfRun } from "../../domain/run/commit-message.ts";
import type { Run } from "../../domain/run/run.ts";
import { diffFiles } from "../../git/diff.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { secretsOf } from "../confinement/secrets-of.ts";
import type { ServiceContext } from "../context.ts";
import { gitFailed } from "./git-failure.ts";
import { runHook } from "./run-hook.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/** The message to commit with, or the step that ends the run. */
export async function agreedMessage(
  context: ServiceContext,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<string, Step>> {
  const { run, attempt, task, configuration } = world;
  const author = authorOf(world);
  const executor = context.executors.get(attempt.executor);
  const values = await secretsOf(context, world);
  if (values.isErr()) return err(gitFailed("commit", values.error));
  const redactor = createRedactor({ values: values.value });
  // Before they are made into a message: with a capital at its start a token is none any more.
  const message = commitMessage({
    instruction: redactor.text(run.instruction),
    summary: redactor.text(author.summary ?? ""),
    taskId: task.id,
    runId: run.id,
    author: author.kind === "agent" ? (executor?.author ?? null) : null,
  });
  if (configuration.values.hooks === "off") return ok(message);
  const file = join(context.paths.run(run.id), "commit-message.txt");
  await writeFile(file, message, { mode: 0o600 });
  const files = await diffFiles(context.git, target, "staged");
  if (files.isErr()) return err(gitFailed("commit", files.error));
  const changed = new Set(files.value.map(({ path }) => path));
  const stopped = await runHook(context, world, { name: "commit-msg", args: [file], changed, target });
  if (stopped !== null) return err(stopped);
  const agreed = redactor.text(await readFile(file, "utf8"));
  if (isCommitOfRun(agreed, run.id)) return ok(agreed);
  return err(
    failed(
      "hook_failed",
      "The hook commit-msg took the trailers of the message away, by which Tazuna knows its commits.",
    ),
  );
}

/** The run whose work is committed: what the gate kept back is an agent's, whoever allowed it later. */
function authorOf({ run, earlier }: RunWorld): Run {
  const { allowance, retryOf } = run.options;
  return (allowance && earlier.find(({ id }) => id === retryOf)) ?? run;
}
