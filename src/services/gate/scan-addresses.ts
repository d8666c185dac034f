/** Reads the staged `.gitmodules` and `.lfsconfig` for addresses and commands that were not there before. */
import { err, ok, type Result } from "neverthrow";
import {
  addressFindings,
  type FileSetting,
  linkedAddresses,
  saysAddresses,
} from "../../domain/publish/address-rules.ts";
import { unreadFinding } from "../../domain/publish/content-rules.ts";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import type { GitError } from "../../git/git-error.ts";
import { listBlobSettings } from "../../git/list-blob-settings.ts";
import type { Git, GitTarget } from "../../git/run-git.ts";
import type { ChangedBlob } from "./new-in-change.ts";

/** Nearly always of no file at all. */
export async function scanAddresses(
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
