/** Clones a repository from an address: all of its branches and tags, and no working files (seed 003 Folders). */
import { dirname } from "node:path";
import { err, ok } from "neverthrow";
import { removeTree } from "../../utils/files/remove-tree.ts";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Git } from "../runner/run-git.ts";

interface Clone {
  readonly url: string;
  /** Absolute: a folder that is not there yet, in one that is. */
  readonly to: string;
  readonly timeoutMs: number;
  /** How long the server may send nothing at all. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** What a process of the call carries in its environment. */
  readonly marker: { readonly name: string; readonly value: string };
  readonly onProgress: (progress: CloneProgress) => void;
}

export interface CloneProgress {
  /** As git calls what it does now, such as `Receiving objects`. */
  readonly step: string;
  readonly percent: number;
}

export type CloneError = RemoteError | { readonly kind: "empty_repository"; readonly message: string };

/** The git directory of the clone is `to/.git`. A clone that failed leaves nothing. */
export async function cloneRepository(git: Git, clone: Clone): GitAnswer<void, CloneError> {
  const { to, url } = clone;
  const args = ["clone", "--progress", "--no-checkout", "--template=", "--origin=origin", "--", url, to];
  const cloned = await git.discover(dirname(to), args, {
    access: "remote",
    timeoutMs: clone.timeoutMs,
    signal: clone.signal,
    config: { ...PROTOCOLS, ...noLongSilence(clone.silenceMs) },
    extraEnv: { [clone.marker.name]: clone.marker.value },
    onStderr: progressReader(clone.onProgress),
  });
  const finished = cloned.isErr() ? err(asRemoteError(inWords(cloned.error))) : await finish(git, to);
  if (finished.isErr()) await removeTree(to);
  return finished;
}

/** The user's own rules for addresses hold, but nothing that is asked for by an address opens a folder here. */
const PROTOCOLS = {
  "protocol.allow": "never",
  "protocol.https.allow": "always",
  "protocol.http.allow": "always",
  "protocol.ssh.allow": "always",
} as const;

/** Over http, git itself gives up on a server that sends less than one byte a second. */
function noLongSilence(ms: number) {
  return { "http.lowSpeedLimit": "1", "http.lowSpeedTime": String(Math.max(1, Math.round(ms / 1000))) };
}

/** The progress stands between the words that say why git failed. */
function inWords(error: GitError): GitError {
  if (error.kind !== "git_failed") return error;
  const lines = error.stderr.split(/[\r\n]+/).filter((line) => line !== "" && !PROGRESS.test(line));
  return { ...error, message: lines.slice(-MAX_LINES).join("\n") || error.message };
}

const MAX_LINES = 12;
const PROGRESS = /^Cloning into |^(?:remote: )?[A-Z][a-z]+ [a-z]+: +\d|^remote: (?:Total|Enumerating) /;

/**
 * Without working files it is a bare repository: nothing counts as deleted, and no branch as checked out. Git finds it
 * by its folder, since nobody knows its settings yet.
 */
async function finish(git: Git, to: string): GitAnswer<void, CloneError> {
  const refs = await git.discover(to, ["for-each-ref", "--count=1", "refs/remotes/origin/"]);
  if (refs.isErr()) return err(refs.error);
  if (refs.value.stdout === "")
    return err({ kind: "empty_repository", message: "the repository has no commit yet" });
  const bare = await git.discover(to, ["config", "--local", "core.bare", "true"]);
  return bare.isErr() ? err(bare.error) : ok(undefined);
}

/** Git writes `Receiving objects:  42% (5/12)`, over and over, with a carriage return between them. */
function progressReader(tell: (progress: CloneProgress) => void): (text: string) => void {
  let last = "";
  return (text) => {
    const found = [...text.matchAll(STEP)].at(-1);
    const [, step = "", percent = ""] = found ?? [];
    if (step === "" || `${step}${percent}` === last) return;
    last = `${step}${percent}`;
    tell({ step, percent: Number(percent) });
  };
}

const STEP = /(?:^|[\r\n])(?:remote: )?([A-Z][a-z]+ [a-z]+): +(\d{1,3})% \(/g;
