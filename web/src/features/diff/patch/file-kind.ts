/** Tells from the list of files alone which are not shown at once: binary, too big, or a lockfile. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";
import { MAX_PICTURE_BYTES } from "@contract/limits.ts";

/** Changed lines above which a file is shown only when it is asked for. */
const BIG_LINES = 5_000;

const LOCKFILES = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "Cargo.lock",
  "poetry.lock",
  "uv.lock",
  "Pipfile.lock",
  "Gemfile.lock",
  "composer.lock",
  "go.sum",
  "flake.lock",
  "Package.resolved",
  "Podfile.lock",
  "mix.lock",
  "pubspec.lock",
]);

type Held = "binary" | "big" | "lockfile";

/** Null if the file is shown at once. */
export function heldBack({ path, additions, deletions }: DiffFile): Held | null {
  if (additions === null) return "binary";
  if (LOCKFILES.has(path.slice(path.lastIndexOf("/") + 1))) return "lockfile";
  return additions + (deletions ?? 0) > BIG_LINES ? "big" : null;
}

/** What happened to the file, as a word of the noun `diff`. */
type ChangeWord = "added" | "deleted" | "renamed" | "copied" | "typeChanged" | "unmerged" | "modified";

const WORDS: Readonly<Record<string, ChangeWord>> = {
  added: "added",
  deleted: "deleted",
  renamed: "renamed",
  copied: "copied",
  type_changed: "typeChanged",
  unmerged: "unmerged",
};

export const changeWord = (status: string): ChangeWord => WORDS[status] ?? "modified";

/** By its name, a picture that a page can show. A drawing as text (svg) is none: it is shown as its lines. */
export function isPicture({ path, sizes }: DiffFile): boolean {
  const most = Math.max(sizes?.before ?? 0, sizes?.after ?? 0);
  return most > 0 && most <= MAX_PICTURE_BYTES && /\.(?:png|jpe?g|gif|webp|avif)$/i.test(path);
}
