/** Runs one judged git command, and parses its output if a form exists (seed 002 Next Steps). */
import { err, ok, type Result, safeTry } from "neverthrow";
import { judgeGitCommand } from "../../../domain/git-policy/judge/check-git-command.ts";
import type { GitCall } from "../../../domain/git-policy/parse/parse-call.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedByPolicy, success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import { machineForm, type ParsedOutput } from "../formats/machine-form.ts";
import { safeWords } from "../hardening/safety-flags.ts";
import { admitCall, confineCall } from "../judge/admit-call.ts";
import { judgeWithFacts } from "../judge/judge-with-facts.ts";
import { prepareCall } from "../judge/prepare-call.ts";
import { refuseOverwriting } from "../judge/refuse-overwriting.ts";
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

/** Checks the words first, then asks the owner, then the file system, then git. */
export async function gitCommand(
  call: GitCommandCall,
): Promise<Result<ToolSuccess<GitCommandOutput>, ToolRefusal>> {
  const { context, subcommand, args, allowDestructive, cwd, ...options } = call;
  const { workspaceRoot } = context;
  const judged = judgeWithFacts(subcommand, { context, folder: cwd, spelled: cwd }, (facts) =>
    judgeGitCommand(subcommand, args, { workspaceRoot, cwd, allowDestructive, ...facts }),
  );
  const { verdict } = judged;
  return safeTry(async function* () {
    const tier = yield* admitCall(verdict, { context, what: `git ${subcommand}`, wayOut: WAY_OUT });
    if (tier === "write" && !(await isConfirmed(call)))
      return err(deniedByPolicy("POLICY_DENIED", `git ${subcommand} was not confirmed.`));
    yield* confineCall(verdict, { context, cwd, folder: cwd, subcommand });
    const admitted = { subcommand, judged, tier, allowDestructive };
    const ready = yield* await prepareCall(admitted, { ...options, context, cwd });
    const { env, impliedArgs, repository, unwrittenIndex } = ready;
    const place = { ...options, context, cwd, env };
    const stopped = yield* await refuseOverwriting(
      { subcommand, call: judged.call, allowDestructive },
      { ...place, repository },
    );
    const run = { ...place, unwrittenIndex, network: verdict.network };
    const words = safeWords(judged.call, [...impliedArgs, ...args]);
    const ran = stopped ?? (yield* await runGit(words, { ...run, maxChars: MAX_OUTPUT_CHARS }));
    const reads = ran.exit_code === 0 && !(subcommand === "branch" && tier === "write");
    const parsed = reads ? yield* await readAgain(judged.call, run) : null;
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
