/** Reads the configured addresses of all remotes, before git rewrites any. */
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul, settingOf } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

interface RemoteAddresses {
  readonly urls: readonly string[];
  /** The addresses that only pushes use (`pushurl`). */
  readonly pushUrls: readonly string[];
}

export async function remoteAddresses(git: Git, target: GitTarget): GitAnswer<RemoteAddresses> {
  const read = await git.run(target, ["config", "--null", "--get-regexp", "^remote\\..*\\.(push)?url$"], {
    expect: [0, 1],
  });
  return read.map(({ stdout }) => {
    const settings = fromNul(stdout).map(settingOf);
    const those = (name: string) => {
      const found = settings.filter(({ key, value }) => key.endsWith(name) && value !== "");
      return [...new Set(found.map(({ value }) => value))];
    };
    return { urls: those(".url"), pushUrls: those(".pushurl") };
  });
}
