/** Removes findings that were in the files before this change. */
import { err, ok, type Result } from "neverthrow";
import { type Conflict, conflictsOf, newConflicts } from "../../domain/publish/conflict-markers.ts";
import { credentialFinding } from "../../domain/publish/content-rules.ts";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import { lineFinding } from "../../domain/publish/staged-rules.ts";
import { blobSizes, visitBlobs } from "../../git/index/read-blobs.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import { takeTurns } from "../../utils/time/turns.ts";
import type { Credential } from "./find-credentials.ts";
import { readText } from "./read-text.ts";
import type { ScannedFile, Suspect } from "./scan-files.ts";

/** The most bytes of an older version to search; in a larger one everything counts as new. */
const MAX_OLDER_BYTES = 32 * 1024 ** 2;
/** The most files to search that this change deletes: what they held may only have moved. */
const MAX_GONE = 500;
/** After this time, findings that were not compared count as new. */
const MAX_MS = 20_000;

/** A file with its older versions: in HEAD, and on the other side of a merge. */
export interface ChangedBlob extends ScannedFile {
  readonly older: readonly string[];
}

/** A suspect, with those of its findings that no older content so far contained. */
interface Left {
  readonly suspect: Suspect<ChangedBlob>;
  credentials: readonly Credential[];
  /** The conflicts of the older versions of the file. */
  readonly older: (readonly Conflict[])[];
}

/** Old contents are read only if something was found, which is rare. */
export async function newInChange(
  git: Git,
  target: GitTarget,
  change: { readonly suspects: readonly Suspect<ChangedBlob>[]; readonly gone: readonly string[] },
): Promise<Result<readonly GateFinding[], GitError>> {
  if (change.suspects.length === 0) return ok([]);
  const left = change.suspects.map(
    (suspect): Left => ({ suspect, credentials: suspect.credentials, older: [] }),
  );
  const gone = new Set(change.gone.slice(0, MAX_GONE));
  const moved = await readOlderBlobs(git, target, { left, gone });
  if (moved.isErr()) return err(moved.error);
  // Each conflict of a deleted file excuses the same one in another file.
  const elsewhere = Map.groupBy(moved.value, ({ sides }) => sides);
  return ok(
    left.flatMap(({ suspect: { file, conflicts }, credentials, older }) => [
      ...oneALine(credentials).map((found) => credentialFinding({ path: file.path, ...found })),
      ...newConflicts(conflicts, older)
        .filter(({ sides }) => elsewhere.get(sides)?.pop() === undefined)
        .map(({ line }) => lineFinding("conflict_marker", file.path, line)),
    ]),
  );
}

/** Removes from `left` what older contents hold, and returns the conflicts of deleted files. */
async function readOlderBlobs(
  git: Git,
  target: GitTarget,
  { left, gone }: { readonly left: readonly Left[]; readonly gone: ReadonlySet<string> },
): Promise<Result<readonly Conflict[], GitError>> {
  const owners = Map.groupBy(
    left.flatMap((one) => one.suspect.file.older.map((sha) => ({ sha, one }))),
    ({ sha }) => sha,
  );
  const sizes = await blobSizes(git, target, [...new Set([...owners.keys(), ...gone])]);
  if (sizes.isErr()) return err(sizes.error);
  const blobs = [...sizes.value].flatMap(([sha, size]) => (size <= MAX_OLDER_BYTES ? [{ sha, size }] : []));
  const until = performance.now() + MAX_MS;
  const moved: Conflict[] = [];
  const read = await visitBlobs(git, target, blobs, async ({ sha }, bytes) => {
    const { text } = readText(bytes);
    const changes = (owners.get(sha) ?? []).map(({ one }) => one);
    const conflicts = conflictsOf(text);
    for (const { older } of changes) older.push(conflicts);
    if (gone.has(sha)) moved.push(...conflicts);
    return takeOut(gone.has(sha) ? left : changes, text, until);
  });
  return read.map(() => moved);
}

/** False if the time is over. */
async function takeOut(left: readonly Left[], text: string, until: number): Promise<boolean> {
  const turns = takeTurns();
  for (const one of left) {
    one.credentials = one.credentials.filter(({ credential }) => !text.includes(credential));
    if (performance.now() > until) return false;
    if (turns.isOver()) await turns.pass();
  }
  return true;
}

/** Several rules may match the same credential. */
function oneALine(credentials: readonly Credential[]): readonly Credential[] {
  return [...new Map(credentials.toReversed().map((found) => [found.line, found])).values()].reverse();
}
