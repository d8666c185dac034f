/**
 * Stores a workspace's issue in `.tazuna/issue.json`; reads it or the one of an attempt (seed 004 Layer Integration,
 * Effect Layer Extensions).
 */
import { lstatSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { IssueDefinition, IssueDefinitionCreated } from "../domain/issue/issue-definition.ts";
import { removeTemporaries, writeFileAtomic } from "../utils/files/atomic-write.ts";
import { giveSecondName } from "../utils/files/second-name.ts";
import { type TicketLock, takeTicket } from "../utils/locks/ticket-lock.ts";
import { newId } from "../utils/values/ids.ts";
import { type FileSystemError, fileSystemErrorOf } from "./file-system-error.ts";
import {
  definitionIn,
  documentOf,
  type IssueDocument,
  parseIssueDocument,
  textOf,
} from "./issue-document.ts";
import { keepOutOfGit, makeOwnFolder, OWN_FOLDER, ownFolder } from "./own-folder.ts";
import { readRegularFile } from "./read-regular-file.ts";

export type IssuePlace =
  /** Absolute. */
  | { readonly kind: "workspace"; readonly root: string }
  /** A file with another writer; absolute. */
  | { readonly kind: "handed"; readonly file: string };

interface SavedIssue {
  /** How many earlier definitions the file holds. */
  readonly earlier: number;
  /** The place in the workspace of a copy of the unreadable file; null if there was no such file. */
  readonly keptAside: string | null;
}

const FILE = "issue.json";
const NAME = `${OWN_FOLDER}/${FILE}`;
/**
 * Tazuna's files in the folder that stay uncommitted: the file, its lock, copies, temporary files of killed writers.
 */
const UNCOMMITTED = [`/${FILE}*`, "/.*.tmp"];
/** Enough for a few hundred of the longest definitions, or thousands of usual ones. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Dozens of writers at once take a few seconds; clients of MCP wait for a minute. */
const TIMEOUT_MS = 30_000;

/** Whether anything exists at its path, even something unreadable; false only if nothing exists. */
export async function issueDefinitionExists(place: IssuePlace): Promise<boolean> {
  const path = await pathOf(place);
  if (path.isErr()) return true;
  try {
    return lstatSync(path.value, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** `file_not_found` if nothing was defined, `corrupt` if the content has another format. */
export async function loadIssueDefinition(
  place: IssuePlace,
): Promise<Result<IssueDefinition, FileSystemError>> {
  return (await loadDocument(place)).map(definitionIn);
}

/**
 * Makes this the issue of the workspace, durably; the one before becomes history. Writers wait for each other, across
 * processes too: none is lost. A file that cannot be read as an issue is kept beside it under a new name, never
 * overwritten.
 */
export async function saveIssueDefinition(
  workspaceRoot: string,
  next: IssueDefinitionCreated,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Result<SavedIssue, FileSystemError>> {
  const folder = await makeOwnFolder(workspaceRoot);
  if (folder.isErr()) return err(folder.error);
  const options = { patienceMs: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
  try {
    const lock = await takeTicket(join(folder.value, `${FILE}.lock`), options);
    if (lock === "busy")
      return err({ type: "busy", message: `${NAME} is being written by others all the time` });
    if (lock === "canceled") return err({ type: "canceled", message: `${NAME} was left as it is` });
    try {
      return await replace(folder.value, { workspaceRoot, next, lock });
    } finally {
      lock.release();
    }
  } catch (cause) {
    return err(fileSystemErrorOf(cause, { file: NAME, doing: "write" }));
  }
}

async function replace(
  folder: string,
  {
    workspaceRoot,
    next,
    lock,
  }: { readonly workspaceRoot: string; readonly next: IssueDefinitionCreated; readonly lock: TicketLock },
): Promise<Result<SavedIssue, FileSystemError>> {
  await keepOutOfGit(folder, UNCOMMITTED);
  await removeTemporaries(folder, { name: FILE });
  const before = await documentBefore({ kind: "workspace", root: workspaceRoot });
  if (before.isErr()) return err(before.error);
  const path = join(folder, FILE);
  const document = documentOf(next, before.value === "unreadable" ? null : before.value);
  const text = textOf(document);
  const full = Buffer.byteLength(text) > MAX_BYTES;
  const keptAside = full || before.value === "unreadable" ? keepAside(path) : null;
  // A process that slept for long may have been taken for dead, and another process may be writing now.
  if (!lock.isHeld()) return err({ type: "busy", message: `${NAME} was taken over by another writer` });
  await writeFileAtomic(path, full ? textOf(documentOf(next, null)) : text);
  return ok({
    earlier: full ? 0 : document.history.length,
    keptAside: keptAside === null ? null : `${OWN_FOLDER}/${keptAside}`,
  });
}

async function documentBefore(
  place: IssuePlace,
): Promise<Result<IssueDocument | "unreadable" | null, FileSystemError>> {
  if (!(await issueDefinitionExists(place))) return ok(null);
  const loaded = await loadDocument(place);
  return loaded.orElse((error) => (error.type === "corrupt" ? ok("unreadable" as const) : err(error)));
}

async function loadDocument(place: IssuePlace): Promise<Result<IssueDocument, FileSystemError>> {
  const path = await pathOf(place);
  if (path.isErr()) return err(path.error);
  const name = place.kind === "workspace" ? NAME : place.file;
  const text = await readRegularFile(path.value, { name, maxBytes: MAX_BYTES });
  return text.andThen((content) =>
    parseIssueDocument(content).mapErr((flaw) => ({ type: "corrupt" as const, message: `${name} ${flaw}` })),
  );
}

async function pathOf(place: IssuePlace): Promise<Result<string, FileSystemError>> {
  if (place.kind === "workspace") return (await ownFolder(place.root)).map((folder) => join(folder, FILE));
  if (isAbsolute(place.file)) return ok(place.file);
  return err({ type: "unknown", message: `${place.file} is no absolute path` });
}

/**
 * Keeps the file under a second name, in the same folder, before it is replaced. The file stays in its place as well,
 * so that it is never missing.
 */
function keepAside(path: string): string {
  const name = `${basename(path)}.kept-${newId().slice(0, 8)}`;
  giveSecondName(path, join(dirname(path), name));
  return name;
}
