/** Reads texts by which git leads from one folder to another, such as a `.git` file, as git does. */
import { isAbsolute } from "node:path";

/** The git directory that the text of a `.git` file names; null if it names none. */
export function namedGitDir(text: string): string | null {
  const named = text.startsWith("gitdir: ") ? withoutLineEnds(text.slice("gitdir: ".length)) : "";
  return named === "" ? null : named;
}

/** Git removes only line ends. Every other character, even a space, may belong to the path. */
export function withoutLineEnds(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}

/** The place that a path means in a folder. Joined by hand, so that `link/../x` is followed through the link. */
export function placeFrom(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

/** Whether git reads the text byte by byte: it has no NUL, at which git stops, and only UTF-8. */
export function isPlainText(text: string): boolean {
  return !/[\0\u{fffd}]/u.test(text);
}
