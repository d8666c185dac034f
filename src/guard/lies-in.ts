/** Says whether a path lies in a folder or leads into it: by what is there, however it is spelled. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Both absolute. What does not exist yet lies where its folder lies; a file such as `.git` of a worktree leads on. */
export function liesIn(folder: string, path: string): boolean {
  const wanted = identityOf(folder);
  if (wanted === null) return false;
  return [path, ledTo(path)].some((place) => place !== null && above(place).includes(wanted));
}

/** What the path and each folder above it are, as far as they exist. */
function above(path: string): readonly string[] {
  try {
    const real = realpathSync(path);
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
  try {
    if (!statSync(path).isFile()) return null;
    const [, target] = /^gitdir: (.*?)[\r\n]*$/s.exec(readFileSync(path, "utf8")) ?? [];
    return target === undefined ? null : resolve(dirname(path), target);
  } catch {
    return null;
  }
}
