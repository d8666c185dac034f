/** Reads folders and files that may be missing or closed; then nothing is in them. */
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { tryOr } from "../values/try-or.ts";

/** The entries of a folder; none if it cannot be read. */
export function entriesIn(folder: string): readonly Dirent[] {
  return tryOr(() => readdirSync(folder, { withFileTypes: true }), []);
}

/** The names of those entries. */
export function namesIn(folder: string): readonly string[] {
  return tryOr(() => readdirSync(folder), []);
}

/** The text of a file; empty if it cannot be read. */
export function textIn(path: string): string {
  return tryOr(() => readFileSync(path, "utf8"), "");
}

/** Whether a pipe lies there, or where a link there leads. False if the system does not tell. */
export function isPipe(path: string): boolean {
  return tryOr(() => statSync(path, { throwIfNoEntry: false })?.isFIFO() === true, false);
}
