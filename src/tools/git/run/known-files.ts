/** Reads small files of a repository again only when they have changed. */
import { type BigIntStats, readFileSync, statSync } from "node:fs";
import type { SharedKey } from "../../core/kept-things.ts";

/** `odd`: there is something that is no readable file of a sensible size. */
export type FileAnswer<Value> =
  | { readonly kind: "absent" }
  | { readonly kind: "odd" }
  | { readonly kind: "file"; readonly value: Value };

export interface KnownFiles {
  /** What `read` makes of the file. One path is always read by the same function. */
  ask<Value>(path: string, read: (bytes: Buffer) => Value): FileAnswer<Value>;
}

/** What the calls of one context know of the files of git. */
export const KNOWN_FILES: SharedKey<KnownFiles> = { name: "files of git", make: createKnownFiles };

/** A configuration is a few kilobytes; the index of a very large repository some hundred megabytes. */
const LARGEST = 1024 ** 3;
/** The oldest of so many is forgotten. */
const MOST = 256;
/** A file that changed just now may change again within the same tick of its clock, and look the same. */
const TOO_FRESH_MS = 100;

function createKnownFiles(): KnownFiles {
  const known = new Map<string, { readonly mark: string; readonly value: unknown }>();
  return {
    ask<Value>(path: string, read: (bytes: Buffer) => Value): FileAnswer<Value> {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return { kind: "absent" };
      if (!stats.isFile() || stats.size > LARGEST) return { kind: "odd" };
      const mark = markOf(stats);
      const found = known.get(path);
      if (found?.mark === mark) return { kind: "file", value: found.value as Value };
      const bytes = bytesOf(path);
      if (bytes === null) return { kind: "odd" };
      const value = read(bytes);
      known.delete(path);
      if (isSettled(stats)) known.set(path, { mark, value });
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
      return { kind: "file", value };
    },
  };
}

function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

function isSettled({ ctimeMs }: BigIntStats): boolean {
  return Date.now() - Number(ctimeMs) > TOO_FRESH_MS;
}

function bytesOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
