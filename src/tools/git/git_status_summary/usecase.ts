/** Asks git where the repository is and what its state is, with exactly two processes (seed 000 §5). */
import { err, ok, type Result } from "neverthrow";
import type { Host } from "../../core/context.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { runCommand } from "../../exec/exec_command/usecase.ts";
import { inheritedGitEnvironment } from "../run/inherited-environment.ts";
import { parseBranch } from "./parse_branch.ts";
import type { GitStatusSummaryOutput } from "./types.ts";

const TOP_LEVEL = ["git", "rev-parse", "--show-toplevel"] as const;
const STATUS = ["git", "-c", "core.quotePath=false", "status", "--porcelain=v1", "--branch"] as const;
const TIMEOUT_MS = 30_000;
/** UTF-16 units; a longer status is an error, never a cut one. */
const LONGEST_STATUS = 64 * 1024 * 1024;
/** A bare repository and the inside of `.git` have no working tree either. */
const NO_REPOSITORY = /not a git repository|must be run in a work tree/i;

export async function gitStatusSummary(
  cwd: string,
  { host, ...options }: CallOptions & { readonly host: Host },
): Promise<Result<GitStatusSummaryOutput, ToolRefusal>> {
  const ask = (command: readonly string[]) => askGit(command, { ...options, cwd, host });
  const root = await ask(TOP_LEVEL);
  if (root.isErr()) return err(root.error);
  const status = await ask(STATUS);
  return status.map((raw) => ({ repository_root: root.value.trim(), branch: parseBranch(raw), raw }));
}

async function askGit(
  command: readonly string[],
  options: CallOptions & { readonly cwd: string; readonly host: Host },
): Promise<Result<string, ToolRefusal>> {
  const result = await runCommand({
    ...options,
    command,
    shellMode: "direct",
    stdin: null,
    timeoutMs: TIMEOUT_MS,
    maxOutputChars: LONGEST_STATUS,
    env: inheritedGitEnvironment(options.host.environment()),
  });
  if (result.isErr()) return err(withoutGit(result.error));
  const { data } = result.value;
  const line = command.join(" ");
  if (data.timed_out) return err(failure("INTERNAL", `${line} took too long.`, { retriable: true }));
  if (data.stdout_truncated) return err(failure("INTERNAL", `${line} answered too much.`));
  if (data.exit_code === 0) return ok(data.stdout);
  const words = data.stderr.trim();
  return err(
    NO_REPOSITORY.test(words)
      ? failure("NOT_GIT_REPOSITORY", words)
      : failure("INTERNAL", `${line} failed: ${words}`, { details: { exit_code: data.exit_code } }),
  );
}

function withoutGit(refusal: ToolRefusal): ToolRefusal {
  return refusal.error.code === "COMMAND_NOT_FOUND" ? failure("INTERNAL", "git is not on PATH.") : refusal;
}
