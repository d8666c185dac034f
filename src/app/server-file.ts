/** Reads and writes `server.json`: where the engine of a data folder listens, and the token it wants. */
import { readFile, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../utils/atomic-write.ts";
import { watchFiles } from "../utils/file-changes.ts";

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

/** Until it is taken back, nobody else's. */
export interface PublishedFile {
  /** Removes it, if it is still this process's own. */
  takeBack(): Promise<void>;
}

/** How long it may be missing where the system does not say that it was changed. */
const LOOK_MS = 10_000;

/**
 * Mode 0600: whoever can read it may do anything that Tazuna may. Whatever becomes of it while this engine has the data
 * folder, it is written again: an agent that no sandbox holds can reach it, and without it no command finds the engine.
 */
export async function publishServerFile(
  path: string,
  file: ServerFile,
  onFault: (error: unknown) => void,
): Promise<PublishedFile> {
  const text = `${JSON.stringify(file, null, 2)}\n`;
  const write = () => writeFileAtomic(path, text, { mode: 0o600 });
  await write();
  const over = new AbortController();
  const changes = watchFiles({
    folder: dirname(path),
    files: [basename(path)],
    pollMs: LOOK_MS,
    signals: [over.signal],
  });
  const keep = async (): Promise<void> => {
    for (;;) {
      await changes.next();
      if (over.signal.aborted) return;
      if ((await readFile(path, "utf8").catch(() => null)) !== text) await write().catch(onFault);
    }
  };
  const kept = keep();
  return {
    takeBack: async () => {
      over.abort();
      await kept;
      changes.close();
      if ((await readServerFile(path))?.token === file.token) await rm(path, { force: true });
    },
  };
}
