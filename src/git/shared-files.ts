/** Tells how those parts of a shared git directory stand that are no references and no settings of `watched-settings.ts`. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { readPlainFile } from "../utils/read-plain-file.ts";

/** By a path in the git directory: what is there, as text or as a hash; what is not there is absent. */
export type SharedFiles = Readonly<Record<string, string>>;

/** What the checkout is on, and what git obeys without naming a program: which files it sees, and where history ends. */
const FILES = ["HEAD", "info/exclude", "info/sparse-checkout", "info/grafts", "shallow"];
/** A longer one is told apart by its size alone. */
const MOST_BYTES = 1024 * 1024;
/** A line that may be a path is kept as it is. */
const LONGEST_PATH = 4096;

/** `ours` is the folder of the worktrees that Tazuna makes: their registrations come and go with attempts. */
export function readSharedFiles(commonDir: string, ours: string): SharedFiles {
  const files = FILES.flatMap((name) => entryOf(commonDir, name));
  const registered = namesIn(join(commonDir, "worktrees")).flatMap((name) =>
    entryOf(commonDir, `worktrees/${name}/gitdir`)
      // Git makes the file first and writes it then: an empty one is no registration yet, and maybe ours.
      .filter(([, pointer]) => pointer !== "")
      .map(([, pointer]) => [`worktrees/${name}`, dirname(pointer)] as const),
  );
  return Object.fromEntries([...files, ...registered.filter(([, at]) => !at.startsWith(ours + sep))]);
}

function entryOf(commonDir: string, name: string): (readonly [string, string])[] {
  const path = join(commonDir, name);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  // An agent that works beside may put a pipe in its place just now.
  const text = readPlainFile(path, MOST_BYTES);
  if (text === null) return kindOf(path).map((kind) => [name, kind]);
  const short = text.length <= LONGEST_PATH && !text.trimEnd().includes("\n");
  return [[name, short ? text.trimEnd() : createHash("sha256").update(text).digest("hex")]];
}

/** Of what is no text that could be read; nothing where it went meanwhile. */
function kindOf(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [`${stats.mode} ${stats.size}`];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
