/** Finds where a merge puts the new files of one side if the other side has renamed their folder. */
import { posix } from "node:path";
import type { AskGit } from "./ask-git.ts";

/** In a long series only the first and the last comparisons count, because finding renames takes time. */
const MOST_LOOKED_AT = 20;

/**
 * Paths relative to the top of the working tree; null if git does not tell. `current` is the commit that is merged
 * into. Git moves such files itself, so neither side has them at that path.
 */
export async function pathsInMovedFolders(
  ask: AskGit,
  comparisons: readonly string[],
  current: string,
): Promise<readonly string[] | null> {
  const half = MOST_LOOKED_AT / 2;
  const looked =
    comparisons.length <= MOST_LOOKED_AT
      ? comparisons
      : [...comparisons.slice(0, half), ...comparisons.slice(-half)];
  const merged = looked
    .map((line) => line.split(" "))
    .filter(([, base]) => base !== undefined && base !== current);
  if (merged.length === 0) return [];
  // The commit to start on is checked out first, and then it is the one that is merged into.
  const starts = looked.flatMap((line) => (line.endsWith(` ${current}`) ? [line.split(" ")[0] ?? ""] : []));
  const sides = merged.flatMap(([theirs = "", ...bases]) =>
    [theirs, current, ...starts].map((side) => [side, ...bases].join(" ")),
  );
  const said = await ask(
    [
      ...["diff-tree", "--stdin", "-r", "-m", "--no-commit-id", "--name-status", "-z", "-M"],
      ...["--no-relative", "--no-ext-diff", "--diff-filter=AR"],
    ],
    `${[...new Set(sides)].join("\n")}\n`,
  );
  return said.kind === "said" ? movedIn(said.text.split("\0")) : null;
}

function movedIn(words: readonly string[]): readonly string[] {
  const added: string[] = [];
  const folders = new Map<string, Set<string>>();
  for (let at = 0; at < words.length; at += 1) {
    const status = (words[at] ?? "").trimStart();
    if (/^R\d+$/.test(status)) {
      const [from = "", to = ""] = words.slice(at + 1, at + 3);
      for (const [old, now] of renamedFolders(from, to))
        folders.set(old, (folders.get(old) ?? new Set()).add(now));
      added.push(to);
      at += 2;
    } else if (status === "A") {
      added.push(words[at + 1] ?? "");
      at += 1;
    }
  }
  return added.flatMap((path) =>
    above(path).flatMap((folder) =>
      [...(folders.get(folder) ?? [])].map((now) => posix.join(now, path.slice(folder.length))),
    ),
  );
}

/** The folders that moved with a file, up to the first different name: `a/x/f` to `b/x/f` moves `a/x` and `a`. */
function renamedFolders(from: string, to: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  let [old, now] = [posix.dirname(from), posix.dirname(to)];
  while (old !== now) {
    if (old !== ".") found.push([old, now]);
    if (posix.basename(old) !== posix.basename(now) || old === "." || now === ".") break;
    [old, now] = [posix.dirname(old), posix.dirname(now)];
  }
  return found;
}

function above(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}
