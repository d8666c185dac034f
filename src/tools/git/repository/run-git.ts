/** Runs one git command of the tools in the same way as `exec_command`. */
import { err, ok, type Result } from "neverthrow";
import type { ToolContext } from "../../core/context.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import { runCommand } from "../../exec/exec_command/usecase.ts";
import type { Variables } from "../hardening/git-environment.ts";
import { withIndexCopy } from "./index-copy.ts";

export interface GitRun extends CallOptions {
  readonly context: ToolContext;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
  /** Whether the call may wait for a remote. */
  readonly network: boolean;
  /** UTF-16 units of each stream. */
  readonly maxChars: number;
  /** Default: nothing. */
  readonly stdin?: string;
  /** An index that git must not write; it gets a copy. Null or left out: git uses the repository's own. */
  readonly protectedIndex?: string | null;
}

/** Milliseconds. */
const TIMEOUT = { local: 60_000, network: 120_000 } as const;

/** A non-zero exit code is an answer. A missing git is `INTERNAL`. */
export async function runGit(
  args: readonly string[],
  { protectedIndex = null, ...run }: GitRun,
): Promise<Result<ExecCommandOutput, ToolRefusal>> {
  if (protectedIndex === null) return startGit(args, run);
  return withIndexCopy(protectedIndex, (copy) => startGit(args, { ...run, env: { ...run.env, ...copy } }));
}

async function startGit(
  args: readonly string[],
  { context, cwd, env, network, maxChars, stdin = "", ...options }: Omit<GitRun, "unwrittenIndex">,
): Promise<Result<ExecCommandOutput, ToolRefusal>> {
  const ran = await runCommand({
    ...options,
    cwd,
    within: context.workspaceRoot,
    env,
    command: ["git", ...args],
    shellMode: "direct",
    stdin: stdin === "" ? null : stdin,
    timeoutMs: network ? TIMEOUT.network : TIMEOUT.local,
    maxOutputChars: maxChars,
    host: context.host,
  });
  if (ran.isOk()) return ok(ran.value.data);
  return err(
    ran.error.error.code === "COMMAND_NOT_FOUND" ? failure("INTERNAL", "git is not on PATH.") : ran.error,
  );
}
