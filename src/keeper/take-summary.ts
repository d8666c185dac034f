/** Stores the agent's own summary without the secrets in it. */

import { closeSync, readSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createRedactor } from "../domain/agent/redact.ts";
import { writeFileAtomic } from "../utils/files/atomic-write.ts";
import { openInside } from "../utils/files/open-inside.ts";
import { KEEPER_FILES } from "./files.ts";

/**
 * Puts the summary into the run's folder, if there is one. The agent's own file is deleted. A summary that cannot be
 * read, or not be stored on a full disk, is missing. The run then has the agent's last words instead.
 */
export async function takeSummary(
  dir: string,
  file: string | null,
  secrets: readonly string[],
): Promise<void> {
  if (file === null) return;
  await storeSummary(join(dir, KEEPER_FILES.summary), file, secrets).catch(() => undefined);
  // It may be anything, such as a folder: the server deletes what is left.
  await rm(file, { force: true }).catch(() => undefined);
}

async function storeSummary(path: string, file: string, secrets: readonly string[]): Promise<void> {
  const text = readSummary(file);
  if (text !== null) await writeFileAtomic(path, createRedactor({ values: secrets }).text(text));
}

/** More than any commit message needs; the rest is dropped. */
const MAX_BYTES = 256 * 1024;

const MAX_SECRET_LENGTH = 4096;

/**
 * The agent made this file, so it may be anything. Null unless it is a plain file. A link would show us our own
 * files, and a pipe without a writer would block us.
 */
function readSummary(file: string): string | null {
  const folder = realFolder(dirname(file));
  if (folder === null) return null;
  const opened = openInside(folder, join(folder, basename(file)), "file");
  if (!opened.ok) return null;
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    const read = readSync(opened.descriptor, bytes);
    // Half a secret at the cut could not be told from other words.
    return bytes.toString("utf8", 0, read < MAX_BYTES ? read : read - MAX_SECRET_LENGTH);
  } finally {
    closeSync(opened.descriptor);
  }
}

function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
