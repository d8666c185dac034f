/** Decides by a pattern which files are searched. */
import ignore from "ignore";

const MOST_ALTERNATIVES = 100;

/** A pattern as in .gitignore, relative to the workspace, and with `{a,b}`; with a `!` in front, all files but those. */
export function globFilter(glob: string): (path: string) => boolean {
  const isNegative = glob.startsWith("!");
  const patterns = expandBraces(isNegative ? glob.slice(1) : glob);
  const list = ignore({ ignorecase: false, allowRelativePaths: true }).add(
    patterns.map((pattern) => pattern.replace(/^[#!]/, "\\$&")),
  );
  return (path) => list.ignores(path) !== isNegative;
}

function expandBraces(pattern: string): readonly string[] {
  let found = [pattern];
  for (;;) {
    const next = found.flatMap((one) => {
      const [all, inner] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
      return all === undefined ? [one] : (inner ?? "").split(",").map((part) => one.replace(all, () => part));
    });
    if (next.length === found.length || next.length > MOST_ALTERNATIVES) return found;
    found = next;
  }
}
