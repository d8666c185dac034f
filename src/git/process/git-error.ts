/** Names every way a git call can fail, and tells them apart by exit code, signal and output. */
import type { Result } from "neverthrow";
import type { StartError } from "../../utils/exec.ts";

interface ErrorBase {
  /** The command without its folder, such as `git fetch origin --prune`; never with a credential. */
  readonly command: string;
  /** One or a few lines for a person; never with a credential. */
  readonly message: string;
}

export type GitError =
  | (ErrorBase & { readonly kind: "git_missing" })
  /** The folder in which the command had to run is gone. */
  | (ErrorBase & { readonly kind: "worktree_missing"; readonly path: string })
  | (ErrorBase & { readonly kind: "timed_out"; readonly timeoutMs: number })
  | (ErrorBase & { readonly kind: "canceled" })
  /** Another process holds a git lock file; `lockFile` is its path if git named it. */
  | (ErrorBase & { readonly kind: "locked"; readonly lockFile: string | null })
  | (ErrorBase & { readonly kind: "disk_full" })
  | (ErrorBase & { readonly kind: "output_too_large" })
  /** An agent may have written these settings or files of git, and no person has accepted them. */
  | (ErrorBase & { readonly kind: "planted"; readonly at: readonly string[] })
  /** These paths are symbolic links, but git itself makes none there. */
  | (ErrorBase & { readonly kind: "redirected"; readonly at: readonly string[] })
  | (ErrorBase & {
      readonly kind: "git_failed";
      /** Null if a signal ended git. */
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stdout: string;
      readonly stderr: string;
    });

/** What a call of git comes to: a value, or why git failed. */
export type GitAnswer<Value, Fault = GitError> = Promise<Result<Value, Fault>>;

interface EndedCall {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly canceled: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** The error of a call that ended unexpectedly. */
export function failureOf(
  ended: EndedCall,
  { command, timeoutMs }: { readonly command: string; readonly timeoutMs: number },
): GitError {
  if (ended.canceled) return { kind: "canceled", command, message: `${command} was canceled` };
  if (ended.timedOut) {
    const message = `${command} took longer than ${Math.round(timeoutMs / 1000)} s and was stopped`;
    return { kind: "timed_out", command, message, timeoutMs };
  }
  const message = messageOf(ended, command);
  if (/No space left on device|Disk quota exceeded|Out of diskspace/.test(ended.stderr))
    return { kind: "disk_full", command, message };
  // Every pull of ours names its branch. So the list is empty only if git could not write it, which git does not notice.
  if (/no candidates for merging among the refs that you just fetched/.test(ended.stderr))
    return { kind: "disk_full", command, message: `${message}\nGit could not write FETCH_HEAD.` };
  if (ended.signal === "SIGXFSZ" || /File too large/.test(ended.stderr))
    return {
      kind: "disk_full",
      command,
      message: `${message}\nA limit on the size of files holds (ulimit -f).`,
    };
  if (isLocked(ended.stderr)) return { kind: "locked", command, message, lockFile: lockFileIn(ended.stderr) };
  const { code: exitCode, signal, stdout, stderr } = ended;
  return { kind: "git_failed", command, message, exitCode, signal, stdout, stderr };
}

/**
 * The process was killed from outside (mostly by the system, out of memory). A person's stop is `canceled`, a time
 * limit `timed_out`. How far the command came is unknown.
 */
export function wasKilled(error: { readonly kind: string; readonly signal?: string | null }): boolean {
  return error.kind === "git_failed" && error.signal === "SIGKILL";
}

/** The error of a call whose process never started. */
export function notStarted(
  error: StartError,
  { command, cwd }: { readonly command: string; readonly cwd: string },
): GitError {
  switch (error.kind) {
    case "canceled":
      return { kind: "canceled", command, message: `${command} was canceled` };
    case "cwd_missing":
      return { kind: "worktree_missing", command, message: error.message, path: cwd };
    case "not_found":
    case "not_executable":
      return { kind: "git_missing", command, message: `git could not be run: ${error.message}` };
    case "too_long":
    case "failed":
      return {
        kind: "git_failed",
        command,
        message: error.message,
        exitCode: null,
        signal: null,
        stdout: "",
        stderr: "",
      };
  }
}

/** A lock file is in the way. The process that made it removes it at its end. */
function isLocked(stderr: string): boolean {
  return /\.lock': File exists|could not lock config file .*: File exists|Unable to (?:create|lock) .*\.lock/i.test(
    stderr,
  );
}

function lockFileIn(stderr: string): string | null {
  const named = /'([^'\n]+\.lock)'/.exec(stderr)?.[1];
  if (named !== undefined) return named;
  const config = /could not lock config file (.*): File exists/.exec(stderr)?.[1];
  return config === undefined ? null : `${config}.lock`;
}

const MAX_MESSAGE_LENGTH = 2_000;

/** If a signal ended git, its stdout gives no reason, but its stderr may. */
function messageOf(ended: EndedCall, command: string): string {
  const { code, signal } = ended;
  const stderr = ended.stderr.trim();
  const killed = signal === null ? "" : `${command} was ended by ${signal}\n${stderr}`.trim();
  const said = killed || stderr || ended.stdout.trim() || `${command} ended with exit code ${code}`;
  return said.slice(0, MAX_MESSAGE_LENGTH);
}
