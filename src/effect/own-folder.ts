/** Finds or makes the folder for Tazuna's own files in a workspace, with the file that hides it from git. */
import { appendFileSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { syncFolder, writeFileAtomic } from "../utils/files/atomic-write.ts";
import { realPathInside } from "../utils/paths/safe-path.ts";
import { type FileSystemError, fileSystemErrorOf } from "./file-system-error.ts";

export const OWN_FOLDER = ".tazuna";

/** Its real path, or the path to make it at. A link that leads out of the workspace is refused. */
export async function ownFolder(workspaceRoot: string): Promise<Result<string, FileSystemError>> {
  try {
    const placed = await realPathInside(workspaceRoot, OWN_FOLDER, { missing: "allow" });
    if (placed.ok) return ok(placed.path);
    const message = `${OWN_FOLDER} does not lead to a folder in the workspace: ${placed.message}`;
    return err({ type: "outside_workspace", message });
  } catch (cause) {
    const error = fileSystemErrorOf(cause, { file: workspaceRoot, doing: "read" });
    // A missing workspace is an error. It does not count as a workspace without an issue.
    return err(error.type === "file_not_found" ? { ...error, type: "unknown" } : error);
  }
}

/** The same folder, made if it is missing. */
export async function makeOwnFolder(workspaceRoot: string): Promise<Result<string, FileSystemError>> {
  const placed = await ownFolder(workspaceRoot);
  if (placed.isErr()) return placed;
  try {
    mkdirSync(placed.value);
    await syncFolder(dirname(placed.value));
  } catch (cause) {
    const stats = lstatSync(placed.value, { throwIfNoEntry: false });
    if (!stats?.isDirectory())
      return err(fileSystemErrorOf(cause, { file: OWN_FOLDER, doing: "create-folder" }));
  }
  return placed;
}

const IGNORE_FILE = ".gitignore";
/** Bytes. A longer file is not a list of patterns that a person wrote. */
const MAX_LIST_LENGTH = 1024 * 1024;

/**
 * Lets git ignore files of the folder that match `patterns`, and nothing else in it. `config.json` is meant to be
 * committed. An existing file keeps its lines and gets the missing ones. If it names a pattern, even to undo it, that
 * decision stays. A file that is not plain, or longer than any list, is left alone.
 */
export async function keepOutOfGit(folder: string, patterns: readonly string[]): Promise<void> {
  const path = join(folder, IGNORE_FILE);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return writeIgnoreFile(path, [`/${IGNORE_FILE}`, ...patterns]);
  if (!stats.isFile() || stats.size > MAX_LIST_LENGTH) return;
  const text = readFileSync(path, "utf8");
  const lines = text.split(/\r?\n/).map((line) => line.trim().replace(/^!/, ""));
  if (lines.some((line) => line === "*" || line === "/*")) return;
  const missing = patterns.filter((pattern) => !lines.includes(pattern));
  if (missing.length === 0) return;
  const start = text === "" || text.endsWith("\n") ? "" : "\n";
  appendFileSync(path, `${start}${COMMENT}\n${missing.join("\n")}\n`);
}

const COMMENT = "# Tazuna's own files; what else is in this folder may be committed.";

async function writeIgnoreFile(path: string, patterns: readonly string[]): Promise<void> {
  await writeFileAtomic(path, `${COMMENT}\n${patterns.join("\n")}\n`, { mode: 0o644 });
}
