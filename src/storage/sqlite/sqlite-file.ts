/** Checks a SQLite file before use, makes a complete one if it is missing, and opens connections to it. */
import { Database as SqliteHandle } from "bun:sqlite";
import { accessSync, chmodSync, constants, lstatSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { asStorageFailure, corrupt } from "../schema/storage-error.ts";
import { syncFile, syncFolder } from "./sync-to-disk.ts";

/**
 * Makes a missing file, under another name first, so that an empty file is never one of ours. Checks an existing
 * file. Throws a `StorageFailure` if it cannot be used; the file is then unchanged.
 */
export function prepareSqliteFile(file: string, options: { readonly busyTimeoutMs: number }): void {
  withStorageErrors(() => accessSync(dirname(file), constants.R_OK | constants.W_OK | constants.X_OK));
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) makeEmptyDatabase(file);
  withStorageErrors(() => accessSync(file, constants.R_OK | constants.W_OK));
  if (statSync(file).size === 0) throw corrupt(`The database ${file} is empty.`);
  quickCheck(file, options);
}

/** A connection with our settings; a reading one refuses to write. */
export function openSqliteHandle(
  file: string,
  options: { readonly access: "read" | "write"; readonly busyTimeoutMs: number },
): SqliteHandle {
  return withStorageErrors(() => {
    const handle = new SqliteHandle(file, { readwrite: true, create: false, strict: true });
    try {
      handle.run(`pragma busy_timeout = ${options.busyTimeoutMs}`);
      handle.run("pragma journal_mode = wal");
      handle.run("pragma synchronous = full");
      handle.run("pragma foreign_keys = on");
      if (options.access === "read") handle.run("pragma query_only = on");
      if (options.access === "write") proveWritable(handle);
      return handle;
    } catch (error) {
      handle.close();
      throw error;
    }
  });
}

/** Throws a `StorageFailure` unless SQLite finds the file intact. Only reads. */
export function quickCheck(
  file: string,
  options: { readonly busyTimeoutMs: number } = { busyTimeoutMs: 0 },
): void {
  withStorageErrors(() => {
    const handle = new SqliteHandle(file, { readonly: true });
    try {
      handle.run(`pragma busy_timeout = ${options.busyTimeoutMs}`);
      proveIntact(handle, file);
    } finally {
      handle.close();
    }
  });
}

export function proveIntact(handle: SqliteHandle, file: string): void {
  using statement = handle.prepare<{ quick_check: string }, []>("pragma quick_check(1)");
  const finding = statement.get()?.quick_check ?? "no answer";
  if (finding !== "ok") throw corrupt(`The database ${file} is damaged (${finding}).`);
}

/** A file that can be opened may still not be writable. It is better to learn this now than at the first run. */
function proveWritable(handle: SqliteHandle): void {
  handle.run("begin immediate");
  try {
    handle.run("create table writable (x)");
  } finally {
    if (handle.inTransaction) handle.run("rollback");
  }
}

function makeEmptyDatabase(file: string): void {
  // If an old log is beside a new file, SQLite would apply it.
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw corrupt(`The database ${file} is gone, but its log ${file}-wal is still there.`);
  const draft = `${file}.new`;
  const clear = () => {
    for (const left of [draft, `${draft}-wal`, `${draft}-shm`]) rmSync(left, { force: true });
  };
  withStorageErrors(() => {
    clear();
    try {
      writeEmptyDatabase(draft);
      renameSync(draft, file);
      syncFolder(dirname(file));
    } finally {
      clear();
    }
  });
}

function writeEmptyDatabase(file: string): void {
  const handle = new SqliteHandle(file, { readwrite: true, create: true });
  try {
    handle.run("pragma journal_mode = wal");
  } finally {
    handle.close();
  }
  chmodSync(file, 0o600);
  syncFile(file);
}

/** Runs `act`. An error of SQLite or of the file system becomes a `StorageFailure`; others pass. */
function withStorageErrors<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asStorageFailure(error);
  }
}
