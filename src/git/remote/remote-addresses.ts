/** Reads the configured addresses of all remotes, before git rewrites any. */
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul } from "../process/nul-list.ts";
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
    const settings = fromNul(stdout).map((field) => ({
      isForPushes: field.slice(0, field.indexOf("\n")).endsWith(".pushurl"),
      address: field.slice(field.indexOf("\n") + 1),
    }));
    const those = (isForPushes: boolean) => [
      ...new Set(
        settings
          .filter((one) => one.isForPushes === isForPushes && one.address !== "")
          .map(({ address }) => address),
      ),
    ];
    return { urls: those(false), pushUrls: those(true) };
  });
}
