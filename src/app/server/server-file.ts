/** Reads `server.json`: where the engine of a data folder listens, and the token that it asks for. */
import { readFile } from "node:fs/promises";
import type { EngineAnswer } from "../../contract/endpoints/engine.ts";

export interface ServerFile {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /**
   * The start time of that process, in the system's units: a later process with the same number has another one.
   */
  readonly start_time: string;
  /** The id of the boot that `start_time` counts in; empty in files of older versions. */
  readonly boot_id: string;
  readonly version: string;
  /** UTC ISO; null in files of older versions. */
  readonly since: string | null;
  /** `background` ends by itself; `terminal` is `tazuna serve`; `command` belongs to `run --foreground`. */
  readonly kind: EngineAnswer["kind"];
  /** The address of its Postgres, without credentials; null for the data folder's own database. */
  readonly database: string | null;
}

/** Null if there is no file, or if it is damaged. */
export async function readServerFile(path: string): Promise<ServerFile | null> {
  try {
    return serverFileOf(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}

const MIN_TOKEN = 32;

/** Every command reads it, so it is checked by hand: a schema would take longer than all the rest of the reading. */
function serverFileOf(json: Readonly<Record<string, unknown>> | null): ServerFile | null {
  const { pid, kind } = json ?? {};
  const text = (name: string) => {
    const value = json?.[name];
    return typeof value === "string" ? value : null;
  };
  const [url, token, startTime, version] = ["url", "token", "start_time", "version"].map(text);
  if (url == null || token == null || startTime == null || version == null) return null;
  if (token.length < MIN_TOKEN || typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0) return null;
  return {
    ...{ url, token, pid, version, start_time: startTime },
    boot_id: text("boot_id") ?? "",
    since: text("since"),
    kind: kind === "background" || kind === "command" ? kind : "terminal",
    database: text("database"),
  };
}
