/** Keeps the key that browser sessions are signed with, so that they survive a restart. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../utils/atomic-write.ts";

/** Read from `session.key` (mode 0600) in the data folder, or made there. */
export async function sessionSecret(home: string): Promise<string> {
  const path = join(home, "session.key");
  const known = await readFile(path, "utf8").catch(() => "");
  if (/^[0-9a-f]{64}$/.test(known)) return known;
  const made = randomBytes(32).toString("hex");
  await writeFileAtomic(path, made, { mode: 0o600 });
  return made;
}
