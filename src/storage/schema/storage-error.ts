/** Names the database failures that concern a person, and turns errors of the two drivers into them. */

/** What is wrong with the database and what to do about it, as text for a person. */
export interface StorageError {
  readonly code: StorageErrorCode;
  readonly message: string;
  readonly remedy: string;
}

/** A storage error on its way up through code that cannot handle it; reads, writes and `transact` throw it. */
export class StorageFailure extends Error {
  readonly storage: StorageError;

  constructor(storage: StorageError, options?: { readonly cause: unknown }) {
    super(`${storage.message} ${storage.remedy}`, options);
    this.name = "StorageFailure";
    this.storage = storage;
  }
}

/** What is wrong, after "The database", and what to do. */
const TEXTS = {
  database_corrupt: {
    words: "is damaged",
    remedy:
      "Nothing was changed. `tazuna doctor` says how to put a copy in its place, or how to begin with an empty one. In a Postgres, bring back a copy of your own.",
  },
  database_locked: {
    words: "is locked by another program",
    remedy: "Close the other program that holds the database, then try again.",
  },
  database_read_only: {
    words: "cannot be written",
    remedy: "Make the database and its folder writable, then try again.",
  },
  disk_full: {
    words: "has no space left on its disk",
    remedy:
      "Free some disk space (or have the quota or the limit on file sizes raised), then try again. What was saved before is intact.",
  },
  database_newer: {
    words: "was written by a newer Tazuna",
    remedy: "Nothing was changed. Use the newer Tazuna, or set TAZUNA_HOME to another folder.",
  },
  database_older: {
    words: "was written by an older Tazuna",
    remedy:
      "Nothing was changed. Stop every Tazuna that works on it (`tazuna engine stop` on each machine), then start this one first.",
  },
  database_unreachable: {
    words: "cannot be reached",
    remedy: "Check the address, the permissions and that it is running, then try again.",
  },
} as const;

type StorageErrorCode = keyof typeof TEXTS;

/** For a database that is a file: it has no address, and no server runs. */
const FILE_REMEDY =
  "Check the path of the data folder (TAZUNA_HOME). Check that you may read and write it and the files in it. Then try again.";

export function storageError(code: StorageErrorCode, message: string): StorageError {
  return { code, message, remedy: TEXTS[code].remedy };
}

/** The same error, with the name of the file. */
export function withFile(file: string, error: StorageError): StorageError {
  return error.message.includes(file) ? error : { ...error, message: `${file}: ${error.message}` };
}

/** The failure to throw for content that cannot be right. */
export function corrupt(message: string): StorageFailure {
  return new StorageFailure(storageError("database_corrupt", message));
}

const SQLITE_CODES: readonly (readonly [RegExp, StorageErrorCode])[] = [
  [/^SQLITE_(CORRUPT|NOTADB|FORMAT)/, "database_corrupt"],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "database_locked"],
  [/^SQLITE_(READONLY|PERM|AUTH)/, "database_read_only"],
  // `SHMSIZE`: the index of the log has a fixed size, which does not fit. SQLite reports `FULL` for ENOSPC alone. A
  // quota (EDQUOT) and a limit on file size (EFBIG) appear as a failed write. So does a broken disk, which is rarer.
  [/^SQLITE_(FULL|IOERR_SHMSIZE|IOERR_WRITE)/, "disk_full"],
  [/^SQLITE_(CANTOPEN|IOERR)/, "database_unreachable"],
];

const FORBIDDEN = "42501";
const FORBIDDEN_REMEDY =
  "On a worker that joined a server, ask on that server. Else let the login of this Tazuna own its tables, then try again.";

/** By SQLSTATE (Postgres manual, appendix A), and by Node's system errors for files and sockets. */
const OTHER_CODES: readonly (readonly [RegExp, StorageErrorCode])[] = [
  [/^XX00[12]$/, "database_corrupt"],
  [/^(55P03|40001|40P01)$/, "database_locked"],
  [/^(25006|42501)$/, "database_read_only"],
  [/^53100$/, "disk_full"],
  [/^(08...|28...|3D000|57P0.|53300)$/, "database_unreachable"],
  [/^(ENOSPC|EDQUOT|EFBIG)$/, "disk_full"],
  [/^(EROFS|EACCES|EPERM)$/, "database_read_only"],
  [/^E[A-Z]+$/, "database_unreachable"],
];

/**
 * The storage error for an error thrown while reading, writing or opening a database. Null if it is something else (a
 * mistake of ours).
 */
export function storageErrorOf(thrown: unknown): StorageError | null {
  if (thrown instanceof StorageFailure) return thrown.storage;
  if (!(thrown instanceof Error)) return null;
  const code = codeOf(thrown);
  const sqlite = code.startsWith("SQLITE_");
  const found = (sqlite ? SQLITE_CODES : OTHER_CODES).find(([pattern]) => pattern.test(code));
  const remote = unreachable(thrown);
  const known = remote ? "database_unreachable" : found?.[1];
  if (known === undefined) return null;
  const reason = sqlite ? code : thrown.message || code;
  if (code === FORBIDDEN)
    return { code: known, message: `The database refuses this login (${reason}).`, remedy: FORBIDDEN_REMEDY };
  if (known === "database_unreachable" && !remote && (sqlite || "path" in thrown))
    return { code: known, message: `The database cannot be opened (${reason}).`, remedy: FILE_REMEDY };
  return storageError(known, `The database ${TEXTS[known].words} (${reason}).`);
}

/** The error to throw instead of a driver's error: a `StorageFailure` if it is one, else the same error. */
export function asStorageFailure(thrown: unknown): unknown {
  const known = storageErrorOf(thrown);
  return known === null || thrown instanceof StorageFailure
    ? thrown
    : new StorageFailure(known, { cause: thrown });
}

/** Whether the same transaction may succeed if it simply runs again. */
export function isTransient(thrown: unknown): boolean {
  const cause = thrown instanceof StorageFailure ? thrown.cause : thrown;
  return cause instanceof Error && /^(SQLITE_BUSY|40001$|40P01$)/.test(codeOf(cause));
}

/** Whether a statement got no answer in its time: nobody knows what became of it. */
export function isSilence(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === "Query read timeout";
}

/** A connection that failed or was lost; `pg` gives some of these no code. */
function unreachable(error: Error): boolean {
  return (
    isSilence(error) ||
    ("syscall" in error && error.syscall === "connect") ||
    /^(Connection terminated|timeout exceeded|Client has encountered a connection error)/.test(error.message)
  );
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
