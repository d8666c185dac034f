/** Reads the content of what would be committed: files for credentials, conflict markers and addresses, links for where they lead. */
import { err, type Result } from "neverthrow";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import type { GitError } from "../../git/git-error.ts";
import type { StagedEntry } from "../../git/list-staged.ts";
import type { GitTarget } from "../../git/run-git.ts";
import type { ServiceContext } from "../context.ts";
import { newInChange } from "./new-in-change.ts";
import { scanAddresses } from "./scan-addresses.ts";
import { SCAN_LIMITS, type ScannedFile, scanFiles } from "./scan-files.ts";
import { scanLinks } from "./scan-links.ts";

/** `theirs` are the blobs of the other side of a merge, by path: what stands there already is not new either. */
export async function scanContent(
  { git }: Pick<ServiceContext, "git">,
  target: GitTarget,
  of: {
    /** The one that is to be committed, or one that it differs from by what is left out. */
    readonly tree: string;
    readonly entries: readonly StagedEntry[];
    readonly theirs: ReadonlyMap<string, string>;
  },
): Promise<Result<readonly GateFinding[], GitError>> {
  const links = of.entries.filter(({ mode }) => mode === "120000").map(({ path }) => path);
  const files = of.entries.flatMap((entry) => scannedFile(entry, of.theirs.get(entry.path)));
  const [outside, addresses, scanned] = await Promise.all([
    scanLinks(git, target, { tree: of.tree, changed: links }),
    scanAddresses(git, target, { files, links }),
    scanFiles(git, target, { files, limits: SCAN_LIMITS }),
  ]);
  if (outside.isErr()) return err(outside.error);
  if (addresses.isErr()) return err(addresses.error);
  if (scanned.isErr()) return err(scanned.error);
  const gone = of.entries.flatMap(({ sha, previousSha, previousMode }) =>
    sha === null && previousSha !== null && previousMode !== "160000" ? [previousSha] : [],
  );
  const fresh = await newInChange(git, target, { suspects: scanned.value.suspects, gone });
  return fresh.map((found) => [...outside.value, ...addresses.value, ...scanned.value.findings, ...found]);
}

function scannedFile(entry: StagedEntry, theirs: string | undefined): ScannedFile[] {
  const { path, sha, size, mode, previousSha, previousMode } = entry;
  if (sha === null || size === null || (mode !== "100644" && mode !== "100755")) return [];
  const inHead = previousSha === null || previousMode === "160000" ? undefined : previousSha;
  const older = inHead === undefined && theirs === undefined ? NONE : [inHead, theirs].filter(isNamed);
  return [{ path, sha, size, older }];
}

/** Of nearly every new file; one for all of them. */
const NONE: readonly string[] = [];

function isNamed(sha: string | undefined): sha is string {
  return sha !== undefined;
}
