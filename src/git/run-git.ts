/** Runs git for the orchestrator: hardened, with a time limit, never by discovery, every failure told apart. */
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import { type ExecResult, exec } from "../utils/exec.ts";
import { type ConfigPairs, type GitAccess, gitEnvironment, type LentCredentials } from "./git-environment.ts";
import { failureOf, type GitError, notStarted } from "./git-error.ts";
import { commandOf, guardCalls } from "./guard-calls.ts";
import type { KnownSettings, SettingsWatch } from "./known-settings.ts";
import { lendWhereRefused } from "./lend-where-refused.ts";
import { redactUrl } from "./redact-url.ts";
import { commonDirToName } from "./redirected.ts";
import { orUnwritable } from "./unwritable.ts";

/** Which repository a call is about, from the caller's own record. */
export interface GitTarget {
  /** Absolute: a worktree's private git directory, or the one of the repository itself. */
  readonly gitDir: string;
  /** Absolute; null for what concerns the repository as a whole. */
  readonly workTree: string | null;
}

export interface GitSettings {
  /** Absolute path of git, or its name on the PATH of `env`. */
  readonly binary: string;
  /** The user's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The time limit of a call that names none. */
  readonly timeoutMs: number;
  /** Absolute; see `Git`. */
  readonly scratch: string;
  /** Without it, whatever the configuration of a repository says is the user's. */
  readonly watch?: SettingsWatch;
  /** What a call that talks to a remote gets once the user's own git was not let in; null where there is nothing to give. */
  readonly lend?: () => LentCredentials | null;
  /** Takes secrets out of what git said of a failure; without it only those in addresses go. */
  readonly redact?: (text: string) => string;
}

export interface GitOptions {
  /** Default `local`. */
  readonly access?: GitAccess;
  /** Exit codes that are an answer and no failure; default `[0]`. */
  readonly expect?: readonly number[];
  readonly stdin?: string;
  /** Writes stdout to this file instead of returning it; nothing limits its size. */
  readonly stdoutFile?: string;
  /** Called for each try, makes who takes stdout, piece by piece as it comes; it is not returned then, and nothing limits its size. */
  readonly onStdout?: () => (text: string) => void;
  readonly timeoutMs?: number;
  /** Default 64 MiB. */
  readonly maxOutputBytes?: number;
  /** What a longer output is: a failure (default), or cut. */
  readonly overflow?: "fail" | "cut";
  /** `given`: git refuses where it would make up who a commit is by; default `guessed`. */
  readonly identity?: "given" | "guessed";
  /** Where an agent planted settings: `refuse` what would heed them (default), or run with its filters off, as a snapshot does. */
  readonly planted?: "refuse" | "off";
  readonly config?: ConfigPairs;
  readonly extraEnv?: Readonly<Record<string, string>>;
  /** How often to try again, with growing pauses, while someone else holds a lock file; default 0. */
  readonly lockRetries?: number;
  readonly signal?: AbortSignal;
}

export interface GitOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True where `overflow` is `cut` and it was. */
  readonly truncated: boolean;
}

export interface Git {
  /** The folder for temporary files of our own; it need not exist, and is emptied when an engine starts. */
  readonly scratch: string;
  /** What agents planted in the settings of repositories; null where nobody watches. */
  readonly settings: KnownSettings | null;
  /** Runs one command on `target`, in its worktree (or, without one, in its git directory). */
  run(target: GitTarget, args: readonly string[], options?: GitOptions): Promise<Result<GitOutput, GitError>>;
  /** Runs one command in a folder that the user named, letting git find the repository. Never for a worktree. */
  discover(
    directory: string,
    args: readonly string[],
    options?: GitOptions,
  ): Promise<Result<GitOutput, GitError>>;
}

const MEBIBYTE = 1024 * 1024;
const KILL_GRACE_MS = 3_000;

export function createGit(settings: GitSettings): Git {
  const runIn = async (
    cwd: string,
    target: GitTarget | null,
    args: readonly string[],
    options: Asked,
  ): Promise<Result<GitOutput, GitError>> => {
    const command = commandOf(args);
    const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
    for (let tries = 0; ; tries++) {
      const result = await start(settings, { cwd, target, args, options });
      const outcome = outputOf(result, { command, cwd, timeoutMs, options, redact: settings.redact });
      const locked = outcome.isErr() && outcome.error.kind === "locked";
      const most = collectedMeanwhile(result) ? MOST_COLLECTIONS : locked ? (options.lockRetries ?? 0) : 0;
      if (tries >= most)
        return outcome.isOk()
          ? outcome
          : err(await orUnwritable(outcome.error, placesWritten(settings, target)));
      await delay(pauseMs(tries));
    }
  };

  const run = (cwd: string, target: GitTarget | null, args: readonly string[], options: GitOptions = {}) =>
    lendWhereRefused(settings, options, (lent) => runIn(cwd, target, args, { ...options, lent }));

  const guarded = guardCalls<GitOptions, GitOutput>(
    (target, args, options) => run(target.workTree ?? target.gitDir, target, args, options),
    { watch: settings.watch, plain: {} },
  );
  return {
    scratch: settings.scratch,
    settings: guarded.settings,
    run: (target, args, options = {}) => guarded.run(target, args, options),
    discover: (directory, args, options) => run(directory, null, args, options),
  };
}

