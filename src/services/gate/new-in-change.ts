/** Takes out of what was found in files that which stood there before this change. */
import { err, ok, type Result } from "neverthrow";
import { type Conflict, conflictsOf, newConflicts } from "../../domain/publish/conflict-markers.ts";
import { conflictFinding, credentialFinding } from "../../domain/publish/content-rules.ts";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import type { GitError } from "../../git/git-error.ts";
import { blobSizes, visitBlobs } from "../../git/read-blobs.ts";
import type { Git, GitTarget } from "../../git/run-git.ts";
import type { Credential } from "./find-credentials.ts";
import { readText } from "./read-text.ts";
import type { Suspect } from "./scan-files.ts";

/** Bytes of an older version that is looked into; in a larger one everything counts as new. */
const LARGEST_OLDER = 32 * 1024 ** 2;
/** Files that went with this change and are looked into: what they held may only have moved. */
const MOST_GONE = 500;

/** Old contents are read only where something was found: nearly never. */
export async function newInChange(
  git: Git,
  target: GitTarget,
  of: { readonly suspects: readonly Suspect[]; readonly gone: readonly string[] },
): Promise<Result<readonly GateFinding[], GitError>> {
  if (of.suspects.length === 0) return ok([]);
  const gone = of.gone.slice(0, MOST_GONE);
  const left = of.suspects.map((suspect) => ({
    suspect,
    looksAt: new Set([...suspect.file.older, ...gone]),
    credentials: suspect.credentials,
    older: [] as (readonly Conflict[])[],
  }));
  const sizes = await blobSizes(git, target, [...new Set(left.flatMap(({ looksAt }) => [...looksAt]))]);
  if (sizes.isErr()) return err(sizes.error);
  const blobs = [...sizes.value].flatMap(([sha, size]) => (size <= LARGEST_OLDER ? [{ sha, size }] : []));
  const read = await visitBlobs(git, target, blobs, async (sha, bytes) => {
    const { text } = readText(bytes);
    for (const one of left.filter(({ looksAt }) => looksAt.has(sha))) {
      one.credentials = one.credentials.filter(({ credential }) => !text.includes(credential));
      one.older.push(conflictsOf(text));
    }
    return true;
  });
  if (read.isErr()) return err(read.error);
  return ok(
    left.flatMap(({ suspect: { file, conflicts }, credentials, older }) => [
      ...oneALine(credentials).map((found) => credentialFinding({ path: file.path, ...found })),
      ...newConflicts(conflicts, older).map(({ line }) => conflictFinding(file.path, line)),
    ]),
  );
}

/** Several rules may know the same credential. */
function oneALine(credentials: readonly Credential[]): readonly Credential[] {
  return [...new Map(credentials.toReversed().map((found) => [found.line, found])).values()].reverse();
}
