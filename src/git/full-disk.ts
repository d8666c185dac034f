/** Names the full disk as the cause where git itself only said that it could not write. */
import { freeSpace } from "../utils/disk-space.ts";
import type { GitError } from "./git-error.ts";

/** An empty message is one that git wrote to its file without looking whether it got there: Tazuna's own are never empty. */
const COULD_NOT_WRITE =
  /(?:(?:could|can)(?:n't| ?not)|unable to|failed to) (?:write|create|close|copy|append|flush)|write error|empty commit message/i;

/** With less than that left, a file of git's cannot be counted on to fit. */
const ROOM_BYTES = 64 * 1024;

/** The error as it is, or as `disk_full` where one of `places`, which the call wrote to, has no room left. */
export async function orDiskFull(error: GitError, places: readonly string[]): Promise<GitError> {
  if (error.kind !== "git_failed" || !COULD_NOT_WRITE.test(error.stderr)) return error;
  const full = (await Promise.all(places.map(isFull))).includes(true);
  const { command, message } = error;
  return full ? { kind: "disk_full", command, message: `${message}\nThe disk is full.` } : error;
}

/** A place that cannot be asked says nothing, nor does a network file system that counts no blocks at all. */
async function isFull(path: string): Promise<boolean> {
  const room = await freeSpace(path).catch(() => null);
  return room !== null && room.total > 0 && room.free < ROOM_BYTES;
}
