/** Finds damage to two necessary files of a worktree, HEAD and the index, and only reads. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lstatOrNull } from "../../utils/files/is-there.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";

export interface Damage {
  readonly file: "HEAD" | "index";
  /** In words, such as `missing` or `a link`. */
  readonly how: string;
}

/** Longer than any branch name. */
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * `gitDir` is the private git directory of a worktree that was once intact. `branch` is the one that Tazuna put it
 * on.
 */
export async function findDamage(worktree: {
  readonly gitDir: string;
  readonly branch: string;
}): Promise<readonly Damage[]> {
  const damages: Damage[] = [];
  const head = (await notAFile(join(worktree.gitDir, "HEAD"))) ?? headDamage(worktree);
  if (head !== null) damages.push({ file: "HEAD", how: head });
  const index = (await notAFile(join(worktree.gitDir, "index"))) ?? (await indexDamage(worktree.gitDir));
  if (index !== null) damages.push({ file: "index", how: index });
  return damages;
}

/** One sentence for a person. */
export function damageWords(damages: readonly Damage[]): string {
  return damages.map(({ file, how }) => `Its ${file} was damaged (${how}).`).join(" ");
}

async function notAFile(path: string): Promise<string | null> {
  const found = await lstatOrNull(path);
  if (found === null) return "missing";
  if (found.isFile()) return null;
  if (found.isDirectory()) return "a folder";
  return found.isSymbolicLink() ? "a link" : "not a file";
}

/** Git ends the file with a line feed. Without it the text may be cut off, unless it names our whole branch. */
function headDamage({ gitDir, branch }: { readonly gitDir: string; readonly branch: string }): string | null {
  const text = readPlainFile(join(gitDir, "HEAD"), MAX_HEAD_BYTES) ?? "";
  if (text === "") return "empty";
  const ended = text.endsWith("\n") || text === `ref: refs/heads/${branch}`;
  const known = /^(?:ref:\s*refs\/[^\0\n]+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/.test(text);
  return ended && known ? null : "not what git writes";
}

/** The checksums that may end an index. They are all zeros if the user's git was told to leave them out. */
const CHECKSUMS = [
  { name: "sha1", bytes: 20 },
  { name: "sha256", bytes: 32 },
] as const;

/** Git compares the checksum only if it is told to. It reads beyond the end of a truncated index. */
async function indexDamage(gitDir: string): Promise<string | null> {
  const index = await readFile(join(gitDir, "index"));
  if (index.length === 0) return "empty";
  if (index.toString("latin1", 0, 4) !== "DIRC" || index.length < 12 + 20) return "not what git writes";
  if (![2, 3, 4].includes(index.readUInt32BE(4))) return null;
  const isWhole = CHECKSUMS.some(({ name, bytes }) => {
    const sum = index.subarray(-bytes);
    if (sum.every((byte) => byte === 0)) return true;
    return createHash(name).update(index.subarray(0, -bytes)).digest().equals(sum);
  });
  return isWhole ? null : "its checksum does not fit";
}
