/** Asks git for the repository's place and status, with exactly two processes (seed 000 §3.1, §5). */
import { statSync } from "node:fs";
import { err, ok, type Result } from "neverthrow";
import { filtersOff } from "../../../domain/git-policy/hardening/settings.ts";
import type { Host, ToolContext } from "../../core/context.ts";
import { failure, success, type ToolSuccess } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { runCommand } from "../../exec/exec_command/usecase.ts";
import { readingEnvironment } from "../hardening/git-environment.ts";
import { inspectRepository, unsafeRepository } from "../repository/inspect-repository.ts";
import { foreignFilters } from "../repository/planted-programs.ts";
import { type GitStatusSummaryError, toInternalError } from "./error.ts";
import { parseBranch } from "./parse_branch.ts";
import type { GitStatusSummaryOutput } from "./types.ts";

const TOP_LEVEL = ["git", "rev-parse", "--show-toplevel"] as const;
const STATUS = ["git", "-c", "core.quotePath=false", "status", "--porcelain=v1", "--branch"] as const;
const TIMEOUT_MS = 30_000;
/** UTF-16 units. A longer status is an error and is never cut. */
const MAX_STATUS_LENGTH = 64 * 1024 * 1024;
/** A bare repository and the inside of `.git` have no working tree either. */
const NO_REPOSITORY = /not a git repository|must be run in a work tree|cannot use bare repository/i;

/** `meta.filters_off` names disabled filters of the repository. Files that they change may count as modified. */
export async function gitStatusSummary(
  cwd: string,
  { context, ...options }: CallOptions & { readonly context: ToolContext },
): Promise<Result<ToolSuccess<GitStatusSummaryOutput>, GitStatusSummaryError>> {
  const { host, workspaceRoot } = context;
  const inspected = inspectRepository(cwd, { context, alternates: "ignored" });
  if (inspected.isErr()) return err(inspected.error);
  const filters = foreignFilters(inspected.value?.entries ?? []);
  const inherited = host.environment();
  const env = readingEnvironment({ inherited, workspaceRoot, config: filtersOff(filters) });
  const ask = (command: readonly string[]) =>
    askGit(command, { ...options, cwd, host: { ...host, environment: () => env } });
  const root = await ask(TOP_LEVEL);
  if (root.isErr()) return err(root.error);
  const found = root.value.replace(/\r?\n$/, "");
  if (inspected.value === null || !isSameFolder(found, inspected.value.topLevel))
    return err(unsafeRepository({ at: cwd, message: `Git takes ${found} for the root of ${cwd}.` }));
  const status = await ask(STATUS);
  return status.map((raw) =>
    success(
      { repository_root: root.value.trim(), branch: parseBranch(raw), raw },
      filters.length === 0 ? {} : { filters_off: filters },
    ),
  );
}

async function askGit(
  command: readonly string[],
  options: CallOptions & { readonly cwd: string; readonly host: Host },
): Promise<Result<string, GitStatusSummaryError>> {
  const result = await runCommand({
    env: null,
    ...options,
    command,
    shellMode: "direct",
    stdin: null,
    timeoutMs: TIMEOUT_MS,
    maxOutputChars: MAX_STATUS_LENGTH,
  });
  if (result.isErr()) return err(withoutGit(result.error));
  const { data } = result.value;
  const line = command.join(" ");
  if (data.timed_out) return err(toInternalError(`${line} took too long.`, { retriable: true }));
  if (data.stdout_truncated) return err(toInternalError(`${line} answered too much.`));
  if (data.exit_code === 0) return ok(data.stdout);
  const words = data.stderr.trim();
  return err(
    NO_REPOSITORY.test(words)
      ? failure("NOT_GIT_REPOSITORY", words)
      : toInternalError(`${line} failed: ${words}`, { details: { exit_code: data.exit_code } }),
  );
}

function withoutGit(error: GitStatusSummaryError): GitStatusSummaryError {
  return error.error.code === "COMMAND_NOT_FOUND" ? toInternalError("git is not on PATH.") : error;
}

function isSameFolder(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
