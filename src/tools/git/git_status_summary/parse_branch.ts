/** Reads the branch from the first line of `git status --porcelain=v1 --branch` (seed 000 §5, §7). */

const HEADER = "## ";
/** Git's words for a repository without commits, now and before 2.14. */
const UNBORN = /^(?:No commits yet on|Initial commit on) /;

/** Null if HEAD is detached, or if the first line is not a `##` line. */
export function parseBranch(raw: string): string | null {
  const [first = ""] = raw.split(/\r?\n/, 1);
  if (!first.startsWith(HEADER)) return null;
  const header = first.slice(HEADER.length);
  if (header === "HEAD (no branch)") return null;
  const [branch = ""] = header.replace(UNBORN, "").split("...", 1);
  return branch === "" ? null : branch;
}
