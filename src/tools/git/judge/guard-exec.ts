/** Judges a command of `exec_command` if it calls git and the context guards git. */
import { basename } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { type FoundGit, findGit } from "../../../domain/git-policy/argv/find-git.ts";
import { judgeFoundGit } from "../../../domain/git-policy/judge/judge-git-argv.ts";
import { isInside } from "../../../utils/paths/path-spelling.ts";
import { placeFrom } from "../../../utils/paths/pointer-files.ts";
import { confinePath } from "../../core/confine-paths.ts";
import type { ToolContext } from "../../core/context.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { findProgram } from "../../exec/exec_command/find_program.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import type { Variables } from "../hardening/git-environment.ts";
import { endOfNames, safetyFlags } from "../hardening/safety-flags.ts";
import { realOrNull } from "../repository/find-repository.ts";
import { withIndexCopy } from "../repository/index-copy.ts";
import { admitCall } from "./admit-call.ts";
import { checkCall, type PolicyFacts } from "./check-call.ts";

const WAY_OUT = "If it is really meant, git_command takes allow_destructive: true.";

interface ExecPlace extends CallOptions {
  readonly context: ToolContext;
  readonly cwd: string;
}

interface GuardedCommand {
  readonly command: readonly string[];
  readonly env: Variables;
  /** Runs a short command with variables that hold for this run alone. */
  readonly lend: <T>(run: (more: Variables) => Promise<T>) => Promise<T>;
}

/**
 * The command and the environment that make such a call as harmless as through `git_command`, or why it is refused.
 * Null for any other command, and if git is open. `stdin` is what the call will read; null if nothing is given.
 */
export async function guardExec(
  asked: readonly string[],
  { stdin, ...place }: ExecPlace & { readonly stdin: string | null },
): Promise<Result<GuardedCommand | null, ToolRefusal>> {
  const { context, cwd } = place;
  if (context.git === "open") return ok(null);
  const command = byRealName(asked, cwd);
  const found = findGit(command);
  if (found === null || isOwnScript(found, command, { context, cwd })) return ok(null);
  const { workspaceRoot } = context;
  const [subcommand = ""] = found.words;
  const spelled = found.folders.reduce(placeFrom, cwd);
  const folder = realFolder(spelled, { context, cwd });
  if (folder.isErr()) {
    const { verdict } = judgeFoundGit(found, { workspaceRoot, cwd });
    const what = `git ${subcommand}`.trim();
    return admitCall(verdict, { context, what, wayOut: WAY_OUT }).andThen(() => err(folder.error));
  }
  const judge = (facts: PolicyFacts) => judgeFoundGit(found, { workspaceRoot, cwd, ...facts });
  const checked = await checkCall(
    { subcommand, allowDestructive: false, wayOut: WAY_OUT, judge },
    { ...place, folder: folder.value, spelled },
  );
  return checked.andThen(({ call, env, impliedArgs, protectedIndex, stopped }) => {
    if (stopped !== null) return err(fetchFailed(stopped));
    const argsAt = asked.length - Math.max(0, found.words.length - 1);
    const ours = [...(stdin === null ? impliedArgs : []), ...safetyFlags(call)];
    return ok({
      env,
      command: [...asked.slice(0, argsAt), ...ours, ...asked.slice(argsAt), ...endOfNames(call)],
      lend: (run) => (protectedIndex === null ? run({}) : withIndexCopy(protectedIndex, run)),
    } satisfies GuardedCommand);
  });
}

/** The pull itself would also have failed here. */
function fetchFailed({ stderr }: ExecCommandOutput): ToolRefusal {
  return failure("INTERNAL", `git fetch, by which a pull begins, failed: ${stderr.trim()}`, {
    retriable: true,
  });
}

/** A path that is a link to git is judged as git. */
function byRealName([program = "", ...rest]: readonly string[], cwd: string): readonly string[] {
  if (!/[\\/]/.test(program)) return [program, ...rest];
  const path = realOrNull(placeFrom(cwd, program)) ?? "";
  const isGit = /^git(-.+)?(\.exe)?$/i.test(basename(path)) && !isGitName(program);
  return [isGit ? path : program, ...rest];
}

/** `git-add` may also be a link to git, and its own name says which subcommand it is. */
function isGitName(program: string): boolean {
  return /(^|[\\/])git(-[^\\/]+)?$/i.test(program);
}

/** Whether a supposed program of git, such as `git-x`, is a file of the workspace. */
function isOwnScript(
  { words, isGitItself }: FoundGit,
  command: readonly string[],
  { context, cwd }: Pick<ExecPlace, "context" | "cwd">,
): boolean {
  if (isGitItself || words.length === 0) return false;
  const program = command[command.length - words.length] ?? "";
  const { platform } = context.host;
  const path = /[\\/]/.test(program)
    ? placeFrom(cwd, program)
    : findProgram(program, { cwd, platform, env: context.host.environment() });
  const real = path === null ? null : realOrNull(path);
  if (real === null || /^git(\.exe)?$/i.test(basename(real))) return false;
  return isInside(context.workspaceRoot, real, process.platform);
}

/** The real folder in which git will look for its repository. */
function realFolder(
  spelled: string,
  { context, cwd }: Pick<ExecPlace, "context" | "cwd">,
): Result<string, ToolRefusal> {
  const rule = { argument: "command", must: "be-directory", absolute: "inside" } as const;
  return spelled === cwd ? ok(cwd) : confinePath(context.workspaceRoot, rule, spelled);
}
