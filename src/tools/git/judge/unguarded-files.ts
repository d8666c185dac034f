/** Lists what `git rm` deletes unchecked: submodules, files in conflict, and files that git assumes unchanged. */
import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { filesOf, unguardedOf } from "../repository/index-gitlinks.ts";
import { indexPaths } from "../repository/index-paths.ts";

/**
 * The files of the repository of `folder` (real), relative to the workspace. `spelled` is the same folder as the
 * call writes it, with links. Each file is also named from `spelled`, because the policy judges words. If an index
 * cannot be read, the list is empty: every call is refused there.
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
    // A missing file cannot be lost, and most files of a sparse checkout are missing.
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) return [];
    return [at, join(spelled, relative(folder, at))].map((one) => relative(context.workspaceRoot, one));
  });
}
