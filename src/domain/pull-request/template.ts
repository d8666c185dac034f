/** Chooses the template for pull requests among the files of a repository, where the forges look for it. */
import type { ForgeWord } from "../forge/forge-place.ts";

const SHARED = [".github", "docs", ".github/PULL_REQUEST_TEMPLATE", ".github/pull_request_template"];
const MANY = ["PULL_REQUEST_TEMPLATE", "pull_request_template", "docs/PULL_REQUEST_TEMPLATE"];

/** The folders besides the top one in which each forge looks, the first one first. */
const FOLDERS: Readonly<Record<ForgeWord, readonly string[]>> = {
  github: [...SHARED, ...MANY],
  gitlab: [".gitlab/merge_request_templates"],
  gitea: [
    ".forgejo",
    ".gitea",
    ...SHARED,
    ...MANY,
    ".gitea/PULL_REQUEST_TEMPLATE",
    ".forgejo/PULL_REQUEST_TEMPLATE",
  ],
};

export function templateFolders(kind: ForgeWord): readonly string[] {
  return FOLDERS[kind];
}

/**
 * The path of the template; null if there is none. Of a folder with several, that is none either: which one is meant
 * only a person knows.
 */
export function templateAmong(kind: ForgeWord, paths: readonly string[]): string | null {
  if (kind === "gitlab")
    return paths.find((path) => /(?:^|\/)merge_request_templates\/default\.md$/i.test(path)) ?? null;
  const folderOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
  const single = paths.filter((path) => /(?:^|\/)pull_request_template\.(?:md|txt)$/i.test(path));
  for (const folder of [...FOLDERS[kind].filter((each) => !isMany(each)), ""]) {
    const found = single.find((path) => folderOf(path) === folder);
    if (found !== undefined) return found;
  }
  for (const folder of FOLDERS[kind].filter(isMany)) {
    const inside = paths.filter((path) => folderOf(path) === folder && /\.(?:md|txt)$/i.test(path));
    if (inside.length > 0) return inside.length === 1 ? (inside[0] ?? null) : null;
  }
  return null;
}

function isMany(folder: string): boolean {
  return /pull_request_template$/i.test(folder);
}
