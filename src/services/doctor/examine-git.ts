/** Asks for git, and for the programs that it needs for what is set up here. */

import type { Finding } from "../../domain/doctor/finding.ts";
import { gitFindings } from "../../domain/doctor/git.ts";
import type { RemoteFacts } from "../../domain/doctor/remotes.ts";
import type { ExaminedRepositories } from "./examine-repositories.ts";
import type { Patient } from "./patient.ts";

export async function examineGit(
  { probe }: Patient,
  { remotes, withoutIdentity }: Omit<ExaminedRepositories, "findings">,
): Promise<readonly Finding[]> {
  const git = await probe.which("git");
  const answer = git === null ? null : await probe.run([git, "--version"]);
  const needed = [
    { program: "sh", neededBy: "every setup command, check and hook" },
    ...(remotes.some(isOverSsh) ? [{ program: "ssh", neededBy: "a remote" }] : []),
  ];
  const there = await Promise.all(needed.map(({ program }) => probe.which(program)));
  return gitFindings({
    version: answer === null || answer.code !== 0 ? null : answer.stdout,
    missing: needed.filter((_, index) => there[index] === null),
    withoutIdentity,
  });
}

/** `ssh://host/path` or `host:path`; a drive letter is no host. */
function isOverSsh({ fetchUrl, pushUrl }: RemoteFacts): boolean {
  return [fetchUrl, pushUrl].some(
    (url) => /^(git\+)?ssh:\/\//i.test(url) || /^[^/:\\]{2,}:(?!\/\/)/.test(url),
  );
}
