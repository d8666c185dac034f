/** Checks whether a path is in a folder or leads into it, by the files and not by its spelling. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { namedGitDir, placeFrom } from "../utils/paths/pointer-files.ts";
import { tryOr } from "../utils/values/try-or.ts";

/**
 * Both absolute. A missing path counts as inside its folder. A file such as `.git` of a worktree is followed. False if
 * `folder` itself is missing.
 */
export function liesIn(folder: string, path: string): boolean {
  const wanted = identityOf(folder);
  if (wanted === null) return false;
  return [path, ledTo(path)].some((place) => place !== null && above(place).includes(wanted));
}

/** The identity of the path and of each folder above it, as far as they exist. */
function above(path: string): readonly string[] {
  try {
    const real = realpathSync.native(path);
    const identity = identityOf(real);
    const rest = dirname(real) === real ? [] : above(dirname(real));
    return identity === null ? rest : [identity, ...rest];
  } catch {
    return dirname(path) === path ? [] : above(dirname(path));
  }
}

function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

function ledTo(path: string): string | null {
  const text = tryOr(() => (statSync(path).isFile() ? readFileSync(path, "utf8") : null), null);
  const target = text === null ? null : namedGitDir(text);
  return target === null ? null : placeFrom(dirname(path), target);
}
