/** Records the parts of a shared git directory that are not references and not settings of `watched-settings.ts`. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import { namesIn } from "../../utils/paths/read-what-is-there.ts";

/** Keyed by a path in the git directory: its content as text or as a hash. A missing file has no entry. */
export type SharedFiles = Readonly<Record<string, string>>;

/**
 * The branch of the checkout, and the files that change what git does although they name no program. They decide
 * which files git sees and how far history goes.
 */
const FILES = ["HEAD", "info/exclude", "info/sparse-checkout", "info/grafts", "shallow"];
/** Longer files are compared by size alone. */
const MAX_BYTES = 1024 * 1024;
/** A line that may be a path is kept unchanged. */
const MAX_PATH_LENGTH = 4096;

/** `ours` is the folder of Tazuna's own worktrees, whose registrations come and go with attempts. */
export function readSharedFiles(commonDir: string, ours: string): SharedFiles {
  const files = FILES.flatMap((name) => entryOf(commonDir, name));
  const registered = namesIn(join(commonDir, "worktrees")).flatMap((name) =>
    entryOf(commonDir, `worktrees/${name}/gitdir`)
      // Git creates the file before it writes it. An empty one is not a registration yet, and may be ours.
      .filter(([, pointer]) => pointer !== "")
      .map(([, pointer]) => [`worktrees/${name}`, dirname(pointer)] as const),
  );
  return Object.fromEntries([...files, ...registered.filter(([, at]) => !at.startsWith(ours + sep))]);
}

function entryOf(commonDir: string, name: string): (readonly [string, string])[] {
  const path = join(commonDir, name);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  // An agent that works at the same time may replace it by a pipe.
  const text = readPlainFile(path, MAX_BYTES);
  if (text === null) return kindOf(path).map((kind) => [name, kind]);
  const short = text.length <= MAX_PATH_LENGTH && !text.trimEnd().includes("\n");
  return [[name, short ? text.trimEnd() : createHash("sha256").update(text).digest("hex")]];
}

/** The kind of an entry that is not readable text; empty if it is gone meanwhile. */
function kindOf(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [`${stats.mode} ${stats.size}`];
}
