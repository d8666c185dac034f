/** Takes out of what was found in files that which stood there before this change. */
import { err, ok, type Result } from "neverthrow";
import { type Conflict, conflictsOf, newConflicts } from "../../domain/publish/conflict-markers.ts";
import { conflictFinding, credentialFinding } from "../../domain/publish/content-rules.ts";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import type { GitError } from "../../git/git-error.ts";
import { blobSizes, visitBlobs } from "../../git/read-blobs.ts";
import type { Git, GitTarget } from "../../git/run-git.ts";
import { takeTurns } from "../../utils/turns.ts";
import type { Credential } from "./find-credentials.ts";
import { readText } from "./read-text.ts";
import type { ScannedFile, Suspect } from "./scan-files.ts";

/** Bytes of an older version that is looked into; in a larger one everything counts as new. */
const LARGEST_OLDER = 32 * 1024 ** 2;
/** Files that went with this change and are looked into: what they held may only have moved. */
const MOST_GONE = 500;
/** What was not looked into until then counts as new. */
const LONGEST_MS = 20_000;

/** A file, and the same as it was: in HEAD, and on the other side of a merge. */
export interface ChangedBlob extends ScannedFile {
  readonly older: readonly string[];
}

/** A suspect, and what of it was in no older content that was looked into so far. */
interface Left {
  readonly suspect: Suspect<ChangedBlob>;
  credentials: readonly Credential[];
  /** The conflicts of the file as it was. */
  readonly older: (readonly Conflict[])[];
}

/** Old contents are read only where something was found: nearly never. */
export async function newInChange(
  git: Git,
  target: GitTarget,
  of: { readonly suspects: readonly Suspect<ChangedBlob>[]; readonly gone: readonly string[] },
): Promise<Result<readonly GateFinding[], GitError>> {
  if (of.suspects.length === 0) return ok([]);
  const left = of.suspects.map((suspect): Left => ({ suspect, credentials: suspect.credentials, older: [] }));
  const gone = new Set(of.gone.slice(0, MOST_GONE));
  const moved = await lookIntoOlder(git, target, { left, gone });
  if (moved.isErr()) return err(moved.error);
  // Each that went excuses one that came.
  const elsewhere = Map.groupBy(moved.value, ({ sides }) => sides);
  return ok(
    left.flatMap(({ suspect: { file, conflicts }, credentials, older }) => [
      ...oneALine(credentials).map((found) => credentialFinding({ path: file.path, ...found })),
      ...newConflicts(conflicts, older)
        .filter(({ sides }) => elsewhere.get(sides)?.pop() === undefined)
        .map(({ line }) => conflictFinding(file.path, line)),
    ]),
  );
}

/** Takes out of `left` what older contents hold, and returns the conflicts of those that went. */
async function lookIntoOlder(
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
  const blobs = [...sizes.value].flatMap(([sha, size]) => (size <= LARGEST_OLDER ? [{ sha, size }] : []));
  const until = performance.now() + LONGEST_MS;
  const moved: Conflict[] = [];
  const read = await visitBlobs(git, target, blobs, async ({ sha }, bytes) => {
    const { text } = readText(bytes);
    const own = (owners.get(sha) ?? []).map(({ one }) => one);
    const conflicts = conflictsOf(text);
    for (const { older } of own) older.push(conflicts);
    if (gone.has(sha)) moved.push(...conflicts);
    return takeOut(gone.has(sha) ? left : own, text, until);
  });
  return read.map(() => moved);
}

/** False where the time is over. */
async function takeOut(left: readonly Left[], text: string, until: number): Promise<boolean> {
  const turns = takeTurns();
  for (const one of left) {
    one.credentials = one.credentials.filter(({ credential }) => !text.includes(credential));
    if (performance.now() > until) return false;
    if (turns.isOver()) await turns.pass();
  }
  return true;
}

/** Several rules may know the same credential. */
function oneALine(credentials: readonly Credential[]): readonly Credential[] {
  return [...new Map(credentials.toReversed().map((found) => [found.line, found])).values()].reverse();
}
