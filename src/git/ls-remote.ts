/** Asks a remote what it has, without fetching anything. */
import type { Result } from "neverthrow";
import { asRemoteError, type RemoteError } from "./remote-error.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { SENT_BY_STANDARD } from "./standard-programs.ts";

/** The commit that a branch has on the remote right now, or null. */
export async function remoteHead(
  git: Git,
  target: GitTarget,
  options: {
    readonly remote: string;
    readonly branch: string;
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal;
  },
): Promise<Result<string | null, RemoteError>> {
  const { remote, branch, ...limits } = options;
  const ref = `refs/heads/${branch}`;
  const listed = await git.run(target, ["ls-remote", SENT_BY_STANDARD, remote, ref], {
    access: "remote",
    ...limits,
  });
  return listed.mapErr(asRemoteError).map(({ stdout }) => {
    const line = stdout.split("\n").find((one) => one.endsWith(`\t${ref}`));
    return line?.split("\t")[0] ?? null;
  });
}

/** The remote's default branch by `git ls-remote --symref REMOTE HEAD`, or null where it names none. */
export async function symrefHead(
  git: Git,
  target: GitTarget,
  remote: string,
): Promise<Result<string | null, RemoteError>> {
  const listed = await git.run(target, ["ls-remote", SENT_BY_STANDARD, "--symref", remote, "HEAD"], {
    access: "remote",
  });
  return listed
    .mapErr(asRemoteError)
    .map(({ stdout }) => /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(stdout)?.[1] ?? null);
}
