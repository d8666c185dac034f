/** Finds the unix sockets of the file system that may have a listener now (Linux). */
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../utils/values/try-or.ts";
import { socketNames } from "./socket-names.ts";

/**
 * Absolute paths without symbolic links: every socket in each folder in which one was bound by name. So sockets that
 * were moved or linked there since are included. Only in folders that `isOpen` accepts. None of other network
 * namespaces, which the system does not list. What is gone by now, or closed to us, is closed to programs that we start too.
 */
export function boundSockets(isOpen: (folder: string) => boolean): readonly string[] {
  const names = socketNames(readFileSync("/proc/net/unix", "utf8"));
  const isRelative = (name: string) => !name.startsWith("/");
  // The folder of a relative name is not listed: it is probably the working folder of its program.
  const from = names.some(isRelative) ? workingFolders() : [];
  const paths = names.flatMap((name) =>
    isRelative(name) ? from.map((folder) => `${folder}/${name}`) : [name],
  );
  const folders = [...new Set(paths.map((path) => dirname(path)))].flatMap((folder) =>
    tryOr(() => [realpathSync.native(folder)], []),
  );
  return [...new Set(folders)].filter(isOpen).flatMap(socketsIn);
}

/** The working folders of all processes that we may inspect. */
function workingFolders(): readonly string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return [...new Set(pids.flatMap((pid) => tryOr(() => [readlinkSync(`/proc/${pid}/cwd`)], [])))];
}

function socketsIn(folder: string): readonly string[] {
  return (
    tryOr(() => readdirSync(folder, { withFileTypes: true }), [])
      .filter((entry) => entry.isSocket())
      .map(({ name }) => join(folder, name))
      // A name that is not UTF-8 cannot stand in a command either.
      .filter((path) => existsSync(path))
  );
}
