/** Runs one git command of the tools in the same way as `exec_command`, or asks git about a repository. */
import type { Result } from "neverthrow";
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
  { context, cwd, env, network, maxChars, stdin = "", ...options }: Omit<GitRun, "protectedIndex">,
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
  return ran
    .map(({ data }) => data)
    .mapErr((refusal) =>
      refusal.error.code === "COMMAND_NOT_FOUND" ? failure("INTERNAL", "git is not on PATH.") : refusal,
    );
}

/** The place of a question to git. */
export type Asking = Pick<GitRun, "context" | "cwd" | "env" | keyof CallOptions>;

/** Git's output. `failed` if the exit code was not 0, `unknown` if the answer is incomplete. */
type Answer =
  | { readonly kind: "answered"; readonly text: string }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "unknown" };

export type AskGit = (args: readonly string[], stdin?: string) => Promise<Answer>;

/** UTF-16 units. Enough for the paths of some hundred thousand files. */
const MAX_CHARS = 64 * 1024 * 1024;

/** Asks before a call changes something; no question changes a file or a reference. */
export function askGit(place: Asking): AskGit {
  return async (args, stdin = "") => {
    const ran = await runGit(args, { ...place, stdin, network: false, maxChars: MAX_CHARS });
    if (ran.isErr()) return { kind: "unknown" };
    const { stdout: text, exit_code, stdout_truncated, timed_out } = ran.value;
    if (stdout_truncated || timed_out) return { kind: "unknown" };
    return { kind: exit_code === 0 ? "answered" : "failed", text };
  };
}
