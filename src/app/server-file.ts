/** Reads and writes `server.json`: where the engine of a data folder listens, and the token it wants. */
import { readFile, rm } from "node:fs/promises";
import { z } from "zod";
import { writeFileAtomic } from "../utils/atomic-write.ts";

const serverFileSchema = z.object({
  url: z.string(),
  token: z.string().min(32),
  pid: z.number().int().positive(),
  /** When that process started, as the system counts: tells it from a later one with the same number. */
  start_time: z.string(),
  version: z.string(),
  /** Of the Postgres that it works with, without credentials; null for the data folder's own database. */
  database: z.string().nullable().default(null),
});
export type ServerFile = Readonly<z.infer<typeof serverFileSchema>>;

/** Null where there is none, or where it is damaged. */
export async function readServerFile(path: string): Promise<ServerFile | null> {
  try {
    const parsed = serverFileSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Mode 0600: whoever can read it may do anything that Tazuna may. */
export async function writeServerFile(path: string, file: ServerFile): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
}

/** Removes the file if it is still this process's own. */
export async function removeServerFile(path: string, token: string): Promise<void> {
  if ((await readServerFile(path))?.token === token) await rm(path, { force: true });
}
