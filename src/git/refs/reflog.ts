/** Reads the newest line of a reference's log. */
import { join } from "node:path";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

/** Enough for hundreds of thousands of lines. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Who moved the reference last, when and why, from its reflog. Null if git keeps no reflog for it. */
export async function lastReflogLine(git: Git, target: GitTarget, ref: string): GitAnswer<string | null> {
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

/** The last commit of a worktree's HEAD, from its own reflog; null if git keeps none. */
export async function lastCommitOfHead(gitDir: string): Promise<string | null> {
  const text = readPlainFile(join(gitDir, "logs", "HEAD"), MAX_BYTES) ?? "";
  const [from = "", to = ""] = text.trimEnd().split("\n").at(-1)?.split(" ") ?? [];
  // Deleting the checked-out branch also adds a line, whose new value is the null id.
  const sha = /^0*$/.test(to) ? from : to;
  return /^[0-9a-f]{40,64}$/.test(sha) && !/^0+$/.test(sha) ? sha : null;
}

/**
 * Whether a remote-tracking reference got its commit from the remote, as its reflog says. Without a reflog this is
 * unknown and counts as true.
 */
export async function wasFetched(commonDir: string, ref: string, sha: string): Promise<boolean> {
  const log = readPlainFile(join(commonDir, "logs", ref), MAX_BYTES) ?? "";
  const last = log.trimEnd().split("\n").at(-1) ?? "";
  if (last === "") return true;
  const [, to, why = ""] = /^\S+ (\S+) [^\t]*(?:\t(.*))?$/.exec(last) ?? [];
  return to === sha && /^(?:fetch|pull|clone|update by push|remote)\b/.test(why);
}
