/** Finds the unix sockets of the file system that somebody may listen on now (Linux). */
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { socketNames } from "./socket-names.ts";

/**
 * Absolute paths without symbolic links: every socket in each folder where one was bound by name, so also those that were moved
 * or linked there since. Only in folders that `isOpen`; none of other network namespaces, which the system does not list.
 */
export function boundSockets(isOpen: (folder: string) => boolean): readonly string[] {
  const names = socketNames(readFileSync("/proc/net/unix", "utf8"));
  const isRelative = (name: string) => !name.startsWith("/");
  // Where a relative name was meant is not told: likely where its program works still.
  const from = names.some(isRelative) ? workingFolders() : [];
  const paths = names.flatMap((name) =>
    isRelative(name) ? from.map((folder) => `${folder}/${name}`) : [name],
  );
  const folders = [...new Set(paths.map((path) => dirname(path)))].flatMap(realFolder);
  return [...new Set(folders)].filter(isOpen).flatMap(socketsIn);
}

/** Of all processes that let us see theirs. */
function workingFolders(): readonly string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return [...new Set(pids.flatMap((pid) => orNone(() => [readlinkSync(`/proc/${pid}/cwd`)])))];
}

function realFolder(folder: string): readonly string[] {
  return orNone(() => [realpathSync.native(folder)]);
}

function socketsIn(folder: string): readonly string[] {
  return (
    orNone(() => readdirSync(folder, { withFileTypes: true }))
      .filter((entry) => entry.isSocket())
      .map(({ name }) => join(folder, name))
      // What cannot be said in UTF-8 cannot be named in a command either.
      .filter((path) => existsSync(path))
  );
}

/** What is gone by now, or closed to us, is closed to what we start too. */
function orNone<T>(look: () => readonly T[]): readonly T[] {
  try {
    return look();
  } catch {
    return [];
  }
}
