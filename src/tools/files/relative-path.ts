/** Spells a place in the workspace as agents write it: relative, with slashes, on every system. */
import { relative, sep } from "node:path";

/** `.` for the workspace itself. Both paths are absolute and without links. */
export function relativePath(root: string, path: string): string {
  const found = relative(root, path);
  if (found === "") return ".";
  return sep === "/" ? found : found.replaceAll(sep, "/");
}
