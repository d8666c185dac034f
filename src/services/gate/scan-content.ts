/** Reads the content of what would be committed: files for credentials, conflict markers and addresses, links for where they lead. */
import { err, type Result } from "neverthrow";
import { saysAddresses } from "../../domain/publish/address-rules.ts";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import type { GitError } from "../../git/git-error.ts";
import type { StagedEntry } from "../../git/list-staged.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { inTurns } from "../../utils/turns.ts";
import type { ServiceContext } from "../context.ts";
import { type ChangedBlob, newInChange } from "./new-in-change.ts";
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
  const { links, files, saying, gone } = await inTurns(sortOut(of.entries));
  const withOlder = (file: StagedFile): ChangedBlob => ({ ...file, older: olderOf(file, of.theirs) });
  const [outside, addresses, scanned] = await Promise.all([
    scanLinks(git, target, { tree: of.tree, changed: links }),
    scanAddresses(git, target, { files: saying.map(withOlder), links }),
    scanFiles(git, target, { files, limits: SCAN_LIMITS }),
  ]);
  if (outside.isErr()) return err(outside.error);
  if (addresses.isErr()) return err(addresses.error);
  if (scanned.isErr()) return err(scanned.error);
  const suspects = scanned.value.suspects.map((one) => ({ ...one, file: withOlder(one.file) }));
  const fresh = await newInChange(git, target, { suspects, gone });
  return fresh.map((found) => [...outside.value, ...addresses.value, ...scanned.value.findings, ...found]);
}

/** Paths of links, files, those of them that say addresses, and blobs that went. Yields after each. */
function* sortOut(entries: readonly StagedEntry[]) {
  const links: string[] = [];
  const files: StagedFile[] = [];
  const saying: StagedFile[] = [];
  const gone: string[] = [];
  for (const entry of entries) {
    const { path, mode, sha, previousSha, previousMode } = entry;
    if (mode === "120000") links.push(path);
    if (isFile(entry)) {
      files.push(entry);
      if (saysAddresses(path)) saying.push(entry);
    }
    if (sha === null && previousSha !== null && previousMode !== "160000") gone.push(previousSha);
    yield;
  }
  return { links, files, saying, gone };
}

type StagedFile = StagedEntry & ScannedFile;

function isFile(entry: StagedEntry): entry is StagedFile {
  const { sha, size, mode } = entry;
  return sha !== null && size !== null && (mode === "100644" || mode === "100755");
}

/** Made for the few that are asked about: there can be a million files. */
function olderOf(
  { path, previousSha, previousMode }: StagedEntry,
  theirs: ReadonlyMap<string, string>,
): readonly string[] {
  const inHead = previousSha === null || previousMode === "160000" ? [] : [previousSha];
  const other = theirs.get(path);
  return other === undefined ? inHead : [...inHead, other];
}
