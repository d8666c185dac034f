/** Reads what would be committed: files for credentials, conflict markers and addresses, links for their targets. */
import { err, ok, Result, safeTry } from "neverthrow";
import {
  addressFindings,
  type FileSetting,
  linkedAddresses,
  saysAddresses,
} from "../../domain/publish/address-rules.ts";
import { unreadFinding } from "../../domain/publish/content-rules.ts";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import type { StagedEntry } from "../../git/index/list-staged.ts";
import { listBlobSettings } from "../../git/index/read-blobs.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import { inTurns } from "../../utils/time/turns.ts";
import type { Uses } from "../core/context-parts.ts";
import { type ChangedBlob, newInChange } from "./new-in-change.ts";
import { SCAN_LIMITS, type ScannedFile, scanFiles } from "./scan-files.ts";
import { scanLinks } from "./scan-links.ts";

/** `theirs` are the blobs of the other side of a merge, by path: their contents are not new either. */
export async function scanContent(
  { git }: Uses<"git">,
  target: GitTarget,
  change: {
    /** The tree to commit, or one that differs from it only by what is left out. */
    readonly tree: string;
    readonly entries: readonly StagedEntry[];
    readonly theirs: ReadonlyMap<string, string>;
  },
): Promise<Result<readonly GateFinding[], GitError>> {
  const { links, files, saying, gone } = await inTurns(sortOut(change.entries));
  const withOlder = (file: StagedFile): ChangedBlob => ({ ...file, older: olderOf(file, change.theirs) });
  const read = await Promise.all([
    scanLinks(git, target, { tree: change.tree, changed: links }),
    scanAddresses(git, target, { files: saying.map(withOlder), links }),
    scanFiles(git, target, { files, limits: SCAN_LIMITS }),
  ]);
  return safeTry(async function* () {
    const [outside, addresses, scanned] = yield* Result.combine(read);
    const suspects = scanned.suspects.map((one) => ({ ...one, file: withOlder(one.file) }));
    const fresh = yield* await newInChange(git, target, { suspects, gone });
    return ok([...outside, ...addresses, ...scanned.findings, ...fresh]);
  });
}

/** Sorts into paths of links, files, files that hold addresses, and deleted blobs. Yields after each. */
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

/** Made only for the few suspects: there can be a million files. */
function olderOf(
  { path, previousSha, previousMode }: StagedEntry,
  theirs: ReadonlyMap<string, string>,
): readonly string[] {
  const inHead = previousSha === null || previousMode === "160000" ? [] : [previousSha];
  const other = theirs.get(path);
  return other === undefined ? inHead : [...inHead, other];
}

/**
 * Searches the staged `.gitmodules` and `.lfsconfig` for addresses and commands that are new. Usually neither file is
 * staged.
 */
async function scanAddresses(
  git: Git,
  target: GitTarget,
  { files, links }: { readonly files: readonly ChangedBlob[]; readonly links: readonly string[] },
): Promise<Result<readonly GateFinding[], GitError>> {
  const findings = links.filter(saysAddresses).map(linkedAddresses);
  for (const { path, sha, older } of files) {
    const now = await listBlobSettings(git, target, sha);
    if (now.isErr()) return err(now.error);
    if (now.value === null) {
      findings.push(unreadFinding(path, "git cannot read it"));
      continue;
    }
    const before: FileSetting[] = [];
    for (const blob of older) {
      const settings = await listBlobSettings(git, target, blob);
      if (settings.isErr()) return err(settings.error);
      before.push(...(settings.value ?? []));
    }
    findings.push(...addressFindings(path, { now: now.value, older: before }));
  }
  return ok(findings);
}
