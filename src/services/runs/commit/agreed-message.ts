/** Writes a run's commit message and lets the repository's own commit-msg hook read (and maybe change) it. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { createRedactor } from "../../../domain/agent/redact.ts";
import { executorsOf, type Origin, originTrailers } from "../../../domain/attempt/origin.ts";
import { commitMessage, withOwnTrailers } from "../../../domain/run/commit-message.ts";
import type { Run } from "../../../domain/run/run.ts";
import { isCommitUndone } from "../../../domain/undo/undone-commit.ts";
import { diffFiles } from "../../../git/index/diff.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import { readPlainFile } from "../../../utils/paths/read-plain-file.ts";
import { secretsOf } from "../../confinement/secrets-of.ts";
import type { ConfinedContext, Uses } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { hookFolder, runHook } from "../stage/run-hook.ts";

/** The message to commit with, or the step that ends the run. */
export async function agreedMessage(
  context: ConfinedContext & Uses<"executors">,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<string, Step>> {
  const { run, attempt, task, configuration } = world;
  const author = authorOf(world);
  const origin = originOf(world);
  const executors = [
    ...(author.kind === "agent" ? [attempt.executor] : []),
    ...(origin === null ? [] : executorsOf(origin)),
  ];
  const authors = new Set(executors.flatMap((id) => context.executors.get(id)?.author ?? []));
  const values = await secretsOf(context, world);
  if (values.isErr()) return err(gitFailed("commit", values.error));
  const redactor = createRedactor({ values: values.value });
  // Done before the message is made: a token with a capital at its start would no longer be recognized.
  const message = commitMessage({
    instruction: redactor.text(run.instruction),
    summary: redactor.text(author.summary ?? ""),
    message: run.options.message === undefined ? null : redactor.text(run.options.message),
    taskId: task.id,
    runId: run.id,
    authors: [...authors],
    from: origin === null ? [] : originTrailers(origin).map(redactor.text),
  });
  if (configuration.values.hooks === "off") return ok(message);
  const folder = await hookFolder(context, run.id);
  const file = join(folder, "COMMIT_EDITMSG");
  await rm(file, { recursive: true, force: true });
  await writeFile(file, message, { mode: 0o600 });
  const files = await diffFiles(context.git, target, "staged");
  if (files.isErr()) return err(gitFailed("commit", files.error));
  const changed = new Set(files.value.map(({ path }) => path));
  const stopped = await runHook(context, world, { name: "commit-msg", args: [file], changed, target });
  if (stopped !== null) return err(stopped);
  const agreed = readPlainFile(file, MAX_MESSAGE_LENGTH)?.replaceAll("\0", "") ?? "";
  if (agreed.trim() !== "") return ok(withOwnTrailers(redactor.text(agreed), message));
  const reason =
    "The hook commit-msg left no message that can be used: it is gone, empty, no file, or too long.";
  return err(failed("hook_failed", reason, { details: { hook: "commit-msg" } }));
}

/** In bytes. Git gets the message as one argument, and no system allows a much longer one. */
const MAX_MESSAGE_LENGTH = 64 * 1024;

/** What the attempt began with, if no commit of it holds that yet. */
function originOf({ attempt, earlier }: RunWorld): Origin | null {
  const isIn = earlier.some(({ commit, notes }) => commit !== null && !isCommitUndone(notes));
  return isIn ? null : attempt.origin;
}

/** The run whose work is committed: what the gate kept back is an agent's, no matter who allowed it later. */
function authorOf({ run, earlier }: RunWorld): Run {
  const { allowance, retryOf } = run.options;
  return (allowance && earlier.find(({ id }) => id === retryOf)) ?? run;
}
