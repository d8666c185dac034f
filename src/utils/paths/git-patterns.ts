/** Reads a list of patterns as git reads a .gitignore file (its dir.c). */
import { createWildcard, type Wildcard } from "./git-wildcard.ts";

export interface GitPatterns {
  /** What the last matching pattern says about a path of bytes, relative to the list's folder; null if none matches. */
  verdictOn(path: string, kind: "directory" | "file"): "ignored" | "included" | null;
}

interface Pattern {
  readonly verdict: "ignored" | "included";
  readonly onlyFolders: boolean;
  /** Whether it applies to the last name of a path, in any folder. */
  readonly ofName: boolean;
  readonly matches: Wildcard;
}

/** Bytes as characters (latin1), because git compares bytes: for git, `?` matches only half of an é. */
export function bytesOf(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
}

/** `text` is a string of bytes. */
export function createGitPatterns(text: string, options: { readonly foldsCase: boolean }): GitPatterns {
  const patterns = text
    .replace(/^\xef\xbb\xbf/, "")
    .split("\n")
    .flatMap((line) => readPattern(line.replace(/\r$/, ""), options) ?? [])
    .reverse();
  return {
    verdictOn: (path, kind) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const last = patterns.find(
        ({ onlyFolders, ofName, matches }) =>
          (kind === "directory" || !onlyFolders) && matches(ofName ? name : path),
      );
      return last?.verdict ?? null;
    },
  };
}

function readPattern(line: string, options: { readonly foldsCase: boolean }): Pattern | null {
  if (line === "" || line.startsWith("#")) return null;
  const trimmed = withoutTrailingSpaces(line);
  const isNegative = trimmed.startsWith("!");
  const written = isNegative ? trimmed.slice(1) : trimmed;
  const onlyFolders = written.endsWith("/");
  const whole = onlyFolders ? written.slice(0, -1) : written;
  // `**/` before a name means any folder, and comparing a name is faster than comparing a path.
  const pattern = whole.replace(/^\*\*\/(?=[^/]+$)/, "");
  const ofName = !pattern.includes("/");
  const matches = matcherOf(pattern.replace(/^\//, ""), { ...options, ofName });
  return { verdict: isNegative ? "included" : "ignored", onlyFolders, ofName, matches };
}

/** The plain beginning is compared as plain text. Git treats only the rest as a pattern, as if it began there. */
function matcherOf(
  pattern: string,
  { foldsCase, ofName }: { readonly foldsCase: boolean; readonly ofName: boolean },
): Wildcard {
  const same = (text: string) => (foldsCase ? text.replaceAll(/[A-Z]/g, (c) => c.toLowerCase()) : text);
  const special = pattern.search(SPECIAL);
  const plain = same(special === -1 ? pattern : pattern.slice(0, special));
  // An empty pattern, such as `/`, matches nothing.
  if (special === -1) return (text) => plain !== "" && same(text) === plain;
  if (ofName && pattern.startsWith("*") && !SPECIAL.test(pattern.slice(1))) {
    const end = same(pattern.slice(1));
    return (name) => same(name).endsWith(end);
  }
  const matches = createWildcard(pattern.slice(special), { foldsCase });
  return (text) => same(text).startsWith(plain) && matches(text.slice(special));
}

const SPECIAL = /[*?[\\]/;

/** Spaces after a backslash stay. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") continue;
    if (line[at] === "\\") at += 1;
    // A backslash at the end stands for itself.
    if (at >= line.length) return line;
    end = at + 1;
  }
  return line.slice(0, end);
}

/** Whether `.gitignore` patterns match a path, or a folder that contains it. No pattern can make this slow. */
export function createPathMatcher(lines: readonly string[]): (path: string) => boolean {
  const patterns = createGitPatterns(bytesOf(lines.join("\n")), { foldsCase: false });
  return (path) => {
    const bytes = bytesOf(path);
    for (let end = bytes.indexOf("/"); end >= 0; end = bytes.indexOf("/", end + 1))
      if (patterns.verdictOn(bytes.slice(0, end), "directory") === "ignored") return true;
    return patterns.verdictOn(bytes, "file") === "ignored";
  };
}
