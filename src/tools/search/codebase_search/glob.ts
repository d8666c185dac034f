/** Decides by a pattern which files are searched. */
import { bytesOf, createGitPatterns } from "../../../utils/paths/git-patterns.ts";

/** The most patterns that one pattern with braces may expand to. */
export const MAX_PATTERNS = 100;

/**
 * A pattern as in .gitignore, relative to the workspace, with `{a,b}` allowed. A `!` in front selects all other
 * files.
 */
export function globFilter(glob: string): (path: string) => boolean {
  const isNegative = glob.startsWith("!");
  const patterns = expandBraces(isNegative ? glob.slice(1) : glob);
  const text = (patterns ?? []).map((pattern) => pattern.replace(/^[#!]/, "\\$&")).join("\n");
  const list = createGitPatterns(bytesOf(text), { foldsCase: false });
  const isNamed = (path: string): boolean => {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      if (list.verdictOn(path.slice(0, at), "directory") !== null) return true;
    return list.verdictOn(path, "file") !== null;
  };
  return (path) => isNamed(bytesOf(path)) !== isNegative;
}

/** Null if there are too many. */
export function expandBraces(pattern: string): readonly string[] | null {
  let found = [pattern];
  for (;;) {
    const next = found.flatMap((one) => {
      const [all, inner] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
      return all === undefined ? [one] : (inner ?? "").split(",").map((part) => one.replace(all, () => part));
    });
    if (next.length > MAX_PATTERNS) return null;
    if (next.length === found.length) return found;
    found = next;
  }
}
