/** Lists the files that a merge left in conflict, with each side's version of them. */
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

interface UnmergedSide {
  /** Such as `100644`; `120000` is a link, `160000` a submodule. */
  readonly mode: string;
  readonly sha: string;
}

/** One path in conflict; a side without an entry there is null. */
export interface UnmergedFile {
  readonly path: string;
  readonly base: UnmergedSide | null;
  readonly ours: UnmergedSide | null;
  readonly theirs: UnmergedSide | null;
}

/** In the order of the index, each path once. */
export async function unmergedFiles(git: Git, target: GitTarget): GitAnswer<readonly UnmergedFile[]> {
  const listed = await git.run(target, ["ls-files", "--unmerged", "-z"]);
  return listed.map(({ stdout }) => {
    const files = new Map<string, UnmergedFile>();
    for (const field of fromNul(stdout)) {
      const [facts = "", path = ""] = splitAt(field, field.indexOf("\t"));
      const [mode = "", sha = "", stage = ""] = facts.split(" ");
      const known = files.get(path) ?? { path, base: null, ours: null, theirs: null };
      files.set(path, { ...known, [SIDES[stage] ?? "base"]: { mode, sha } });
    }
    return [...files.values()];
  });
}

/** Only their paths. */
export async function unmergedPaths(git: Git, target: GitTarget): GitAnswer<readonly string[]> {
  return (await unmergedFiles(git, target)).map((files) => files.map(({ path }) => path));
}

const SIDES: Readonly<Record<string, "base" | "ours" | "theirs">> = { 1: "base", 2: "ours", 3: "theirs" };

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)];
}
