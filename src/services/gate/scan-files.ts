/** Reads the staged files of a change, and finds new content in them that must not be published. */
import { err, ok, type Result } from "neverthrow";
import { type Conflict, conflictsOf } from "../../domain/publish/conflict-markers.ts";
import { unreadFinding, unreadFindings } from "../../domain/publish/content-rules.ts";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import { pathFinding } from "../../domain/publish/staged-rules.ts";
import { visitBlobs } from "../../git/index/read-blobs.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import { inTurns } from "../../utils/time/turns.ts";
import { type Credential, findCredentials } from "./find-credentials.ts";
import { type ReadText, readText } from "./read-text.ts";

/** A file as it is staged. */
export interface ScannedFile {
  readonly path: string;
  readonly sha: string;
  readonly size: number;
}

/** Matches the exact format: nothing else can be hidden in such a file. */
const LFS_POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v\d\noid sha256:[0-9a-f]{64}\nsize \d{1,20}\n$/;

export interface ScanLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly timeMs: number;
}

export const SCAN_LIMITS: ScanLimits = {
  fileBytes: 10 * 1024 ** 2,
  totalBytes: 256 * 1024 ** 2,
  timeMs: 60_000,
};

/** A file with findings that may have been there before. */
export interface Suspect<File extends ScannedFile> {
  readonly file: File;
  readonly credentials: readonly Credential[];
  readonly conflicts: readonly Conflict[];
}

interface Scanned<File extends ScannedFile> {
  readonly suspects: readonly Suspect<File>[];
  /** The files that were not read, and why. */
  readonly findings: readonly GateFinding[];
}

/** Reads the smallest files first: a small file cannot hide behind large ones. */
export async function scanFiles<File extends ScannedFile>(
  git: Git,
  target: GitTarget,
  scan: { readonly files: readonly File[]; readonly limits: ScanLimits },
): Promise<Result<Scanned<File>, GitError>> {
  const { limits } = scan;
  const { within, findings } = await inTurns(withinLimits(scan.files, limits));
  const until = performance.now() + limits.timeMs;
  const isLate = () => performance.now() > until;
  const suspects: Suspect<File>[] = [];
  const unread: string[] = [];
  let next = 0;
  const visited = await visitBlobs(git, target, within, async (file, bytes) => {
    // Git does not have the content of a file that it passes over.
    for (; within[next] !== file; next++) unread.push(within[next]?.path ?? "");
    const read = readText(bytes);
    if (read.isBinary) findings.push(pathFinding("binary_file", file.path));
    if (LFS_POINTER.test(read.text)) findings.push(unreadFinding(file.path, "Git LFS keeps its content"));
    else {
      const seen = await scanText(file, read, isLate);
      if (seen === null) return false;
      if (seen.credentials.length > 0 || seen.conflicts.length > 0) suspects.push(seen);
    }
    next++;
    return true;
  });
  if (visited.isErr()) return err(visited.error);
  for (const { path } of within.slice(next)) unread.push(path);
  return ok({ suspects, findings: [...findings, ...unreadFindings(unread, "it took too long")] });
}

/**
 * Null if the time was over before its end. In a binary file no line counts as a conflict marker, and no text as
 * random.
 */
async function scanText<File extends ScannedFile>(
  file: File,
  { text, isBinary }: ReadText,
  isLate: () => boolean,
): Promise<Suspect<File> | null> {
  const credentials = await findCredentials(text, { path: file.path, isBinary, isLate });
  return credentials === null ? null : { file, credentials, conflicts: isBinary ? [] : conflictsOf(text) };
}

/**
 * In the order of their sizes. The sort uses numbers that each hold a size and a place. For a million files that
 * takes a tenth of the time.
 */
function* withinLimits<File extends ScannedFile>(
  files: readonly File[],
  limits: ScanLimits,
): Generator<void, { readonly within: readonly File[]; readonly findings: GateFinding[] }> {
  const findings: GateFinding[] = [];
  const order = new Float64Array(files.length);
  let fitting = 0;
  for (const [place, { path, size }] of files.entries()) {
    if (size > limits.fileBytes) findings.push(unreadFinding(path, "it is too large"));
    else order[fitting++] = size * files.length + place;
    yield;
  }
  const within: File[] = [];
  const beyond: string[] = [];
  let total = 0;
  for (const number of order.subarray(0, fitting).sort()) {
    const file = files[number - Math.floor(number / files.length) * files.length];
    if (file === undefined) continue;
    total += file.size;
    if (total > limits.totalBytes) beyond.push(file.path);
    else within.push(file);
    yield;
  }
  return { within, findings: [...findings, ...unreadFindings(beyond, "the change is too large")] };
}
