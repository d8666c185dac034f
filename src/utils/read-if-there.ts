/** Reads a text file that may not be there; whatever else keeps it from being read is thrown. */
import { readFile } from "node:fs/promises";
import { isGone } from "./is-there.ts";

/** Null where nothing is at that path. */
export async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
}
