/** Writes `server.json`, and keeps it there until the engine ends. */
import { readFile, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { watchFiles } from "../../utils/files/file-changes.ts";
import { readServerFile, type ServerFile } from "./server-file.ts";

/** The file belongs to this process until `takeBack`. */
export interface PublishedFile {
  /** Removes it, if it is still this process's own. */
  takeBack(): Promise<void>;
}

/** How long the file may be missing if the system does not report changes. */
const POLL_MS = 10_000;

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
    pollMs: POLL_MS,
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
