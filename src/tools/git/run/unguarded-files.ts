/** Lists what `git rm` would delete without looking at it: submodules, files in conflict, and files that git takes for unchanged. */
import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { filesOf, unguardedOf } from "./index-gitlinks.ts";
import { indexPaths } from "./index-paths.ts";

/**
 * Of the repository of `folder` (real), relative to the workspace. Each is named from `spelled` on as well, which is the
 * same folder as the call writes it, with links: what is judged are words. An index that cannot be read names none; every
 * call is refused there.
 */
export function unguardedFiles(
  folder: string,
  { context, spelled }: { readonly context: ToolContext; readonly spelled: string },
): readonly string[] {
  const found = indexPaths(folder, context, unguardedOf);
  if (found === null) return [];
  const files = found.unnamed ? (indexPaths(folder, context, filesOf)?.paths ?? []) : [];
  return [...found.paths, ...files].flatMap((path) => {
    const at = join(found.topLevel, path);
    // Nothing is lost of what is not there, as most of a sparse checkout is not.
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) return [];
    return [at, join(spelled, relative(folder, at))].map((one) => relative(context.workspaceRoot, one));
  });
}
