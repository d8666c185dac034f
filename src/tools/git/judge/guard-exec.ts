/** Judges a command of `exec_command` if it calls git and the context guards git. */
import { basename, isAbsolute } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { findGit } from "../../../domain/git-policy/argv/find-git.ts";
import { readGlobalOptions } from "../../../domain/git-policy/argv/global-options.ts";
import type { JudgedGitCommand } from "../../../domain/git-policy/judge/check-git-command.ts";
import { judgeArgv } from "../../../domain/git-policy/judge/judge-git-argv.ts";
import type { GitTier } from "../../../domain/git-policy/verdicts/verdict.ts";
import { isInside } from "../../../utils/paths/path-spelling.ts";
import { confinePath } from "../../core/confine-paths.ts";
import type { ToolContext } from "../../core/context.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { findProgram } from "../../exec/exec_command/find_program.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import type { Variables } from "../hardening/git-environment.ts";
import { endOfNames, safetyFlags } from "../hardening/safety-flags.ts";
import { placeFrom, realOrNull } from "../repository/find-repository.ts";
import { withIndexCopy } from "../repository/index-copy.ts";
import { admitCall, confineCall } from "./admit-call.ts";
import { judgeWithFacts } from "./judge-with-facts.ts";
import { prepareCall } from "./prepare-call.ts";
import { refuseOverwriting } from "./refuse-overwriting.ts";

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
  const { context, cwd, ...options } = place;
  if (context.git === "open" || isOwnScript(byRealName(asked, cwd), { context, cwd })) return ok(null);
  const given = withEnd(asked, cwd);
  const judged = judgeCommand(given, { context, cwd });
  if (judged === null) return ok(null);
  return safeTry(async function* () {
    const { folder, args, ...call } = yield* judged;
    const ready = yield* await prepareCall(call, { ...options, context, cwd: folder });
    const { env, repository, unwrittenIndex } = ready;
    const words = { subcommand: call.subcommand, args, allowDestructive: call.allowDestructive };
    const overwriting = { ...options, context, cwd: folder, env, repository };
    const stopped = yield* await refuseOverwriting(words, overwriting);
    if (stopped !== null) return err(fetchFailed(stopped));
    const meaning = stdin === null ? ready.implied : [];
    const flags = safetyFlags(call.subcommand, args);
    return ok({
      env,
      command: put([...meaning, ...flags], given, args),
      lend: (run) => (unwrittenIndex === null ? run({}) : withIndexCopy(unwrittenIndex, run)),
    } satisfies GuardedCommand);
  });
}

interface JudgedCommand {
  readonly subcommand: string;
  readonly args: readonly string[];
  readonly allowDestructive: false;
  /** The real folder in which git will look for its repository. */
  readonly folder: string;
  readonly tier: GitTier;
  readonly judged: JudgedGitCommand;
}

/** Null if it is not a call of git. */
function judgeCommand(
  given: readonly string[],
  { context, cwd }: Pick<ExecPlace, "context" | "cwd">,
): Result<JudgedCommand, ToolRefusal> | null {
  const { workspaceRoot } = context;
  const command = byRealName(given, cwd);
  const { words, folders } = wordsOfGit(command);
  const [subcommand = "", ...args] = words;
  const found = folderOf(folders, { context, cwd });
  const spelled = spelledFolder(folders, cwd);
  const judged = found.isOk()
    ? judgeWithFacts(subcommand, { context, folder: found.value, spelled }, (facts) =>
        judgeArgv(command, { workspaceRoot, cwd, ...facts }),
      )
    : judgeArgv(command, { workspaceRoot, cwd });
  if (judged === null) return null;
  const { verdict } = judged;
  const what = `git ${subcommand}`.trim();
  return admitCall(verdict, { context, what, wayOut: WAY_OUT }).andThen((tier) =>
    found.andThen((folder) => {
      const call = { subcommand, args, allowDestructive: false, folder, tier, judged } as const;
      return confineCall(verdict, { context, cwd, folder, subcommand }).map(() => call);
    }),
  );
}

/** The pull itself would also have failed here. */
function fetchFailed({ stderr }: ExecCommandOutput): ToolRefusal {
  return failure("INTERNAL", `git fetch, by which a pull begins, failed: ${stderr.trim()}`, {
    retriable: true,
  });
}

/** Adds `--` after a branch name, as `git_command` does. Without it, the name may mean a file, and is refused. */
function withEnd(given: readonly string[], cwd: string): readonly string[] {
  const [subcommand = "", ...args] = wordsOfGit(byRealName(given, cwd)).words;
  return [...given, ...endOfNames(subcommand, args)];
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
  command: readonly string[],
  { context, cwd }: Pick<ExecPlace, "context" | "cwd">,
): boolean {
  const found = findGit(command);
  if (found === null || found.takesGlobalOptions || found.words.length === 0) return false;
  const program = command[command.length - found.words.length] ?? "";
  const { platform } = context.host;
  const path = /[\\/]/.test(program)
    ? placeFrom(cwd, program)
    : findProgram(program, { cwd, platform, env: context.host.environment() });
  const real = path === null ? null : realOrNull(path);
  if (real === null || /^git(\.exe)?$/i.test(basename(real))) return false;
  return isInside(context.workspaceRoot, real, process.platform);
}

/** Inserts words before the arguments, which are the last words of the command. */
function put(
  implied: readonly string[],
  command: readonly string[],
  args: readonly string[],
): readonly string[] {
  return [...command.slice(0, command.length - args.length), ...implied, ...args];
}

interface GitWords {
  /** The subcommand and its arguments. */
  readonly words: readonly string[];
  /** Folders that git changes to first, each relative to the one before. */
  readonly folders: readonly string[];
}

function wordsOfGit(command: readonly string[]): GitWords {
  const found = findGit(command);
  if (found === null || !found.takesGlobalOptions)
    return { words: found?.words ?? [], folders: found?.folders ?? [] };
  const { rest, folders } = readGlobalOptions(found.words);
  return { words: rest, folders: [...found.folders, ...folders] };
}

/** The real folder in which git will look for its repository. */
function folderOf(
  folders: readonly string[],
  { context, cwd }: Pick<ExecPlace, "context" | "cwd">,
): Result<string, ToolRefusal> {
  const given = spelledFolder(folders, cwd);
  const rule = { argument: "command", must: "be-directory", absolute: "inside" } as const;
  return given === cwd ? ok(cwd) : confinePath(context.workspaceRoot, rule, given);
}

function spelledFolder(folders: readonly string[], cwd: string): string {
  return folders.reduce((from, folder) => (isAbsolute(folder) ? folder : `${from}/${folder}`), cwd);
}
