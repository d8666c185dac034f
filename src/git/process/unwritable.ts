/** Names a full or read-only disk as the cause if git only said that it could not write. */
import { access, constants } from "node:fs/promises";
import { freeFiles, freeSpace } from "../../utils/files/disk-space.ts";
import type { GitError } from "./git-error.ts";

/**
 * Git writes the file of a commit message without a check. On a full disk it then finds an empty message, which
 * Tazuna never gives.
 */
const COULD_NOT_WRITE =
  /(?:(?:could|can)(?:n't| ?not)|unable to|failed to) (?:write|create|close|copy|append|flush)|write error|empty commit message/i;

/** With less free space, a file of git may not fit. */
const ROOM_BYTES = 64 * 1024;

/** One action of git makes a few files: an object, its folder, a lock. */
const ROOM_FILES = 16;

/**
 * Returns `disk_full` if one of `places`, which the call wrote to, has no space left. If a place is read-only, the
 * message names it. Otherwise returns the error unchanged.
 */
export async function orUnwritable(error: GitError, places: readonly string[]): Promise<GitError> {
  if (error.kind !== "git_failed" || !COULD_NOT_WRITE.test(error.stderr)) return error;
  const { command, message } = error;
  const full = (await Promise.all(places.map(isFull))).includes(true);
  if (full) return { kind: "disk_full", command, message: `${message}\nThe disk is full.` };
  const closed = await Promise.all(places.map(isReadOnly));
  const place = places.find((_, index) => closed[index]);
  return place === undefined ? error : { ...error, message: `${message}\nRead-only file system: ${place}` };
}

/** A place that cannot be checked counts as writable. So does a network file system that reports no blocks at all. */
async function isFull(path: string): Promise<boolean> {
  const [room, files] = await Promise.all([
    freeSpace(path).catch(() => null),
    freeFiles(path).catch(() => null),
  ]);
  return (
    (room !== null && room.total > 0 && room.free < ROOM_BYTES) || (files !== null && files < ROOM_FILES)
  );
}

async function isReadOnly(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "EROFS",
  );
}
