/** Reads file names from the headers of a diff, as git and diff write them. */
import { isUtf8 } from "node:buffer";

export interface PathPair {
  readonly old: string;
  readonly new: string;
}

/** The name that stands for a missing file. */
export const NO_FILE = "/dev/null";
/** The prefixes that git puts before names: for old and new, or for the kind of each side. */
const PREFIXES = /^[abciow12]\//;

/** The name in a `---` or `+++` line: quoted by git's rules, or up to the tab before a date. */
export function headerPath(text: string): string {
  if (text.startsWith('"')) return unquoted(text).path;
  const [path = "", date = ""] = text.split("\t");
  // diff gives a missing file its would-be name, dated with the first second of the Unix epoch.
  return /^(?:1970-01-01|1969-12-31) /.test(date) ? NO_FILE : realText(path);
}

/** The names in a `diff --git` line; null if the end of the first name is ambiguous. */
export function gitHeaderPaths(text: string): PathPair | null {
  if (text.startsWith('"')) {
    const { path, rest } = unquoted(text);
    const other = rest.trimStart();
    return pairOf(path, other.startsWith('"') ? unquoted(other).path : realText(other));
  }
  const quote = text.indexOf(' "');
  if (quote !== -1) return pairOf(realText(text.slice(0, quote)), unquoted(text.slice(quote + 1)).path);
  // If both names are equal except for prefixes of one length, the blank in the middle separates them.
  const middle = (text.length - 1) / 2;
  const pair = pairOf(realText(text.slice(0, middle)), realText(text.slice(middle + 1)));
  return text.charAt(middle) === " " && pair.old === pair.new ? pair : null;
}

/** The names without prefixes, if both have one. A side that stands for a missing file has none. */
export function pairOf(old: string, created: string): PathPair {
  const [before, after] = [bare(old, "a/"), bare(created, "b/")];
  if (old === NO_FILE || created === NO_FILE) return { old: before, new: after };
  if (before !== old && after !== created) return { old: before, new: after };
  const isPrefixed = PREFIXES.test(old) && PREFIXES.test(created) && old[0] !== created[0];
  if (isPrefixed && old.slice(2) === created.slice(2)) return { old: old.slice(2), new: created.slice(2) };
  return { old, new: created };
}

/** A name in a `rename` or `copy` line. It has no prefix. */
export function plainPath(text: string): string {
  return text.startsWith('"') ? unquoted(text).path : realText(text);
}

function bare(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Each byte that is not UTF-8 becomes half a surrogate pair, as in Python. Every check of a path refuses that. */
function realText(bytes: string): string {
  const buffer = Buffer.from(bytes, "latin1");
  if (isUtf8(buffer)) return buffer.toString("utf8");
  return bytes.replaceAll(/[\x80-\xff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)));
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function unquoted(text: string): { readonly path: string; readonly rest: string } {
  const quoted = /^"((?:[^"\\]|\\.)*)"?/.exec(text);
  const [all = "", inner = ""] = quoted ?? [];
  const bytes = inner.replaceAll(/\\([0-7]{3}|.)/g, (_, escaped: string) =>
    escaped.length === 3
      ? String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
      : (ESCAPES[escaped] ?? escaped),
  );
  return { path: realText(bytes), rest: text.slice(all.length) };
}
