/** Reads the newest line of a reference's log. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

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
