/** Reads and writes `server.json`: where the engine of a data folder listens, and the token that it asks for. */
import { readFile, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { ENGINE_KINDS } from "../../contract/endpoints/engine.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { watchFiles } from "../../utils/files/file-changes.ts";

const serverFileSchema = z.object({
  url: z.string(),
  token: z.string().min(32),
  pid: z.number().int().positive(),
  /**
   * The start time of that process, in the system's units: a later process with the same number has another one.
   */
  start_time: z.string(),
  /** The id of the boot that `start_time` counts in; empty in files of older versions. */
  boot_id: z.string().default(""),
  version: z.string(),
  /** UTC ISO; null in files of older versions. */
  since: z.string().nullable().default(null),
  /** `background` ends by itself; `terminal` is `tazuna serve`; `command` belongs to `run --foreground`. */
  kind: z.enum(ENGINE_KINDS).default("terminal"),
  /** The address of its Postgres, without credentials; null for the data folder's own database. */
  database: z.string().nullable().default(null),
});
export type ServerFile = Readonly<z.infer<typeof serverFileSchema>>;

/** Null if there is no file, or if it is damaged. */
export async function readServerFile(path: string): Promise<ServerFile | null> {
  try {
    const parsed = serverFileSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The file belongs to this process until `takeBack`. */
export interface PublishedFile {
  /** Removes it, if it is still this process's own. */
  takeBack(): Promise<void>;
}

/** How long the file may be missing if the system does not report changes. */
const LOOK_MS = 10_000;

/**
 * Mode 0600: a reader of this file may do anything that Tazuna may. If it is changed or deleted while this engine has
 * the data folder, it is written again. An agent without a sandbox can reach it, and without it no command finds the
 * engine.
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
