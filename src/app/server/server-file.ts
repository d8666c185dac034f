/** Reads `server.json`: where the engine of a data folder listens, and the token that it asks for. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ENGINE_KINDS } from "../../contract/endpoints/engine.ts";

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
