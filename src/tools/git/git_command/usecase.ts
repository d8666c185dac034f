/** Runs one judged git command, and reads what it showed where there is a form for it (seed 002; safety of commands). */
import { err, ok, type Result } from "neverthrow";
import { checkGitCommand } from "../../../domain/git-policy/check-git-command.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedByPolicy, success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { machineForm } from "../formats/machine-form.ts";
import type { ParsedOutput } from "../formats/parsed-output.ts";
import { admitCall, confineCall } from "../guard/admit-call.ts";
import { prepareCall } from "../guard/prepare-call.ts";
import { refuseOverwriting } from "../guard/refuse-overwriting.ts";
import { type GitRun, runGit } from "../run/run-git.ts";
import { withSafetyFlags } from "../run/safety-flags.ts";
import { unguardedFiles } from "../run/unguarded-files.ts";
import type { GitCommandOutput } from "./types.ts";

export interface GitCommandCall extends CallOptions {
  readonly context: ToolContext;
  readonly subcommand: string;
  readonly args: readonly string[];
  readonly allowDestructive: boolean;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
}

/** UTF-16 units of each stream. */
const MOST_OUTPUT = 200_000;
/** Of the form that is read; what is longer is read as far as its last whole record. */
const MOST_TO_PARSE = 1_000_000;

const WAY_OUT = "Where it is really meant, set allow_destructive: true.";

/** Words first, then the owner, then the file system, then git. */
export async function gitCommand(
  call: GitCommandCall,
): Promise<Result<ToolSuccess<GitCommandOutput>, ToolRefusal>> {
  const { context, subcommand, args, allowDestructive, cwd, ...options } = call;
  const { workspaceRoot } = context;
  const unguarded = subcommand === "rm" ? unguardedFiles(cwd, { context, spelled: cwd }) : [];
  const verdict = checkGitCommand(subcommand, args, { workspaceRoot, cwd, allowDestructive, unguarded });
  const tier = admitCall(verdict, { context, what: `git ${subcommand}`, wayOut: WAY_OUT });
  if (tier.isErr()) return err(tier.error);
  if (tier.value === "write" && !(await isConfirmed(call)))
    return err(deniedByPolicy("POLICY_DENIED", `git ${subcommand} was not confirmed.`));
  const ready = confineCall(verdict, { context, cwd, folder: cwd }).andThen(() =>
    prepareCall(
      { subcommand, args, tier: tier.value, network: verdict.network, allowDestructive },
      { context, cwd },
    ),
  );
  if (ready.isErr()) return err(ready.error);
  const stopped = await refuseOverwriting(
    { subcommand, args, allowDestructive },
    { ...options, context, cwd, ready: ready.value },
  );
  if (stopped.isErr()) return err(stopped.error);
  const run = { ...options, context, cwd, env: ready.value.env, network: verdict.network };
  const words = [...ready.value.implied, ...withSafetyFlags(subcommand, args)];
  const ran =
    stopped.value === null
      ? await runGit([subcommand, ...words], { ...run, maxChars: MOST_OUTPUT })
      : ok(stopped.value);
  if (ran.isErr()) return err(ran.error);
  const { stdout, stderr, exit_code, stdout_truncated, stderr_truncated, timed_out } = ran.value;
  const reads = exit_code === 0 && !(subcommand === "branch" && tier.value === "write");
  const parsed = reads ? await readAgain(call, run) : ok(null);
  return parsed.map((shown) =>
    success(
      {
        output: stdout,
        stderr,
        exit_code,
        truncated: stdout_truncated || stderr_truncated,
        parsed: shown,
      },
      timed_out ? { timed_out: true } : {},
    ),
  );
}

/** Without somebody to ask it is allowed. Whoever cannot answer has not said yes. */
async function isConfirmed({ context, subcommand, args, cwd }: GitCommandCall): Promise<boolean> {
  const { confirm } = context;
  if (confirm === null) return true;
  const asked = Promise.resolve().then(() => confirm({ subcommand, args, cwd }));
  return asked.then(
    (answer) => answer === true,
    () => false,
  );
}

/** The same call in a form for machines; null where there is none, or where git would not print it. */
async function readAgain(
  { subcommand, args }: GitCommandCall,
  run: Omit<GitRun, "maxChars">,
): Promise<Result<ParsedOutput | null, ToolRefusal>> {
  const form = machineForm(subcommand, args);
  if (form === null) return ok(null);
  const ran = await runGit([subcommand, ...withSafetyFlags(subcommand, form.args)], {
    ...run,
    maxChars: MOST_TO_PARSE,
  });
  return ran.map(({ exit_code, stdout, stdout_truncated }) =>
    exit_code === 0 ? form.parse(stdout, { truncated: stdout_truncated }) : null,
  );
}
