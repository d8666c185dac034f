/** Reads the staged files of a change, and tells what in them must not be published and was not there before. */
import { err, ok, type Result } from "neverthrow";
import { type Conflict, conflictsOf } from "../../domain/publish/conflict-markers.ts";
import { binaryFinding, unreadFinding } from "../../domain/publish/content-rules.ts";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import type { GitError } from "../../git/git-error.ts";
import { visitBlobs } from "../../git/read-blobs.ts";
import type { Git, GitTarget } from "../../git/run-git.ts";
import { type Credential, findCredentials } from "./find-credentials.ts";
import { type ReadText, readText } from "./read-text.ts";

/** A file as it is staged. */
export interface ScannedFile {
  readonly path: string;
  readonly sha: string;
  readonly size: number;
  /** The same file as it was: in HEAD, and on the other side of a merge. */
  readonly older: readonly string[];
}

/** To the letter: nothing else can be hidden in one. */
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

/** A file in which something was found that may have been there before. */
export interface Suspect {
  readonly file: ScannedFile;
  readonly credentials: readonly Credential[];
  readonly conflicts: readonly Conflict[];
}

export interface Scanned {
  readonly suspects: readonly Suspect[];
  /** What was not read, and why not. */
  readonly findings: readonly GateFinding[];
}

/** The smallest files first: nobody hides a small one behind large ones. */
export async function scanFiles(
  git: Git,
  target: GitTarget,
  of: { readonly files: readonly ScannedFile[]; readonly limits: ScanLimits },
): Promise<Result<Scanned, GitError>> {
  const { limits } = of;
  const { within, beyond } = withinLimits(of.files, limits);
  const until = performance.now() + limits.timeMs;
  const isLate = () => performance.now() > until;
  const suspects: Suspect[] = [];
  const findings = [...beyond];
  const unread = new Set(within);
  const visited = await visitBlobs(git, target, within, async (file, bytes) => {
    const read = readText(bytes);
    if (read.isBinary) findings.push(binaryFinding(file.path));
    if (LFS_POINTER.test(read.text)) findings.push(unreadFinding(file.path, "Git LFS keeps its content"));
    else {
      const seen = await scanText(file, read, isLate);
      if (seen === null) return false;
      if (seen.credentials.length > 0 || seen.conflicts.length > 0) suspects.push(seen);
    }
    return unread.delete(file);
  });
  if (visited.isErr()) return err(visited.error);
  return ok({
    suspects,
    findings: [
      ...findings,
      ...[...unread].map(({ path }) => unreadFinding(path, "it took too long", "reject")),
    ],
  });
}

/** Null where the time was over before its end. Of a binary file no line is a conflict's, and nothing is random. */
async function scanText(
  file: ScannedFile,
  { text, isBinary }: ReadText,
  isLate: () => boolean,
): Promise<Suspect | null> {
  const credentials = await findCredentials(text, { path: file.path, isBinary, isLate });
  return credentials === null ? null : { file, credentials, conflicts: isBinary ? [] : conflictsOf(text) };
}

function withinLimits(files: readonly ScannedFile[], limits: ScanLimits) {
  const within: ScannedFile[] = [];
  const fits = ({ size }: ScannedFile) => size <= limits.fileBytes;
  let total = 0;
  const [fitting, large] = [files.filter(fits), files.filter((file) => !fits(file))];
  const beyond = large.map(({ path }) => unreadFinding(path, "it is too large"));
  for (const file of bySize(fitting)) {
    total += file.size;
    if (total > limits.totalBytes) beyond.push(unreadFinding(file.path, "the change is too large", "reject"));
    else within.push(file);
  }
  return { within, beyond };
}

/** Sorted as numbers, each a size and a place: of a million files that takes a tenth of the time. */
function bySize(files: readonly ScannedFile[]): readonly ScannedFile[] {
  const places = Float64Array.from(files, ({ size }, place) => size * files.length + place).sort();
  return Array.from(places, (place) => files[place % files.length]).filter((file) => file !== undefined);
}
