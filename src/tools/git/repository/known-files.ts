/** Reads small files of a repository, and reads them again only if they have changed. */
import { type BigIntStats, readFileSync, statSync } from "node:fs";
import { tryOr } from "../../../utils/values/try-or.ts";
import type { SharedKey } from "../../core/kept-things.ts";

/** `odd`: there is something that is not a readable file of a sensible size. */
type FileAnswer<Value> =
  | { readonly kind: "absent" }
  | { readonly kind: "odd" }
  | { readonly kind: "file"; readonly value: Value };

export interface KnownFiles {
  /** The result of `read` for the file. One path is always read by the same function. */
  ask<Value>(path: string, read: (bytes: Buffer) => Value): FileAnswer<Value>;
}

/** What the calls of one context know about git's files. */
export const KNOWN_FILES: SharedKey<KnownFiles> = { name: "files of git", make: createKnownFiles };

/** A configuration is a few kilobytes. The index of a very large repository is some hundred megabytes. */
const MAX_BYTES = 1024 ** 3;
/** With more files than this, the oldest is forgotten. */
const MAX_COUNT = 256;
/** A file that changed just now may change again in the same clock tick, and then look the same. */
const TOO_FRESH_MS = 100;

function createKnownFiles(): KnownFiles {
  const known = new Map<string, { readonly mark: string; readonly value: unknown }>();
  return {
    ask<Value>(path: string, read: (bytes: Buffer) => Value): FileAnswer<Value> {
      const stats = statOf(path);
      if (stats === null) return { kind: "absent" };
      if (stats === "unseen" || !stats.isFile() || stats.size > MAX_BYTES) return { kind: "odd" };
      const mark = markOf(stats);
      const found = known.get(path);
      if (found?.mark === mark) return { kind: "file", value: found.value as Value };
      const bytes = tryOr(() => readFileSync(path), null);
      if (bytes === null) return { kind: "odd" };
      const value = read(bytes);
      known.delete(path);
      if (isSettled(stats)) known.set(path, { mark, value });
      const [oldest] = known.keys();
      if (known.size > MAX_COUNT && oldest !== undefined) known.delete(oldest);
      return { kind: "file", value };
    },
  };
}

/** Null if nothing is there. `unseen` if the system gives no answer, for example if links form a circle. */
export function statOf(path: string): BigIntStats | null | "unseen" {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? null : "unseen";
  }
}

function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

function isSettled({ ctimeMs }: BigIntStats): boolean {
  return Date.now() - Number(ctimeMs) > TOO_FRESH_MS;
}
