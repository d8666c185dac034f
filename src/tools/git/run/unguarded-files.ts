/** Lists what `git rm` would delete without looking at it: submodules, and the working copies of files in conflict. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { findRepository, isFlaw } from "./find-repository.ts";
import { unguardedOf } from "./index-gitlinks.ts";
import { configSearch } from "./inspect-repository.ts";
import { readConfig } from "./read-config.ts";
import { usesSha256 } from "./read-repository.ts";

/**
 * Of the repository of `folder` (real), relative to the workspace. Each is named from `spelled` on as well, which is the
 * same folder as the call writes it, with links: what is judged are words. An index that cannot be read names none; every
 * call is refused there.
 */
export function unguardedFiles(
  folder: string,
  { context, spelled }: { readonly context: ToolContext; readonly spelled: string },
): readonly string[] {
  const search = configSearch(context);
  const found = findRepository(folder, search.files);
  if (found === null || isFlaw(found)) return [];
  const { entries } = readConfig([join(found.commonDir, "config")], search);
  const idBytes = usesSha256(entries) ? 32 : 20;
  const paths = new Set(indexFiles(found.gitDir).flatMap((index) => unguardedOf(index, idBytes) ?? []));
  // What a split index says again of an entry beside it has no name.
  paths.delete("");
  return [...paths].flatMap((path) => {
    const at = join(found.topLevel, path);
    return [at, join(spelled, relative(folder, at))].map((one) => relative(context.workspaceRoot, one));
  });
}

/** A split index has most of its entries in files beside it. */
function indexFiles(gitDir: string): readonly Buffer[] {
  const names = readdirSync(gitDir).filter((name) => name === "index" || name.startsWith("sharedindex."));
  const paths = names.map((name) => join(gitDir, name)).filter((path) => statSync(path).isFile());
  return paths.map((path) => readFileSync(path));
}
