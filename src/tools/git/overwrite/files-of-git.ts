/** Reads small files in which git notes what it is in the middle of. */
import { readFileSync } from "node:fs";

/** Empty where there is none. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
