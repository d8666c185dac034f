/** Judges a command of `exec_command` where it is a call of git and the context guards git (product contract, section 13). */
import { basename, isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { findGit } from "../../../domain/git-policy/argv/find-git.ts";
import { readGlobalOptions } from "../../../domain/git-policy/argv/global-options.ts";
import { judgeGitArgv } from "../../../domain/git-policy/judge-git-argv.ts";
import { confinePath } from "../../core/confine-paths.ts";
import type { ToolContext } from "../../core/context.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import { placeFrom, realOrNull } from "../run/find-repository.ts";
import type { Variables } from "../run/git-environment.ts";
import { endOfNames, safetyFlags } from "../run/safety-flags.ts";
import { unguardedFiles } from "../run/unguarded-files.ts";
import { admitCall, confineCall } from "./admit-call.ts";
import { prepareCall, type ReadyCall } from "./prepare-call.ts";
import { refuseOverwriting } from "./refuse-overwriting.ts";

const WAY_OUT = "Where it is really meant, git_command takes allow_destructive: true.";

interface ExecPlace extends CallOptions {
  readonly context: ToolContext;
  readonly cwd: string;
}

interface GuardedCommand {
  readonly command: readonly string[];
  readonly env: Variables;
}

/**
 * The command and the environment in which such a call is as harmless as through `git_command`, or why it is refused.
 * Null for any other command, and where git is open.
 */
export async function guardExec(
  asked: readonly string[],
  { stdin, ...place }: ExecPlace & { readonly stdin: "given" | "empty" },
): Promise<Result<GuardedCommand | null, ToolRefusal>> {
  const { context, cwd, ...options } = place;
  if (context.git === "open") return ok(null);
  const given = withEnd(asked, cwd);
  const judged = judgeCommand(given, { context, cwd });
  if (judged === null) return ok(null);
  if (judged.isErr()) return err(judged.error);
  const { ready, folder, ...call } = judged.value;
  const stopped = await refuseOverwriting(call, { ...options, context, cwd: folder, ready });
  if (stopped.isErr()) return err(stopped.error);
  if (stopped.value !== null) return err(fetchFailed(stopped.value));
  const meaning = stdin === "given" ? [] : ready.implied;
  const flags = safetyFlags(call.subcommand, call.args);
  return ok({ env: ready.env, command: put([...meaning, ...flags], given, call.args) });
}

interface JudgedCommand {
  readonly subcommand: string;
  readonly args: readonly string[];
  readonly allowDestructive: false;
  /** Real, and whose repository git will look for. */
  readonly folder: string;
  readonly ready: ReadyCall;
}

/** Null where it is no call of git. */
function judgeCommand(
  given: readonly string[],
  { context, cwd }: Pick<ExecPlace, "context" | "cwd">,
): Result<JudgedCommand, ToolRefusal> | null {
  const { workspaceRoot } = context;
  const command = byRealName(given, cwd);
  const { words, folders } = wordsOfGit(command);
  const [subcommand = "", ...args] = words;
  const found = folderOf(folders, { context, cwd });
  const unguarded =
    subcommand === "rm" && found.isOk()
      ? unguardedFiles(found.value, { context, spelled: spelledFolder(folders, cwd) })
      : [];
  const verdict = judgeGitArgv(command, { workspaceRoot, cwd, unguarded });
  if (verdict === null) return null;
  const what = `git ${subcommand}`.trim();
  return admitCall(verdict, { context, what, wayOut: WAY_OUT }).andThen((tier) =>
    found.andThen((folder) => {
      const call = { subcommand, args, allowDestructive: false } as const;
      return confineCall(verdict, { context, cwd, folder })
        .andThen(() => prepareCall({ ...call, tier, network: verdict.network }, { context, cwd: folder }))
        .map((ready) => ({ ...call, folder, ready }));
    }),
  );
}

/** Such a pull would have ended here, too. */
function fetchFailed({ stderr }: ExecCommandOutput): ToolRefusal {
  return failure("INTERNAL", `git fetch, by which a pull begins, failed: ${stderr.trim()}`, {
    retriable: true,
  });
}

/** The name of a branch is ended as `git_command` ends it; without that it may mean a file, and is refused. */
function withEnd(given: readonly string[], cwd: string): readonly string[] {
  const [subcommand = "", ...args] = wordsOfGit(byRealName(given, cwd)).words;
  return [...given, ...endOfNames(subcommand, args)];
}

/** A path that is a link to git is judged as git. */
function byRealName([program = "", ...rest]: readonly string[], cwd: string): readonly string[] {
  if (!/[\\/]/.test(program)) return [program, ...rest];
  const real = basename(realOrNull(placeFrom(cwd, program)) ?? "");
  return [/^git(-.+)?(\.exe)?$/i.test(real) && !isGitName(program) ? real : program, ...rest];
}

/** `git-add` is a link to git as well, and its own name says which subcommand it is. */
function isGitName(program: string): boolean {
  return /(^|[\\/])git(-[^\\/]+)?$/i.test(program);
}

/** In front of the arguments, which are the last words of the command. */
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
  /** Where it goes first, each relative to the one before. */
  readonly folders: readonly string[];
}

function wordsOfGit(command: readonly string[]): GitWords {
  const found = findGit(command);
  if (found === null || !found.takesGlobalOptions)
    return { words: found?.words ?? [], folders: found?.folders ?? [] };
  const { rest, folders } = readGlobalOptions(found.words);
  return { words: rest, folders: [...found.folders, ...folders] };
}

/** The real folder whose repository git will look for. */
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
