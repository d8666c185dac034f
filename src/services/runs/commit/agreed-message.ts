/** Lets the repository's own commit-msg hook read, and maybe change, the commit message of a run. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { withOwnTrailers } from "../../../domain/run/commit-message.ts";
import { diffFiles } from "../../../git/index/diff.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import { readPlainFile } from "../../../utils/paths/read-plain-file.ts";
import type { ConfinedContext, Uses } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { hookFolder, runHook } from "../stage/run-hook.ts";
import { ownMessage } from "./own-message.ts";

/** The message to commit with, or the step that ends the run. */
export async function agreedMessage(
  context: ConfinedContext & Uses<"executors">,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<string, Step>> {
  const { run, configuration } = world;
  const own = await ownMessage(context, world);
  if (own.isErr()) return err(gitFailed("commit", own.error));
  const { message, redactor } = own.value;
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
