/**
 * Runs git for the orchestrator: hardened, with a time limit, without discovery, and with a kind for every failure
 * (seed 003 Services, Related files).
 */
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import type { ConfigPairs } from "../../domain/git-policy/hardening/settings.ts";
import { type ExecOptions, type ExecResult, exec } from "../../utils/exec.ts";
import { type GitAccess, gitEnvironment, type LentCredentials } from "../process/git-environment.ts";
import { failureOf, type GitAnswer, type GitError, notStarted } from "../process/git-error.ts";
import { redactUrl } from "../process/redact-url.ts";
import { orUnwritable } from "../process/unwritable.ts";
import type { KnownSettings, SettingsWatch } from "../settings/known-settings.ts";
import { commonDirByPlace, commonDirToName } from "../settings/redirected.ts";
import { answerSettings } from "./answer-settings.ts";
import { lendWhereRefused } from "./ask-again.ts";
import { commandOf, guardCalls } from "./guard-calls.ts";
import { MAX_REGISTRATIONS, mendRegistrations, metHalfRegistered } from "./half-registered.ts";
import { findHolder, heldArgv, needsLinks, writesFiles } from "./held-links.ts";
import { noteCommand } from "./note-commands.ts";
import { addressConfig, addressesOf } from "./relative-addresses.ts";

/** The repository of a call, from the caller's own record. */
export interface GitTarget {
  /** Absolute: a worktree's private git directory, or the one of the repository itself. */
  readonly gitDir: string;
  /** Absolute; null for a call on the repository as a whole. */
  readonly workTree: string | null;
}

/** What a shell provides for the git calls made on its behalf. */
export interface GitShell {
  /** The user's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What a call to a remote gets after the user's own git was refused. Null if there is nothing to give. */
  readonly lend?: () => LentCredentials | null;
  /** Removes secrets from git's error text. Without it, only secrets in addresses are removed. */
  readonly redact?: (text: string) => string;
}

export interface GitSettings extends GitShell {
  /** Absolute path of git, or its name on the PATH of `env`. */
  readonly binary: string;
  /** The default time limit of a call. */
  readonly timeoutMs: number;
  /** Absolute; see `Git`. */
  readonly scratch: string;
  /** Without it, all settings of a repository count as the user's. */
  readonly watch?: SettingsWatch;
}

export interface GitOptions {
  /** Default `local`. */
  readonly access?: GitAccess;
  /** Exit codes that are an answer and not a failure; default `[0]`. */
  readonly expect?: readonly number[];
  readonly stdin?: string;
  /** Absolute: a file that is read instead of `stdin`. */
  readonly stdinFile?: string;
  /** Writes stdout to this file instead of returning it; its size has no limit. */
  readonly stdoutFile?: string;
  /**
   * Called for each try. It makes the receiver of stdout, which gets each piece as it comes. Stdout is then not
   * returned, and its size has no limit.
   */
  readonly onStdout?: () => (text: string) => void;
  /** Gets stderr as it comes, such as the progress of a clone; it is returned as well. Must not throw. */
  readonly onStderr?: (text: string) => void;
  readonly timeoutMs?: number;
  /** Default 64 MiB. */
  readonly maxOutputBytes?: number;
  /** What happens to a longer output: it fails (default), or is cut. */
  readonly overflow?: "fail" | "cut";
  /** With `given`, git refuses to invent an author; default `guessed`. */
  readonly identity?: "given" | "guessed";
  /**
   * If an agent planted settings: `refuse` calls that would follow them (default), or run those with filters off
   * (snapshots).
   */
  readonly planted?: "refuse" | "off";
  readonly config?: ConfigPairs;
  readonly extraEnv?: Readonly<Record<string, string>>;
  /** How often to retry, with growing pauses, while another process holds a lock file; default 0. */
  readonly lockRetries?: number;
  /**
   * If another git is just registering a worktree: `wait` until it is done (default), or `tell`. `tell` is for a call
   * that has already changed something.
   */
  readonly halfRegistered?: "wait" | "tell";
  readonly signal?: AbortSignal;
  /** Called right before each git is started. What it throws ends the call, and nothing is started. */
  readonly beforeStart?: () => void;
  /** Replaces the shell of the settings. */
  readonly shell?: GitShell;
  /** Absolute: the user's checkout, which is the start of relative addresses of remotes; default the main one. */
  readonly checkout?: string;
}

export interface GitOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True if `overflow` is `cut` and the output was cut. */
  readonly truncated: boolean;
}

export interface Git {
  /** The folder for our own temporary files. It need not exist, and is emptied when an engine starts. */
  readonly scratch: string;
  /** What agents planted in the settings of repositories; null if nothing watches. */
  readonly settings: KnownSettings | null;
  /** Runs one command on `target`, in its worktree (or, without one, in its git directory). */
  run(target: GitTarget, args: readonly string[], options?: GitOptions): GitAnswer<GitOutput>;
  /** Runs one command in a folder that the user named, and lets git find the repository. Never for a worktree. */
  discover(directory: string, args: readonly string[], options?: GitOptions): GitAnswer<GitOutput>;
}

const MEBIBYTE = 1024 * 1024;
const KILL_GRACE_MS = 3_000;
const HOLDER_MS = 5_000;

