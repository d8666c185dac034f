/** Finds the paths that a call may write from its comparisons of commits. */
import type { AskGit } from "./ask-git.ts";

/** Relative to the top of the working tree. A nested repository is only a folder there. */
export type BroughtPaths = ReadonlyMap<string, "file" | "repository">;

const REPOSITORY = "160000";

/** Null if git does not tell. */
export async function pathsOfComparisons(
  ask: AskGit,
  comparisons: readonly string[],
): Promise<BroughtPaths | null> {
  if (comparisons.length === 0) return new Map();
  const said = await ask(
    [
      ...["diff-tree", "--stdin", "-r", "-m", "--root", "--no-commit-id", "--raw", "-z", "--no-abbrev"],
      ...["--no-renames", "--no-relative", "--no-ext-diff", "--ignore-submodules=none", "--diff-filter=d"],
    ],
    `${[...new Set(comparisons)].join("\n")}\n`,
  );
  if (said.kind !== "said") return null;
  const words = said.text.split("\0");
  const paths = new Map<string, "file" | "repository">();
  for (let at = 0; at < words.length; at += 1) {
    // Between the differences there are lines that name two trees.
    const mode = /^\n?:\d{6} (\d{6}) /.exec(words[at] ?? "")?.[1];
    if (mode === undefined) continue;
    at += 1;
    const path = words[at] ?? "";
    if (mode !== REPOSITORY || !paths.has(path)) paths.set(path, mode === REPOSITORY ? "repository" : "file");
  }
  return paths;
}

/** The same for patches. */
export async function pathsOfPatches(
  ask: AskGit,
  {
    files,
    options,
    stdin = "",
  }: {
    readonly files: readonly string[];
    readonly options: readonly string[];
    /** The content that `-` stands for. */
    readonly stdin?: string;
  },
): Promise<BroughtPaths | null> {
  if (files.length === 0) return new Map();
  const said = await ask(["apply", "--numstat", "-z", ...options, "--", ...files], stdin);
  if (said.kind !== "said") return null;
  const paths = said.text.split("\0").flatMap((line) => /^[\d-]+\t[\d-]+\t(.+)$/s.exec(line)?.[1] ?? []);
  return new Map(paths.map((path) => [path, "file"]));
}
