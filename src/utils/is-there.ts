/** Tells whether something lies at a path; what cannot be looked at is not called gone. */
import { lstat } from "node:fs/promises";

const GONE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/** A link counts wherever it leads. Throws the system's error where nobody can tell, such as a folder that is closed to us. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** Whether an error of the system says that nothing is there; every other one says nothing of that. */
export function isGone(error: unknown): boolean {
  return GONE.has((error as NodeJS.ErrnoException).code);
}