export function createGit(defaults: GitSettings): Git {
  const holdsLinks = findHolder(defaults.scratch, async (argv, cwd) => {
    const ended = await exec(argv, { cwd, env: defaults.env, timeoutMs: HOLDER_MS });
    return ended.started ? ended.code : null;
  });

  const runIn = async (
    cwd: string,
    target: GitTarget | null,
    args: readonly string[],
    options: Asked,
  ): GitAnswer<GitOutput> => {
    const started = { cwd, target, args, options };
    const mayHold = target !== null && writesFiles(target, args) && (await holdsLinks());
    if (!mayHold) return runTries(defaults, started);
    const held = await runTries(defaults, { ...started, options: { ...options, holdsLinks: true } });
    const needsMore = held.isErr() && (options.access ?? "local") !== "local" && needsLinks(held.error);
    return needsMore ? runTries(defaults, started) : held;
  };

  const run = answerSettings<GitOptions>(async (cwd, target, args, options) => {
    const { redact } = { ...defaults, ...options.shell };
    noteCommand(args, (text) => redactUrl((redact ?? String)(text)));
    const own = addressesOf(options.config ?? {});
    const locally = { ...options, access: "local", expect: [0, 1], config: own } as const;
    const config = await addressConfig({ ...options, target }, (asked) => run(cwd, target, asked, locally));
    return lendWhereRefused(options.shell ?? defaults, options, (lent) =>
      runIn(cwd, target, args, { ...options, config, lent }),
    );
  }, defaults.env);

  const guarded = guardCalls<GitOptions, GitOutput>(
    (target, args, options) => run(target.workTree ?? target.gitDir, target, args, options),
    { watch: defaults.watch, listOptions: {} },
  );
  return {
    scratch: defaults.scratch,
    settings: guarded.settings,
    run: (target, args, options = {}) => guarded.run(target, args, options),
    discover: (directory, args, options = {}) => run(directory, null, args, options),
  };
}

interface Started {
  readonly cwd: string;
  readonly target: GitTarget | null;
  readonly args: readonly string[];
  readonly options: Asked;
}

/** Runs git, and again as long as another process is only in its way for a moment. */
async function runTries(defaults: GitSettings, started: Started): GitAnswer<GitOutput> {
  const { cwd, target, args, options } = started;
  const settings = { ...defaults, ...options.shell };
  const command = commandOf(args);
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
  for (let tries = 0; ; tries++) {
    const result = await start(settings, started);
    const outcome = outputOf(result, { command, cwd, timeoutMs, options, redact: settings.redact });
    const locked = outcome.isErr() && outcome.error.kind === "locked";
    const half = outcome.isErr() && halfRegistered(result, options);
    const max = half
      ? MAX_REGISTRATIONS
      : collectedMeanwhile(result)
        ? MAX_COLLECTIONS
        : locked
          ? (options.lockRetries ?? 0)
          : 0;
    if (tries >= max)
      return outcome.isOk()
        ? outcome
        : err(await orUnwritable(outcome.error, placesWritten(settings, target)));
    await delay(pauseMs(tries));
    // If the git that had to fill it was killed, we fill it.
    if (half && tries > 0 && target !== null) await mendRegistrations(commonDirByPlace(target.gitDir));
  }
}

function start(settings: GitSettings, { cwd, target, args, options }: Started): Promise<ExecResult> {
  const place = target === null ? [] : placeOf(target);
  const argv = [settings.binary, ...place, ...args];
  const tree = options.holdsLinks === true ? (target?.workTree ?? null) : null;
  // No other step may stand between this and the start: this process may sleep for minutes at any place.
  options.beforeStart?.();
  return exec(tree === null ? argv : heldArgv(argv, tree), {
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
    stdin: stdinOf(options),
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    graceMs: KILL_GRACE_MS,
    maxOutputBytes: options.onStdout === undefined ? (options.maxOutputBytes ?? 64 * MEBIBYTE) : MEBIBYTE,
    ...(options.onStdout === undefined ? {} : { onStdout: options.onStdout() }),
    ...(options.onStderr === undefined ? {} : { onStderr: options.onStderr }),
    ...(options.stdoutFile === undefined ? {} : { stdoutFile: options.stdoutFile }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

function stdinOf({ stdin, stdinFile }: GitOptions): NonNullable<ExecOptions["stdin"]> {
  if (stdinFile !== undefined) return { file: stdinFile };
  return stdin === undefined ? "none" : { text: stdin };
}

function placeOf(target: GitTarget): string[] {
  const workTree = target.workTree === null ? [] : [`--work-tree=${target.workTree}`];
  return [`--git-dir=${target.gitDir}`, ...workTree];
}

/** The places that a call may write. */
function placesWritten({ scratch }: GitSettings, target: GitTarget | null): string[] {
  return [dirname(scratch), ...(target === null ? [] : [target.gitDir, target.workTree ?? target.gitDir])];
}

/** A call with its lent credentials. */
interface Asked extends GitOptions {
  readonly lent: LentCredentials | null;
  /** No link of the worktree is followed. */
  readonly holdsLinks?: true;
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

/** How many garbage collections of the user may interrupt in a row. */
const MAX_COLLECTIONS = 6;

/**
 * A garbage collection removes empty folders of objects, even one that git is about to write an object into. Git
 * failed at that object and did nothing after it; the next try makes the folder again.
 */
function collectedMeanwhile(result: ExecResult): boolean {
  return (
    result.started &&
    result.code !== 0 &&
    /^error: unable to create temporary file: No such file or directory$/m.test(result.stderr)
  );
}

function halfRegistered(result: ExecResult, options: GitOptions): boolean {
  return result.started && options.halfRegistered !== "tell" && metHalfRegistered(result.stderr);
}

/** 50, 100, 200 ... at most 800 ms. */
export function pauseMs(tries: number): number {
  return Math.min(50 * 2 ** tries, 800);
}
