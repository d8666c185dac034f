/** Counts the complete lines of a small file. */
import { readFile } from "node:fs/promises";

/** Zero where there is no such file. */
export async function countLines(path: string): Promise<number> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").length - 1;
}