/** The same git with another time limit for calls that name none (`limits.git_s` of the repository they are about). */
export function withTimeLimit(git: Git, timeoutMs: number): Git {
  return {
    ...git,
    run: (target, args, options) => git.run(target, args, { timeoutMs, ...options }),
    discover: (directory, args, options) => git.discover(directory, args, { timeoutMs, ...options }),
  };
}

/** The same git, whose calls of a remote end when `signal` aborts; a call that names a signal of its own keeps that. */
export function withSignal(git: Git, signal: AbortSignal): Git {
  const stoppable = (options?: GitOptions) =>
    options?.access === "remote" ? { signal, ...options } : options;
  return {
    ...git,
    run: (target, args, options) => git.run(target, args, stoppable(options)),
    discover: (directory, args, options) => git.discover(directory, args, stoppable(options)),
  };
}

function start(
  settings: GitSettings,
  {
    cwd,
    target,
    args,
    options,
  }: {
    readonly cwd: string;
    readonly target: GitTarget | null;
    readonly args: readonly string[];
    readonly options: Asked;
  },
): Promise<ExecResult> {
  const place = target === null ? [] : placeOf(target);
  const stdin = options.stdin === undefined ? ("none" as const) : { text: options.stdin };
  return exec([settings.binary, ...place, ...args], {
    cwd,
    env: gitEnvironment({
      userEnv: settings.env,
      access: options.access ?? "local",
      workTree: target?.workTree ?? null,
      commonDir: target === null ? null : commonDirToName(target.gitDir),
      identity: options.identity ?? "guessed",
      config: options.config ?? {},
      lent: options.lent,
      extraEnv: options.extraEnv ?? {},
    }),
    stdin,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    graceMs: KILL_GRACE_MS,
    maxOutputBytes: options.onStdout === undefined ? (options.maxOutputBytes ?? 64 * MEBIBYTE) : MEBIBYTE,
    ...(options.onStdout === undefined ? {} : { onStdout: options.onStdout() }),
    ...(options.stdoutFile === undefined ? {} : { stdoutFile: options.stdoutFile }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

function placeOf(target: GitTarget): string[] {
  const workTree = target.workTree === null ? [] : [`--work-tree=${target.workTree}`];
  return [`--git-dir=${target.gitDir}`, ...workTree];
}

/** Where a call may write. */
function placesWritten({ scratch }: GitSettings, target: GitTarget | null): string[] {
  return [dirname(scratch), ...(target === null ? [] : [target.gitDir, target.workTree ?? target.gitDir])];
}

/** A call with what it was lent. */
interface Asked extends GitOptions {
  readonly lent: LentCredentials | null;
}

interface Call {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly options: GitOptions;
  readonly redact: GitSettings["redact"];
}

function outputOf(result: ExecResult, call: Call): Result<GitOutput, GitError> {
  const { command, timeoutMs, options } = call;
  const redact = (text: string) => redactUrl((call.redact ?? String)(text));
  if (!result.started) return err(notStarted(result.error, call));
  const stderr = redact(result.stderr);
  const expected = options.expect ?? [0];
  if (result.timedOut || result.canceled || result.code === null || !expected.includes(result.code))
    return err(failureOf({ ...result, stdout: redact(result.stdout), stderr }, { command, timeoutMs }));
  if (options.onStdout !== undefined)
    return ok({ exitCode: result.code, stdout: "", stderr, truncated: false });
  const tooLong = result.stdoutTruncated && options.overflow !== "cut";
  if (tooLong) return err({ kind: "output_too_large", command, message: `${command} answered too much` });
  return ok({ exitCode: result.code, stdout: result.stdout, stderr, truncated: result.stdoutTruncated });
}

/** How often a garbage collection of the user's may come between in a row. */
const MOST_COLLECTIONS = 6;

/**
 * A garbage collection removes folders of objects that it has emptied, also one that git is just about to write an object
 * into. Whatever git was doing, it has not come further than that object; the next try makes the folder anew.
 */
function collectedMeanwhile(result: ExecResult): boolean {
  return (
    result.started &&
    result.code !== 0 &&
    /^error: unable to create temporary file: No such file or directory$/m.test(result.stderr)
  );
}

/** 50, 100, 200 ... at most 800 ms. */
function pauseMs(tries: number): number {
  return Math.min(50 * 2 ** tries, 800);
}
