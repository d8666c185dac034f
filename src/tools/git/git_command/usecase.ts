/** Runs one judged git command, and parses its output if a form exists (seed 002 Next Steps). */
import { ok, type Result, safeTry } from "neverthrow";
import { judgeGitCommand } from "../../../domain/git-policy/judge/check-git-command.ts";
import type { GitCall } from "../../../domain/git-policy/parse/parse-call.ts";
import type { ToolContext } from "../../core/context.ts";
import { success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import { machineForm, type ParsedOutput } from "../formats/machine-form.ts";
import { safeWords } from "../hardening/safety-flags.ts";
import { checkCall, type PolicyFacts } from "../judge/check-call.ts";
import { type GitRun, runGit } from "../repository/run-git.ts";
import type { GitCommandOutput } from "./types.ts";

interface GitCommandCall extends CallOptions {
  readonly context: ToolContext;
  readonly subcommand: string;
  readonly args: readonly string[];
  readonly allowDestructive: boolean;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
}

/** UTF-16 units of each stream. */
const MAX_OUTPUT_CHARS = 200_000;
/** For the form that is parsed. A longer output is parsed up to its last whole record. */
const MAX_TO_PARSE = 1_000_000;

const WAY_OUT = "If it is really meant, set allow_destructive: true.";

/** Runs the call if all checks allow it. A call that reads may run twice, the second time in a form for machines. */
export async function gitCommand(
  asked: GitCommandCall,
): Promise<Result<ToolSuccess<GitCommandOutput>, ToolRefusal>> {
  const { subcommand, args, allowDestructive, ...place } = asked;
  const { context, cwd } = place;
  const { workspaceRoot } = context;
  const judge = (facts: PolicyFacts) =>
    judgeGitCommand(subcommand, args, { workspaceRoot, cwd, allowDestructive, ...facts });
  return safeTry(async function* () {
    const checked = yield* await checkCall(
      { subcommand, allowDestructive, wayOut: WAY_OUT, judge, confirm: () => isConfirmed(asked) },
      { ...place, folder: cwd, spelled: cwd },
    );
    const { call, tier, env, network, protectedIndex, impliedArgs, stopped } = checked;
    const run = { ...place, env, network, protectedIndex };
    const words = safeWords(call, [...impliedArgs, ...args]);
    const ran = stopped ?? (yield* await runGit(words, { ...run, maxChars: MAX_OUTPUT_CHARS }));
    const reads = ran.exit_code === 0 && !(subcommand === "branch" && tier === "write");
    const parsed = reads ? yield* await readAgain(call, run) : null;
    return ok(answerOf(ran, parsed));
  });
}

function answerOf(ran: ExecCommandOutput, parsed: ParsedOutput | null): ToolSuccess<GitCommandOutput> {
  const { stdout: output, stderr, exit_code, stdout_truncated, stderr_truncated, timed_out } = ran;
  const truncated = stdout_truncated || stderr_truncated;
  return success({ output, stderr, exit_code, truncated, parsed }, timed_out ? { timed_out: true } : {});
}

/** Allowed if there is no `confirm`. An error in `confirm` counts as a refusal. */
async function isConfirmed({ context, subcommand, args, cwd }: GitCommandCall): Promise<boolean> {
  const { confirm } = context;
  if (confirm === null) return true;
  const asked = Promise.resolve().then(() => confirm({ subcommand, args, cwd }));
  return asked.then(
    (answer) => answer === true,
    () => false,
  );
}

/** Runs the same call in a form for machines. Null if there is no such form, or if git fails. */
async function readAgain(
  call: GitCall,
  run: Omit<GitRun, "maxChars">,
): Promise<Result<ParsedOutput | null, ToolRefusal>> {
  const form = machineForm(call);
  if (form === null) return ok(null);
  const ran = await runGit(safeWords(call, form.args), { ...run, maxChars: MAX_TO_PARSE });
  return ran.map(({ exit_code, stdout, stdout_truncated }) =>
    exit_code === 0 ? form.parse(stdout, { truncated: stdout_truncated }) : null,
  );
}
