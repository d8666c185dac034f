/** Inspects a data folder's lock from outside: whether it can be a lock, and which processes hold it. */
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { EngineLockFacts } from "../../domain/doctor/engine-lock.ts";
import { lockHolders } from "../../utils/locks/lock-holders.ts";

/** Only for a process that holds no lock: it opens and closes the file, and closing frees a lock. */
export async function inspectEngineLock(home: string): Promise<EngineLockFacts> {
  const file = join(home, "engine.lock");
  const found = await lstat(file).catch(() => null);
  return {
    file,
    strange: found === null ? null : await strangenessOf(file, found),
    bytes: found?.isFile() === true ? found.size : null,
    holders: await lockHolders(file),
  };
}

/** Our lock is an empty file. The database's own library would write its own header into it. */
const KINDS = ["", "SQLite format 3\0"];

async function strangenessOf(
  file: string,
  found: { readonly isFile: () => boolean; readonly isSymbolicLink: () => boolean; readonly size: number },
): Promise<EngineLockFacts["strange"]> {
  if (found.isSymbolicLink()) return "link";
  if (!found.isFile()) return "no_file";
  if (found.size === 0) return null;
  const handle = await open(file).catch(() => null);
  if (handle === null) return "closed";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return KINDS.includes(buffer.toString("latin1", 0, bytesRead)) ? null : "no_lock";
  } finally {
    await handle.close();
  }
}
