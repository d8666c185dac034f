/** Reads the newest line of a reference's log. */
import { join } from "node:path";
import type { Result } from "neverthrow";
import { readPlainFile } from "../utils/read-plain-file.ts";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** Hundreds of thousands of lines. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Who moved the reference last, when and why, as git wrote it down; null where it keeps no log. */
export async function lastReflogLine(
  git: Git,
  target: GitTarget,
  ref: string,
): Promise<Result<string | null, GitError>> {
  const format = "--format=%gd %gn <%ge> %gs";
  const shown = await git.run(
    target,
    ["log", "--walk-reflogs", "--max-count=1", "--date=iso-strict", format, ref, "--"],
    {
      expect: [0, 128],
    },
  );
  return shown.map(({ exitCode, stdout }) => (exitCode === 0 && stdout.trim() !== "" ? stdout.trim() : null));
}

/** The commit that HEAD of a worktree was at last, by the log that git keeps beside it; null where it keeps none. */
export async function lastCommitOfHead(gitDir: string): Promise<string | null> {
  const text = readPlainFile(join(gitDir, "logs", "HEAD"), MOST_BYTES) ?? "";
  const [from = "", to = ""] = text.trimEnd().split("\n").at(-1)?.split(" ") ?? [];
  // Deleting the branch that is checked out is a line too, to nothing.
  const sha = /^0*$/.test(to) ? from : to;
  return /^[0-9a-f]{40,64}$/.test(sha) && !/^0+$/.test(sha) ? sha : null;
}

/**
 * Whether a remote-tracking reference came to its commit by talking to the remote, as its log says. Where git keeps no log,
 * it is not known, and taken for granted.
 */
export async function wasFetched(commonDir: string, ref: string, sha: string): Promise<boolean> {
  const log = readPlainFile(join(commonDir, "logs", ref), MOST_BYTES) ?? "";
  const last = log.trimEnd().split("\n").at(-1) ?? "";
  if (last === "") return true;
  const [, to, why = ""] = /^\S+ (\S+) [^\t]*(?:\t(.*))?$/.exec(last) ?? [];
  return to === sha && /^(?:fetch|pull|clone|update by push|remote)\b/.test(why);
}
