/** Runs a read-only git call of a tool through the same check and preparation as `git_command`. */
import { err, ok, type Result } from "neverthrow";
import { judgeGitCommand } from "../../../domain/git-policy/judge/check-git-command.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import { safeWords } from "../hardening/safety-flags.ts";
import { type GitRun, runGit } from "../repository/run-git.ts";
import { checkCall } from "./check-call.ts";

interface JudgedCall extends Omit<GitRun, "env" | "network" | "protectedIndex"> {
  readonly subcommand: "diff" | "log";
  readonly args: readonly string[];
}

/** The output of the call; if git refuses it, a failure with its words if they say enough. */
export async function runJudged({
  subcommand,
  args,
  ...run
}: JudgedCall): Promise<Result<ExecCommandOutput, ToolRefusal>> {
  const { context, cwd } = run;
  const { workspaceRoot } = context;
  const judge = () => judgeGitCommand(subcommand, args, { workspaceRoot, cwd });
  const asked = { subcommand, allowDestructive: false, wayOut: null, judge };
  // The call has no `-C`, so all three are the same folder.
  const checked = await checkCall(asked, { context, cwd, folder: cwd, spelled: cwd });
  if (checked.isErr()) return err(checked.error);
  const { call, env, protectedIndex } = checked.value;
  const ran = await runGit(safeWords(call, args), { ...run, env, protectedIndex, network: false });
  return ran.andThen((data) => (data.exit_code === 0 ? ok(data) : err(refusalOf(data, cwd))));
}

function refusalOf({ stderr, exit_code, timed_out }: ExecCommandOutput, cwd: string): ToolRefusal {
  const words = stderr.trim();
  if (timed_out) return failure("INTERNAL", "git took too long.", { retriable: true });
  if (/not a git repository|cannot use bare repository|must be run in a work tree/i.test(words))
    return failure("NOT_GIT_REPOSITORY", `${cwd} is not under git, or has no working tree.`);
  if (
    /unknown revision|bad revision|bad object|ambiguous argument|invalid object name|Invalid revision range|invalid symmetric difference/i.test(
      words,
    )
  )
    return failure("UNKNOWN_REVISION", words);
  return failure("INTERNAL", `git failed: ${words}`, { details: { exit_code } });
}
